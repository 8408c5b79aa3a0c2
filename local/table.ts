import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
  type CreateTableCommandInput,
  type DynamoDBClient,
  type KeySchemaElement,
} from '@aws-sdk/client-dynamodb';

import { tableDefinition } from '../lib/store/items/table-definition.ts';

/** The command that creates the stack's table: on demand; `stream`: with its stream. */
export function createTableInput(tableName: string, stream: boolean): CreateTableCommandInput {
  const { partitionKey, sortKey, indexes } = tableDefinition;
  const keys = [partitionKey, sortKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])];
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: keys.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: keySchema(tableDefinition),
    GlobalSecondaryIndexes: indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keySchema(index),
      Projection:
        index.projection === 'ALL'
          ? { ProjectionType: 'ALL' }
          : { ProjectionType: 'INCLUDE', NonKeyAttributes: [...index.projection] },
    })),
    ...(stream ? { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } } : {}),
  };
}

/**
 * Creates the table unless it exists, and enables expiry.
 *
 * @param stream False for tables whose stream nobody reads: every stream slows DynamoDB Local down.
 * @throws Error if a table of that name has other keys or indexes, as after an update of Dapple.
 */
export async function createTable(
  client: DynamoDBClient,
  tableName: string,
  { stream = true }: { readonly stream?: boolean } = {},
): Promise<'created' | 'found'> {
  const input = createTableInput(tableName, stream);
  const outcome = await client.send(new CreateTableCommand(input)).then(
    () => 'created' as const,
    (error: unknown) => {
      if (error instanceof ResourceInUseException) return 'found' as const;
      throw error;
    },
  );
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName: tableName });
  if (outcome === 'found') await checkShape(client, input);
  await switchExpiryOn(client, tableName);
  return outcome;
}

function keySchema({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }): KeySchemaElement[] {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' },
    { AttributeName: sortKey, KeyType: 'RANGE' },
  ];
}

async function switchExpiryOn(client: DynamoDBClient, tableName: string): Promise<void> {
  const { TimeToLiveDescription: now } = await client.send(new DescribeTimeToLiveCommand({ TableName: tableName }));
  // DynamoDB refuses to enable expiry twice.
  if (now?.TimeToLiveStatus === 'ENABLED' || now?.TimeToLiveStatus === 'ENABLING') return;
  const specification = { Enabled: true, AttributeName: tableDefinition.ttlAttribute };
  await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification: specification }));
}

async function checkShape(client: DynamoDBClient, wanted: CreateTableCommandInput): Promise<void> {
  const { Table: found } = await client.send(new DescribeTableCommand({ TableName: wanted.TableName }));
  if (found !== undefined && shapeOf(found) === shapeOf(wanted)) return;
  throw new Error(
    `The table ${wanted.TableName} was made by another version of Dapple: its keys or indexes differ. ` +
      'Use another data folder (`--data <folder>`) or another TABLE_NAME, or delete the folder to start anew.',
  );
}

type Shape = Pick<CreateTableCommandInput, 'KeySchema'> & {
  readonly GlobalSecondaryIndexes?:
    | readonly {
        IndexName?: string | undefined;
        KeySchema?: KeySchemaElement[] | undefined;
        Projection?: { ProjectionType?: string | undefined; NonKeyAttributes?: string[] | undefined } | undefined;
      }[]
    | undefined;
};

/** The part of a table's description that cannot change while it has data, as a comparable text. */
function shapeOf({ KeySchema, GlobalSecondaryIndexes = [] }: Shape): string {
  const keys = (schema: KeySchemaElement[] = []) => schema.map((key) => `${key.KeyType}=${key.AttributeName}`).join();
  const indexes = GlobalSecondaryIndexes.map(
    ({ IndexName, KeySchema: schema, Projection: { ProjectionType, NonKeyAttributes = [] } = {} }) =>
      [IndexName, keys(schema), ProjectionType, [...NonKeyAttributes].sort().join()].join(' '),
  );
  return [keys(KeySchema), ...indexes.sort()].join('\n');
}
