import { GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';

import type { KeyRange } from './batch-record.ts';
import { batchKeys } from './keys/batch-keys.ts';
import { type Key, shards } from './keys/key-parts.ts';
import type { Writer } from './writer.ts';

type Question = Omit<QueryCommandInput, 'TableName'>;
type Filter = Required<
  Pick<QueryCommandInput, 'FilterExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>
>;

/** Where the records lie. */
type Place = Pick<Writer, 'client' | 'tableName'>;

/** Batches whose writer is gone: pending past their deadline, or given up and not yet cleared. */
export function listAbandoned(place: Place, now: number): Promise<string[]> {
  return select(place, {
    FilterExpression:
      '(#state = :pending AND #deadline < :now) OR (#state = :aborted AND attribute_not_exists(#cleared))',
    ExpressionAttributeNames: { '#state': 'state', '#deadline': 'deadline', '#cleared': 'cleared' },
    ExpressionAttributeValues: { ':pending': 'pending', ':aborted': 'aborted', ':now': now },
  });
}

/** Batches with changes of existing items that were committed within a time, in milliseconds since 1970. */
export function listCommitted(place: Place, from: number, to: number): Promise<string[]> {
  return select(place, {
    FilterExpression: '#state = :committed AND attribute_exists(#changed) AND #at BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#state': 'state', '#changed': 'changed', '#at': 'at' },
    ExpressionAttributeValues: { ':committed': 'committed', ':from': from, ':to': to },
  });
}

/** Where a batch wrote. */
export async function listRanges(place: Place, batch: string): Promise<KeyRange[]> {
  return (await placesOf(place, batch)).flatMap((item) => (item['ranges'] ?? []) as KeyRange[]);
}

/** The items that a batch changed. */
export async function listChanged(place: Place, batch: string): Promise<Key[]> {
  return (await placesOf(place, batch)).flatMap((item) => (item['changed'] ?? []) as Key[]);
}

/** The record of a batch, and the lists for which it has no room. */
async function placesOf(place: Place, batch: string): Promise<Record<string, unknown>[]> {
  const [{ Item: record = {} }, lists] = await Promise.all([
    place.client.send(
      new GetCommand({ TableName: place.tableName, Key: batchKeys.record(batch), ConsistentRead: true }),
    ),
    query(place, {
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': batchKeys.lists(batch) },
    }),
  ]);
  return [record, ...lists];
}

/** The ids of the records that a filter lets through. */
async function select(place: Place, filter: Filter): Promise<string[]> {
  const lists = await Promise.all(
    shards.map((shard) =>
      query(place, {
        ...filter,
        KeyConditionExpression: 'PK = :pk',
        ExpressionAttributeValues: { ...filter.ExpressionAttributeValues, ':pk': batchKeys.shard(shard) },
      }),
    ),
  );
  return lists.flat().map((item) => String(item['SK']));
}

async function query({ client, tableName }: Place, question: Question): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        ...question,
        TableName: tableName,
        ConsistentRead: true,
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    found.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return found;
}
