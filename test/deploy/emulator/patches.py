"""The defects of MiniStack 1.5.33 that matter here, each with its remedy.

Where it can be told at the start that there is nothing to mend, a remedy raises Outdated: then a newer MiniStack does it
right, and the remedy goes.
"""

import inspect
import socket
import threading
from collections import defaultdict
from urllib.parse import parse_qs

import engine
from ministack import app as ministack
from ministack.core import lambda_runtime
from ministack.services import apigateway_v1, lambda_svc
from ministack.services.cloudformation import provisioners

# Types of resources that MiniStack does not know. They are taken note of and made by nobody: what they do is tested on
# the template (test/infra). The run prints them and fails when the list is longer than need be.
NOTED_TYPES = ("AWS::SecretsManager::RotationSchedule",)

# Processes of one function at most; each takes a third of a second of a core to start.
ENVIRONMENTS = 2


class Outdated(Exception):
    """What a remedy mends is not there."""


def apply() -> None:
    answer_at_once()
    take_silence_for_the_end()
    start_few_processes()
    note_unknown_types()
    tell_the_domain()
    engine.keep_tables_in_the_engine()


def answer_at_once() -> None:
    """Hypercorn's sockets name no protocol, so that asyncio leaves Nagle's algorithm on: 44 ms on every second answer."""
    from hypercorn.config import Config

    original = Config.create_sockets

    def create_sockets(self):
        sockets = original(self)
        for listener in sockets.insecure_sockets:
            if listener.proto == socket.IPPROTO_TCP:
                raise Outdated("hypercorn's sockets name their protocol")
            # Accepted connections inherit it.
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sockets

    Config.create_sockets = create_sockets


def take_silence_for_the_end() -> None:
    """After every invocation MiniStack waits for log lines: 50 ms for the first, 5 ms for another one."""
    drain = lambda_runtime.Worker._drain_stderr_bounded
    waits = inspect.signature(drain).parameters
    if waits["first_line_wait"].default < 0.01 or "idle_confirm" not in waits:
        raise Outdated("MiniStack does not wait for log lines")
    drain.__defaults__ = (0.0, 0.0, *drain.__defaults__[2:])


def note_unknown_types() -> None:
    """A template with a type that MiniStack does not know is refused as a whole."""
    for name in NOTED_TYPES:
        if name in provisioners._RESOURCE_HANDLERS:
            raise Outdated(f"MiniStack knows {name}")
        provisioners._RESOURCE_HANDLERS[name] = _noted(name)


def _noted(name: str) -> dict:
    def create(logical_id, properties, stack_name):
        print(f"noted: {name} {logical_id}", flush=True)
        return f"{stack_name}-{logical_id}", {}

    return {"create": create, "delete": lambda physical_id, properties: None}


def start_few_processes() -> None:
    """MiniStack starts a process for every request that finds none idle; on two cores that takes longer than to wait."""
    original = lambda_svc._execute_function_warm
    places = defaultdict(lambda: threading.BoundedSemaphore(ENVIRONMENTS))

    def execute(function, event, request_id):
        with places[(function.get("config") or function)["FunctionArn"]]:
            return original(function, event, request_id)

    lambda_svc._execute_function_warm = execute


def tell_the_domain() -> None:
    """Events of API Gateway have the name that the caller used; on its own domains the URL begins with the stage."""
    original = apigateway_v1._build_lambda_event_v1
    if "domainName" in inspect.getsource(original):
        raise Outdated("MiniStack tells functions the domain")

    def build(*args, **options):
        event = original(*args, **options)
        event["requestContext"]["domainName"] = event["headers"].get("host", "").split(":")[0]
        return event

    apigateway_v1._build_lambda_event_v1 = build


class ApiEdge:
    """A port at which the only REST API stands at the root, as behind a domain of its own.

    Under names such as abc.execute-api.localhost it stands below its stage, as on the domains of API Gateway.

    MiniStack's common port takes the stage in the path, takes HEAD for a question to S3, decodes the path (`a%2Fb` becomes
    `a/b`; real REST APIs keep it), joins headers that come twice and adds no X-Forwarded-*.
    """

    def __init__(self, common, port: int):
        self._common = common
        self._port = port

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http" or scope["server"][1] != self._port:
            return await self._common(scope, receive, send)
        body = b""
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
        status, headers, answer = await self._answer(scope, body)
        await ministack._send_response(send, status, headers, answer, head=scope["method"] == "HEAD")

    async def _answer(self, scope, body):
        stages = [(api, stage) for (_, _, api), names in apigateway_v1._stages_v1._data.items() for stage in names]
        if len(stages) != 1:
            return 503, {"Content-Type": "text/plain"}, f"{len(stages)} stages".encode()
        [(api_id, stage)] = stages
        headers = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        headers.setdefault("x-forwarded-for", [scope["client"][0]])
        headers.setdefault("x-forwarded-port", [str(self._port)])
        headers.setdefault("x-forwarded-proto", ["http"])
        single = {name: values[0] if len(values) == 1 else values for name, values in headers.items()}
        query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        path = scope["raw_path"].decode("latin-1")
        if ".execute-api." in single.get("host", ""):
            prefix = f"/{stage}"
            if path != prefix and not path.startswith(f"{prefix}/"):
                return 403, {"Content-Type": "application/json"}, b'{"message":"Forbidden"}'
            path = path.removeprefix(prefix) or "/"
        return await apigateway_v1.handle_execute(api_id, stage, scope["method"], path, single, body, query)
