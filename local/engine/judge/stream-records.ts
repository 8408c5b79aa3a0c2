import { setTimeout as sleep } from 'node:timers/promises';

import type { Difference } from './compare.ts';
import { compareValues } from './compare.ts';
import type { Endpoint } from './endpoint.ts';
import type { Engines } from './exchange.ts';
import { identify, normaliseValue } from './normalise.ts';
import type { Body, Touched } from './request.ts';

/** Consecutive empty answers after which an open shard counts as read. */
const maxEmptyAnswers = 3;

/** Changes of one item in order, by the JSON of its key. */
type Changes = Map<string, Body[]>;

/** A difference in the stream records of one item. */
export interface StreamDifference {
  readonly key: string;
  readonly differences: readonly Difference[];
}

/** The outcome of comparing a table's streams. */
export interface StreamComparison {
  /** Number of records of the right engine. */
  readonly records: number;
  readonly different: readonly StreamDifference[];
}

/**
 * Compares the records of a table's streams item by item, except for reconciled items.
 *
 * @param isKnown Whether a difference is intended.
 */
export async function compareStreams(
  { left, right }: Engines,
  tableName: string,
  reconciled: readonly Touched[],
  isKnown: (difference: Difference) => boolean,
): Promise<StreamComparison> {
  const [ours, theirs] = await Promise.all([readChanges(left, tableName), readChanges(right, tableName)]);
  const skipped = new Set(reconciled.filter(({ table }) => table === tableName).map(({ key }) => identify(key)));
  const keys = new Set([...ours.keys(), ...theirs.keys()]);
  const different: StreamDifference[] = [];
  for (const key of keys) {
    if (skipped.has(key)) continue;
    const differences = compareChanges(ours.get(key) ?? [], theirs.get(key) ?? [], isKnown);
    if (differences.length > 0) different.push({ key, differences });
  }
  return { records: [...theirs.values()].reduce((sum, { length }) => sum + length, 0), different };
}

/** Only the first differing record is reported; later ones follow from it. */
function compareChanges(
  left: readonly Body[],
  right: readonly Body[],
  isKnown: (difference: Difference) => boolean,
): Difference[] {
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const all = compareValues(`record ${index}`, left[index], right[index]);
    const differences = all.filter((difference) => !isKnown(difference));
    if (differences.length > 0) return differences;
  }
  return [];
}

async function readChanges(endpoint: Endpoint, tableName: string): Promise<Changes> {
  const ask = async (operation: string, body: Body) =>
    (await endpoint.send(operation, body, 'DynamoDBStreams_20120810')).body as Body;
  const described = (await endpoint.send('DescribeTable', { TableName: tableName })).body as { Table?: Body };
  const stream = { StreamArn: described.Table?.['LatestStreamArn'] };
  const changes: Changes = new Map();
  let after: Body = {};
  do {
    const answer = await ask('DescribeStream', { ...stream, ...after });
    const { Shards: shards = [], LastEvaluatedShardId: last } = (answer['StreamDescription'] ?? {}) as {
      Shards?: { ShardId: string }[];
      LastEvaluatedShardId?: string;
    };
    for (const { ShardId } of shards) {
      const start = { ...stream, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
      const { ShardIterator: iterator } = await ask('GetShardIterator', start);
      await readShard(ask, iterator, changes);
    }
    after = last === undefined ? {} : { ExclusiveStartShardId: last };
  } while (Object.keys(after).length > 0);
  return changes;
}

async function readShard(
  ask: (operation: string, body: Body) => Promise<Body>,
  start: unknown,
  changes: Changes,
): Promise<void> {
  let iterator = start;
  for (let empty = 0; empty < maxEmptyAnswers && typeof iterator === 'string';) {
    const { Records: records, NextShardIterator: next } = await ask('GetRecords', { ShardIterator: iterator });
    const found = Array.isArray(records) ? records : [];
    for (const record of found) addChange(changes, record as Body);
    empty = found.length === 0 ? empty + 1 : 0;
    if (empty > 0) await sleep(100);
    iterator = next;
  }
}

function addChange(changes: Changes, { eventName, dynamodb }: Body): void {
  const { Keys, OldImage, NewImage } = normaliseValue(dynamodb) as Body;
  const key = identify(Keys);
  const change = { eventName, Keys, OldImage, NewImage };
  const list = changes.get(key);
  if (list === undefined) changes.set(key, [change]);
  else list.push(change);
}
