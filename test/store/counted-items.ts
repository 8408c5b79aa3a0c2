import { randomUUID } from 'node:crypto';

import { BatchLog } from '../../lib/store/batches/batches.ts';
import { writeAtomically } from '../../lib/store/batches/commit.ts';
import { Table } from '../../lib/store/batches/table.ts';
import { View } from '../../lib/store/batches/view.ts';
import type { Writer } from '../../lib/store/batches/writer.ts';
import { type ClientOptions, createClient } from '../../lib/store/items/client.ts';
import { QueryCommand } from '../../lib/store/items/commands.ts';
import type { Item } from '../../lib/store/items/item.ts';
import type { Change, Insert, Plan } from '../../lib/store/items/plan.ts';
import { type FaultyEngine, newFaultyEngine } from '../support/faulty-engine.ts';
import { ownEngine } from '../support/run.ts';
import { newTestStore } from '../support/store.ts';

/*
 * Partitions that hold items and a counter of them. They lie in a table of the test file's own: what is recovered in
 * one file would give up what another is about to commit.
 */

const { table: ownTable } = await newTestStore();
const engine = await ownEngine();

/** The engine behind the table. */
export const transport = engine.transport;

/** A line to the engine of its own, on which things can go wrong. */
export const newLine = (): FaultyEngine => newFaultyEngine(engine);

/** A writer in a process of its own: it remembers nothing of the others. */
export function otherProcess(Log: typeof BatchLog = BatchLog, options: ClientOptions = engine.client): Writer {
  const client = createClient(options);
  return { client, tableName: ownTable.name, batches: new Log(client, ownTable.name) };
}

/** The writer of this process. */
export const writer = otherProcess();

/** A writer whose process ends between the commit and the folding of its changes. */
export class UnfoldedLog extends BatchLog {
  override async commit(id: string): Promise<void> {
    await super.commit(id);
    throw new Error('killed');
  }
  override abort(): Promise<boolean> {
    throw new Error('killed');
  }
}

/** The present view of a writer's process on the table. */
export const table = (by: Writer = writer) => new Table(by.client, by.tableName, new View(by.batches));
/** Carries a plan out. */
export const write = (plan: Plan, by: Writer = writer) => writeAtomically(by, () => Promise.resolve(plan));

/** The items of a partition from a number on; none may be there. */
export function inserts(pk: string, count: number, from = 0): Insert[] {
  return Array.from({ length: count }, (_value, index) => ({
    kind: 'insert',
    item: { PK: pk, SK: `item${String(from + index).padStart(6, '0')}`, value: index },
    onExists: ({ SK }) => new Error(`exists: ${SK}`),
  }));
}

/** The change of a counter by an amount, if the counter is there and as it has to be. */
export const grow = (pk: string, by: number, when?: Change['when']): Change => ({
  kind: 'change',
  key: { PK: pk, SK: 'counter' },
  patch: { add: { length: by } },
  ...(when === undefined ? {} : { when }),
  onMismatch: (found) => new Error(found === undefined ? 'missing' : 'mismatch'),
});

/** The items that a writer's process sees. */
export async function items(pk: string, by: Writer = writer): Promise<Item[]> {
  return Array.fromAsync(table(by).query({ pk, from: 'item', to: 'itez' }));
}

/** Value of the counter of a partition. */
export const lengthOf = async (pk: string, by: Writer = writer) =>
  (await table(by).get({ PK: pk, SK: 'counter' }))?.['length'];

/** Makes a partition with a counter and no items. */
export async function newCounter(): Promise<string> {
  const pk = `TEST#${randomUUID()}`;
  await write([
    { kind: 'insert', item: { PK: pk, SK: 'counter', length: 0, open: true }, onExists: () => new Error() },
  ]);
  return pk;
}

/** The items that lie in the table, seen or not. */
export async function rawItems(pk: string): Promise<unknown[]> {
  return (await raw(pk)).filter((item) => String(item['SK']).startsWith('item'));
}

/** The counter as it lies in the table. */
export async function rawCounter(pk: string): Promise<Record<string, unknown> | undefined> {
  return (await raw(pk)).find((item) => item['SK'] === 'counter');
}

async function raw(pk: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await writer.client.send(
    new QueryCommand({
      TableName: writer.tableName,
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    }),
  );
  return Items;
}
