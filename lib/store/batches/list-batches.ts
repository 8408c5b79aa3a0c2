import { chunksOf } from '../../chunks.ts';
import { batchGet, keysPerGet } from '../items/batch-get.ts';
import type { TableClient } from '../items/client.ts';
import { GetCommand, QueryCommand, type QueryCommandInput } from '../items/commands.ts';
import type { Item } from '../items/item.ts';
import { batchKeys, leastBatchId } from '../keys/batch-keys.ts';
import { type Key } from '../keys/key-parts.ts';
import { shards } from '../values/shards.ts';
import { decidedAgeMs, markedAgeMs, type WrittenKeys, unpackChangedKeys, unpackWrittenKeys } from './batch-record.ts';

type QueryParameters = Omit<QueryCommandInput, 'TableName'>;

/** Where the records are stored. */
export interface TableAccess {
  readonly client: TableClient;
  readonly tableName: string;
}

/** The marks of unfinished batches. */
export interface Marks {
  /** Each unfinished batch that began before this time has a mark; in milliseconds. */
  readonly upTo: number;
  /** The ids of batches that were unfinished when recovery last checked them. */
  readonly open: readonly string[];
  /** The ids of aborted batches that are cleaned up. */
  readonly cleared: readonly string[];
}

/** The tolerated clock skew between two machines. */
const clockToleranceMs = 600_000;

/** Reads the marks; an impossible time, written by a wrong clock, counts as none. */
export async function readMarks(access: TableAccess, now: number): Promise<Marks> {
  const items = await query(access, partition(batchKeys.marks));
  const upTo = Number(items.find(({ SK }) => SK === batchKeys.progress.SK)?.['upTo'] ?? 0);
  const marks = items.filter(({ SK }) => SK !== batchKeys.progress.SK);
  return {
    upTo: upTo <= now - markedAgeMs + clockToleranceMs ? upTo : 0,
    open: marks.filter(({ cleared }) => cleared !== true).map(({ SK }) => SK),
    cleared: marks.filter(({ cleared }) => cleared === true).map(({ SK }) => SK),
  };
}

const unfinished = '#state = :pending OR (#state = :aborted AND attribute_not_exists(#cleared))';

/**
 * All batches that began half an hour ago or earlier, are not committed and never will be, and may have writes in the table.
 * Costs one unit where recovery runs.
 */
export async function listUnfinished(access: TableAccess, now: number): Promise<Set<string>> {
  const { upTo, open, cleared } = await readMarks(access, now);
  const [marked, later] = await Promise.all([
    getRecords(access, open),
    upTo < now - decidedAgeMs ? listRecords(access, upTo, now - decidedAgeMs) : [],
  ]);
  const ids = [...marked.filter(({ state }) => state !== 'committed'), ...later].map(({ SK }) => SK);
  return new Set([...cleared, ...ids]);
}

/** The records of unfinished batches that began within a period, in milliseconds. */
function listRecords(access: TableAccess, from: number, to: number): Promise<Item[]> {
  return select(access, from, to, {
    FilterExpression: unfinished,
    ExpressionAttributeNames: { '#state': 'state', '#cleared': 'cleared' },
    ExpressionAttributeValues: { ':pending': 'pending', ':aborted': 'aborted' },
  });
}

/** The records of batches since a time that are unfinished, or committed and perhaps not folded. */
export function listOpenRecords(access: TableAccess, from: number): Promise<Item[]> {
  return select(access, from, Number.MAX_SAFE_INTEGER, {
    FilterExpression: `${unfinished} OR (#state = :committed AND attribute_exists(#changed))`,
    ExpressionAttributeNames: { '#state': 'state', '#cleared': 'cleared', '#changed': 'changed' },
    ExpressionAttributeValues: { ':pending': 'pending', ':aborted': 'aborted', ':committed': 'committed' },
  });
}

/** The existing records of batches, by id. */
export async function getRecords(access: TableAccess, ids: readonly string[]): Promise<Item[]> {
  const found: Item[] = [];
  for (const chunk of chunksOf(ids, keysPerGet)) {
    const keys = chunk.map(batchKeys.record);
    found.push(...(await batchGet(access.client, access.tableName, keys)));
  }
  return found;
}

/** The record of a batch, if there is one. */
export async function getRecord({ client, tableName }: TableAccess, batch: string): Promise<Item | undefined> {
  const key: Key = batchKeys.record(batch);
  const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true }));
  return Item as Item | undefined;
}

/** The keys that a batch writes; undefined where they are not known. */
export async function listWrittenKeys(access: TableAccess, record: Item): Promise<WrittenKeys | undefined> {
  const lists = record['lists'] === undefined ? [] : await query(access, partition(batchKeys.lists(record.SK)));
  return unpackWrittenKeys(record, lists);
}

/** The keys that a committed batch has changed, as far as they are known; no read if the record holds them. */
export async function listChanged(access: TableAccess, record: Item): Promise<readonly Key[]> {
  return unpackChangedKeys(record) ?? (await listWrittenKeys(access, record))?.changed ?? [];
}

const partition = (pk: string): QueryParameters => ({
  KeyConditionExpression: 'PK = :pk',
  ExpressionAttributeValues: { ':pk': pk },
});

/** The records of a period that match a filter. */
async function select(
  access: TableAccess,
  from: number,
  to: number,
  filter: Required<
    Pick<QueryParameters, 'FilterExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>
  >,
): Promise<Item[]> {
  const last = to === Number.MAX_SAFE_INTEGER ? '~' : leastBatchId(to);
  const found = await Promise.all(
    shards.map((shard) =>
      query(access, {
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

async function query({ client, tableName }: TableAccess, parameters: QueryParameters): Promise<Item[]> {
  const found: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        ...parameters,
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
