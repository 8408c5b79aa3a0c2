"""Tables of a stack, made in DynamoDB Local: MiniStack's own engine is too slow for the tests (README.md)."""

import json
import os
import urllib.request

from ministack.services.cloudformation import provisioners

# What CreateTable takes of a template's properties.
TABLE_PROPERTIES = (
    "AttributeDefinitions",
    "BillingMode",
    "GlobalSecondaryIndexes",
    "KeySchema",
)


def keep_tables_in_the_engine() -> None:
    if "AWS_ENDPOINT_URL_DYNAMODB" not in os.environ:
        return
    handlers = provisioners._RESOURCE_HANDLERS["AWS::DynamoDB::Table"]
    create, delete = handlers["create"], handlers["delete"]

    def create_both(logical_id, properties, stack_name):
        name, attributes = create(logical_id, properties, stack_name)
        stream = properties.get("StreamSpecification")
        table = {key: properties[key] for key in TABLE_PROPERTIES if key in properties}
        if stream:
            table["StreamSpecification"] = {"StreamEnabled": True, **stream}
        call("CreateTable", {"TableName": name, **table})
        expiry = properties.get("TimeToLiveSpecification")
        if expiry:
            call("UpdateTimeToLive", {"TableName": name, "TimeToLiveSpecification": expiry})
        return name, attributes

    def delete_both(physical_id, properties):
        call("DeleteTable", {"TableName": physical_id})
        return delete(physical_id, properties)

    handlers["create"], handlers["delete"] = create_both, delete_both


def call(action: str, body: dict) -> dict:
    request = urllib.request.Request(
        os.environ["AWS_ENDPOINT_URL_DYNAMODB"],
        data=json.dumps(body).encode(),
        headers={
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Target": f"DynamoDB_20120810.{action}",
            # The engine keeps tables by access key and region, and the functions' key is the account.
            "Authorization": "AWS4-HMAC-SHA256 Credential="
            f"{os.environ['MINISTACK_ACCOUNT_ID']}/20260101/{os.environ['AWS_DEFAULT_REGION']}/dynamodb/aws4_request, "
            "SignedHeaders=host, Signature=0",
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise ValueError(f"{action}: {error.read().decode()}") from error
