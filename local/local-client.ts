import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

import type { ClientOptions } from '../lib/store/items/client.ts';

/** A client of an engine on this machine, with the region and credentials of the environment. */
export function localClient(options: ClientOptions): DynamoDBClient {
  return new DynamoDBClient({ ...options });
}
