import { randomUUID } from 'node:crypto';

import { afterEach, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';

import { log } from '../../lib/log.ts';
import { BatchLog } from '../../lib/store/batches/batches.ts';
import { writeAtomically } from '../../lib/store/batches/commit.ts';
import { Table } from '../../lib/store/batches/table.ts';
import { View } from '../../lib/store/batches/view.ts';
import type { Writer } from '../../lib/store/batches/writer.ts';
import { createClient } from '../../lib/store/items/client.ts';
import { QueryCommand } from '../../lib/store/items/commands.ts';
import type { Change, Insert, Plan } from '../../lib/store/items/plan.ts';
import { transactionConflict as conflictOfItem } from '../../local/engine/src/testing/faults.ts';
import { type Fault, type FaultyEngine, hangUp, newFaultyEngine, throttled } from '../support/faulty-engine.ts';
import { skipPauses } from '../support/pauses.ts';
import { ownEngine } from '../support/run.ts';

skipPauses();

let warnings: MockInstance;
let engine: FaultyEngine;
let writer: Writer;

beforeAll(async () => {
  const real = await ownEngine();
  engine = newFaultyEngine(real);
  const client = createClient(engine.client);
  writer = { client, tableName: real.tableName, batches: new BatchLog(client, real.tableName) };
});

beforeEach(() => {
  warnings = vi.spyOn(log, 'warn').mockReturnValue();
});

afterEach(() => {
  engine.injectFaults(() => undefined);
  warnings.mockRestore();
});

const conflict: Fault = { kind: 'refuse', error: conflictOfItem };
const table = () => new Table(writer.client, writer.tableName, new View(writer.batches));
const write = (plan: Plan) => writeAtomically(writer, () => Promise.resolve(plan));
const items = (pk: string) => Array.fromAsync(table().query({ pk, from: 'item', to: 'itez' }));

const inserts = (pk: string, count: number): Insert[] =>
  Array.from({ length: count }, (_value, index) => ({
    kind: 'insert',
    item: { PK: pk, SK: `item${index}` },
    onExists: () => new Error('exists'),
  }));
const grow = (pk: string, SK = 'counter'): Change => ({
  kind: 'change',
  key: { PK: pk, SK },
  patch: { add: { length: 30 } },
  onMismatch: () => new Error('missing'),
});

async function newPartition(...counters: string[]): Promise<string> {
  const pk = `TEST#${randomUUID()}`;
  for (const SK of counters) {
    await write([{ kind: 'insert', item: { PK: pk, SK, length: 0 }, onExists: () => new Error('exists') }]);
  }
  return pk;
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

/** Effect of a request on an item: folding is the only update there that removes something. */
const isFold = (operation: string, input: object, SK: string) =>
  ['UpdateItem', 'BatchExecuteStatement'].includes(operation) &&
  JSON.stringify(input).includes(`"${SK}"`) &&
  JSON.stringify(input).includes('REMOVE');

/** Has the first folds of an item fail. */
function failFolds(SK: string, count: number, fault: Fault): void {
  let seen = 0;
  engine.injectFaults((operation, input) => {
    if (!isFold(operation, input, SK)) return undefined;
    seen += 1;
    return seen <= count ? fault : undefined;
  });
}

describe('failures after the commit do not reach the caller', () => {
  it.each([
    ['meets a transaction once', 1, conflict],
    ['meets transactions all the time', Infinity, conflict],
    ['is throttled', Infinity, throttled],
    ['gets no answer', Infinity, hangUp],
  ])('where a fold %s', async (_text, count, fault) => {
    const pk = await newPartition('counter');
    failFolds('counter', count, fault);
    await write([...inserts(pk, 30), grow(pk)]);
    engine.injectFaults(() => undefined);
    expect(await items(pk)).toHaveLength(30);
    expect(await table().get({ PK: pk, SK: 'counter' })).toMatchObject({ length: 30 });
    expect(warnings).toHaveBeenCalledTimes(count === 1 ? 0 : 1);
  });

  it('and one failed request of 25 folds does not stop the others', async () => {
    const names = Array.from({ length: 40 }, (_value, index) => `counter${String(index).padStart(2, '0')}`);
    const pk = await newPartition(...names);
    failFolds('counter00', Infinity, throttled);
    await write(names.map((name) => grow(pk, name)));
    engine.injectFaults(() => undefined);
    const unfolded = (await raw(pk)).filter((item) => item['length'] === 0);
    expect(unfolded.map((item) => item['SK'])).toEqual(names.slice(0, 25));
  });
});

describe('failures after an abort do not hide the original error', () => {
  it.each([
    ['conflicts', conflict],
    ['throttling', throttled],
    ['broken connections', hangUp],
  ])('%s', async (_text, fault) => {
    const pk = await newPartition('item7', 'counter');
    engine.injectFaults((operation, input) =>
      operation === 'DeleteItem' || isFold(operation, input, 'counter') ? fault : undefined,
    );
    await expect(write([...inserts(pk, 30), grow(pk)])).rejects.toThrow('exists');
    engine.injectFaults(() => undefined);
    expect(await items(pk)).toHaveLength(1);
    expect(await table().get({ PK: pk, SK: 'counter' })).toMatchObject({ length: 0 });
  });
});
