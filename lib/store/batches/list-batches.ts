import { GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';

import { batchGet, keysPerGet } from '../items/batch-get.ts';
import type { Item } from '../items/item.ts';
import { batchKeys, leastBatchId } from '../keys/batch-keys.ts';
import { type Key, shards } from '../keys/key-parts.ts';
import { decidedAge, markedAge, type Places, unpackChanged, unpackPlaces } from './batch-record.ts';
import type { Writer } from './writer.ts';

type Question = Omit<QueryCommandInput, 'TableName'>;

/** Where the records lie. */
type Place = Pick<Writer, 'client' | 'tableName'>;

/** The marks of unfinished batches. */
export interface Marks {
  /** Each batch that began before this time and is not finished has a mark; in milliseconds. */
  readonly upTo: number;
  /** The ids of batches that were unfinished when they were looked at last. */
  readonly open: readonly string[];
  /** Those of batches of which nothing is left any more. */
  readonly cleared: readonly string[];
}

/** By how much the clocks of two machines may differ, in milliseconds. */
const clockTolerance = 600_000;

/** Reads the marks; a time that cannot be, from a clock that went wrong, counts as none. */
export async function readMarks(place: Place, now: number): Promise<Marks> {
  const items = await query(place, partition(batchKeys.marks));
  const upTo = Number(items.find(({ SK }) => SK === batchKeys.progress.SK)?.['upTo'] ?? 0);
  const marks = items.filter(({ SK }) => SK !== batchKeys.progress.SK);
  return {
    upTo: upTo <= now - markedAge + clockTolerance ? upTo : 0,
    open: marks.filter(({ cleared }) => cleared !== true).map(({ SK }) => SK),
    cleared: marks.filter(({ cleared }) => cleared === true).map(({ SK }) => SK),
  };
}

const unfinished = '#state = :pending OR (#state = :aborted AND attribute_not_exists(#cleared))';

/**
 * The batches that are not committed and never will be, whoever began them: of those that began half an hour ago or
 * earlier all which may have left something. Costs a unit where recovery runs.
 */
export async function listUnfinished(place: Place, now: number): Promise<Set<string>> {
  const { upTo, open, cleared } = await readMarks(place, now);
  const [marked, later] = await Promise.all([
    getRecords(place, open),
    upTo < now - decidedAge ? listRecords(place, upTo, now - decidedAge) : [],
  ]);
  const ids = [...marked.filter(({ state }) => state !== 'committed'), ...later].map(({ SK }) => SK);
  return new Set([...cleared, ...ids]);
}

/** The records of unfinished batches that began within a time, in milliseconds. */
function listRecords(place: Place, from: number, to: number): Promise<Item[]> {
  return select(place, from, to, {
    FilterExpression: unfinished,
    ExpressionAttributeNames: { '#state': 'state', '#cleared': 'cleared' },
    ExpressionAttributeValues: { ':pending': 'pending', ':aborted': 'aborted' },
  });
}

/** The records of batches that began at a time or later and are not finished, or committed and perhaps not folded. */
export function listOpenRecords(place: Place, from: number): Promise<Item[]> {
  return select(place, from, Number.MAX_SAFE_INTEGER, {
    FilterExpression: `${unfinished} OR (#state = :committed AND attribute_exists(#changed))`,
    ExpressionAttributeNames: { '#state': 'state', '#cleared': 'cleared', '#changed': 'changed' },
    ExpressionAttributeValues: { ':pending': 'pending', ':aborted': 'aborted', ':committed': 'committed' },
  });
}

/** The records of batches by their ids, as far as there are any. */
export async function getRecords(place: Place, ids: readonly string[]): Promise<Item[]> {
  const found: Item[] = [];
  for (let start = 0; start < ids.length; start += keysPerGet) {
    const keys = ids.slice(start, start + keysPerGet).map(batchKeys.record);
    found.push(...(await batchGet(place.client, place.tableName, keys)));
  }
  return found;
}

/** The record of a batch, if there is one. */
export async function getRecord({ client, tableName }: Place, batch: string): Promise<Item | undefined> {
  const key: Key = batchKeys.record(batch);
  const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true }));
  return Item as Item | undefined;
}

/** The items that a batch writes; undefined where that is not known. */
export async function listPlaces(place: Place, record: Item): Promise<Places | undefined> {
  const lists = record['lists'] === undefined ? [] : await query(place, partition(batchKeys.lists(record.SK)));
  return unpackPlaces(record, lists);
}

/** The items that a committed batch has changed, as far as that is known; those that its record has room for cost nothing. */
export async function listChanged(place: Place, record: Item): Promise<readonly Key[]> {
  return unpackChanged(record) ?? (await listPlaces(place, record))?.changed ?? [];
}

const partition = (pk: string): Question => ({
  KeyConditionExpression: 'PK = :pk',
  ExpressionAttributeValues: { ':pk': pk },
});

/** The records within a time that a filter lets through. */
async function select(
  place: Place,
  from: number,
  to: number,
  filter: Required<Pick<Question, 'FilterExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>>,
): Promise<Item[]> {
  const last = to === Number.MAX_SAFE_INTEGER ? '~' : leastBatchId(to);
  const found = await Promise.all(
    shards.map((shard) =>
      query(place, {
        ...filter,
        KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ...filter.ExpressionAttributeValues,
          ':pk': batchKeys.shard(shard),
          ':from': leastBatchId(from),
          ':to': last,
        },
      }),
    ),
  );
  return found.flat();
}

async function query({ client, tableName }: Place, question: Question): Promise<Item[]> {
  const found: Item[] = [];
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
    found.push(...((page.Items ?? []) as Item[]));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return found;
}
