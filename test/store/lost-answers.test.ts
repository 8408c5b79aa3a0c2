import { randomUUID } from 'node:crypto';

import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { BatchLog } from '../../lib/store/batches/batches.ts';
import { writeAtomically } from '../../lib/store/batches/commit.ts';
import { Table } from '../../lib/store/batches/table.ts';
import { View } from '../../lib/store/batches/view.ts';
import type { Writer } from '../../lib/store/batches/writer.ts';
import { createClient } from '../../lib/store/items/client.ts';
import type { Change, Insert, Plan, Write } from '../../lib/store/items/plan.ts';
import {
  type Fault,
  type FaultyEngine,
  hangUp,
  newFaultyEngine,
  throttled,
  transactionConflict,
} from '../support/faulty-engine.ts';
import { skipPauses } from '../support/pauses.ts';
import { ownEngine } from '../support/run.ts';

skipPauses();

let engine: FaultyEngine;
let writer: Writer;

beforeAll(async () => {
  const real = await ownEngine();
  engine = newFaultyEngine(real);
  const client = createClient(engine.client);
  writer = { client, tableName: real.tableName, batches: new BatchLog(client, real.tableName) };
});

afterEach(() => engine.injectFaults(() => undefined));

const table = () => new Table(writer.client, writer.tableName, new View(writer.batches));
const write = (plan: Plan) => writeAtomically(writer, () => Promise.resolve(plan));
const get = (PK: string, SK = 'item0') => table().get({ PK, SK });

const insert = (PK: string, SK = 'item0'): Insert => ({
  kind: 'insert',
  item: { PK, SK, open: true, rev: 0 },
  onExists: () => new Error('exists'),
});
const change = (PK: string, patch: Change['patch'], when: Change['when'] = {}, SK = 'item0'): Change => ({
  kind: 'change',
  key: { PK, SK },
  patch,
  when,
  onMismatch: (existing) => new Error(existing === undefined ? 'missing' : 'mismatch'),
});
const newPartition = () => `TEST#${randomUUID()}`;

/** Has the answer to the first request of an operation get lost, and others write before it is repeated. */
function loseFirst(operation: string, meanwhile?: () => Promise<void>): () => number {
  let seen = 0;
  engine.injectFaults((name) => {
    if (name !== operation) return undefined;
    seen += 1;
    if (seen === 1) return { kind: 'lose answer' };
    return seen === 2 && meanwhile !== undefined ? { kind: 'delay', until: meanwhile() } : undefined;
  });
  return () => seen;
}

describe('a write whose answer was lost takes effect exactly once', () => {
  const close: Change['patch'] = { set: { open: false }, add: { rev: 1 } };

  it.each<[string, string, (pk: string) => Write, object | undefined]>([
    ['a conditional change', 'UpdateItem', (pk) => change(pk, close, { open: true }), { open: false, rev: 1 }],
    [
      'an addition without a condition',
      'TransactWriteItems',
      (pk) => change(pk, { add: { length: 3, rev: 1 } }),
      { open: true, rev: 1, length: 3 },
    ],
    ['a deletion', 'DeleteItem', (pk) => change(pk, { delete: true }, { open: true }), undefined],
  ])('%s', async (_text, operation, make, left) => {
    const pk = newPartition();
    await write([insert(pk)]);
    const seen = loseFirst(operation);
    await write([make(pk)]);
    expect(seen()).toBe(2);
    expect(await get(pk)).toEqual(left === undefined ? undefined : { PK: pk, SK: 'item0', ...left });
  });

  it('an insert, also if another writer changes the item before the repeat', async () => {
    const pk = newPartition();
    const other = createClient(await ownEngine().then(({ client }) => client));
    const others = { ...writer, client: other };
    const transaction: Plan = [change(pk, { set: { open: false } }), insert(pk, 'item1')];
    loseFirst('PutItem', () => writeAtomically(others, () => Promise.resolve(transaction)));
    await write([insert(pk)]);
    expect(await get(pk)).toEqual({ PK: pk, SK: 'item0', open: false, rev: 0 });
  });

  /** Closes an item; the first attempt meets a fault, and another writer closes the item before the second. */
  async function closeBesideAnother(pk: string, fault: Fault): Promise<void> {
    const others = { ...writer, client: createClient((await ownEngine()).client) };
    await write([insert(pk)]);
    let seen = 0;
    engine.injectFaults((name) => {
      if (name !== 'UpdateItem') return undefined;
      seen += 1;
      if (seen === 1) return fault;
      return { kind: 'delay', until: writeAtomically(others, () => Promise.resolve([change(pk, close)])) };
    });
    await write([change(pk, close, { open: true })]);
  }

  it.each<[string, Fault, number]>([
    ['its request was lost, and another one came first', hangUp, 1],
    ['another write has hidden its effect before the repeat', { kind: 'lose answer' }, 2],
  ])('is answered 503 if %s: neither is known', async (_text, fault, rev) => {
    const pk = newPartition();
    await expect(closeBesideAnother(pk, fault)).rejects.toMatchObject({ name: 'DatabaseException' });
    expect(await get(pk)).toMatchObject({ open: false, rev });
  });

  it('is refused if its request was throttled, and another one came first', async () => {
    await expect(closeBesideAnother(newPartition(), throttled)).rejects.toThrow('mismatch');
  });

  it.each([
    ['change', { set: { open: false }, add: { rev: 1 } }],
    ['deletion', { delete: true }],
  ])('a staged %s, which is planned again', async (_text, patch: Change['patch']) => {
    const pk = newPartition();
    const names = Array.from({ length: 20 }, (_value, index) => `item${index}`);
    await write(names.map((SK) => insert(pk, SK)));
    let requests = 0;
    let lost = false;
    engine.injectFaults((operation, input) => {
      if (operation === 'PutItem' || !JSON.stringify(input).includes('"item7"')) return undefined;
      requests += 1;
      if (lost) return undefined;
      lost = true;
      return { kind: 'lose answer' };
    });
    await writeAtomically(writer, async () => {
      const items = await Array.fromAsync(table().query({ pk }));
      return items.map(({ SK, rev }) => change(pk, patch, { rev }, SK));
    });
    // Staged twice and taken back; then staged and folded.
    expect(requests).toBe(5);
    const left = await Array.fromAsync(table().query({ pk }));
    expect(left.map(({ open }) => open)).toEqual(patch.delete === true ? [] : names.map(() => false));
  });
});

describe('a transaction whose answer was lost', () => {
  it('takes effect exactly once, although its repeat conflicts with another writer', async () => {
    const pk = newPartition();
    let seen = 0;
    engine.injectFaults((name) => {
      if (name !== 'TransactWriteItems') return undefined;
      seen += 1;
      if (seen === 1) return { kind: 'lose answer' };
      return seen <= 3 ? transactionConflict : undefined;
    });
    await write([insert(pk, 'item0'), insert(pk, 'item1')]);
    expect(seen).toBe(4);
    expect(await get(pk, 'item1')).toMatchObject({ open: true, rev: 0 });
  });

  it('is not reported as failed while that is unknown', async () => {
    const pk = newPartition();
    let seen = 0;
    engine.injectFaults((name) => {
      if (name !== 'TransactWriteItems') return undefined;
      seen += 1;
      return seen === 1 ? { kind: 'lose answer' } : transactionConflict;
    });
    await expect(write([insert(pk, 'item0'), insert(pk, 'item1')])).rejects.toMatchObject({
      name: 'DatabaseException',
    });
    expect(await get(pk, 'item1')).toMatchObject({ open: true, rev: 0 });
  });
});
