import {
  CreateTableCommand,
  type DynamoDBClient,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';

import { tableDefinition } from '../../lib/store/items/table-definition.ts';
import { localClient } from '../../local/local-client.ts';
import { createTable } from '../../local/table.ts';
import { hasOwnEngine, ownEngine } from '../support/run.ts';

process.env['AWS_REGION'] ??= 'us-east-1';
process.env['AWS_ACCESS_KEY_ID'] ??= 'local';
process.env['AWS_SECRET_ACCESS_KEY'] ??= 'local';

describe.skipIf(!hasOwnEngine())('the local table', () => {
  let client: DynamoDBClient;
  beforeAll(async () => {
    client = localClient((await ownEngine()).client);
  });

  it('is created once, as the stack declares it', async () => {
    const TableName = `Local${Date.now()}`;

    expect(await createTable(client, TableName)).toBe('created');
    expect(await createTable(client, TableName)).toBe('found');

    const { Table: table } = await client.send(new DescribeTableCommand({ TableName }));
    expect(table?.BillingModeSummary?.BillingMode).toBe('PAY_PER_REQUEST');
    expect(table?.StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
    expect(table?.GlobalSecondaryIndexes?.map((index) => index.IndexName).sort()).toEqual(
      tableDefinition.indexes.map((index) => index.name).sort(),
    );
    const { TimeToLiveDescription: expiry } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
    expect(expiry).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: tableDefinition.ttlAttribute });
  });

  it('is refused if it has other keys or indexes', async () => {
    const TableName = `Other${Date.now()}`;
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    );

    await expect(createTable(client, TableName)).rejects.toThrow(/made by another version of Dapple.*--data/);
  });
});
