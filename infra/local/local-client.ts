import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** A client of an engine on this machine, with the region and credentials of the environment. */
export function localClient(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({ endpoint });
}
