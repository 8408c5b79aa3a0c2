import { beforeEach, describe, expect, it } from 'vitest';

import { BatchLog } from '../../lib/store/batches/batches.ts';
import { writeQueuesOf } from '../../lib/store/batches/write-queues.ts';
import type { Writer } from '../../lib/store/batches/writer.ts';
import { type FaultyEngine, throttled } from '../support/faulty-engine.ts';
import { skipPauses } from '../support/pauses.ts';
import {
  grow,
  inserts,
  lengthOf,
  newCounter,
  newLine,
  otherProcess,
  rawCounter,
  UnfoldedLog,
  write,
} from './counted-items.ts';

skipPauses();

const many = 5;
const bulk = 11;

let pk: string;
let line: FaultyEngine;
let writer: Writer;
/** Requests that changed the counter. */
let changes: string[];

beforeEach(async () => {
  pk = await newCounter();
  line = newLine();
  writer = otherProcess(BatchLog, line.client);
  changes = [];
  line.injectFaults((operation, input) => {
    if (changesCounter(operation, input)) changes.push(operation);
    return undefined;
  });
});

const changesCounter = (operation: string, input: object) =>
  ['UpdateItem', 'BatchExecuteStatement'].includes(operation) && JSON.stringify(input).includes('"counter"');

const isFold = (operation: string, input: object) =>
  changesCounter(operation, input) && JSON.stringify(input).includes('REMOVE');

/** Leaves changes of writers that ended after their commits. */
async function leaveChanges(): Promise<void> {
  for (let index = 0; index < many; index += 1) {
    const dying = write([...inserts(pk, bulk, index * bulk), grow(pk, 1)], otherProcess(UnfoldedLog));
    await expect(dying).rejects.toThrow('killed');
  }
}

const writeOne = (by = writer) => write([...inserts(pk, bulk, many * bulk), grow(pk, 1)], by);
const heat = () => writeQueuesOf(writer.client).markContended({ PK: pk, SK: 'counter' });
const waiting = async () => Object.keys((await rawCounter(pk)) ?? {}).filter((name) => name.startsWith('~')).length;

describe('an item that many batches change concurrently', () => {
  it('has all committed changes folded by one write', async () => {
    await leaveChanges();
    heat();
    await writeOne();
    expect(changes).toHaveLength(2);
    expect(await rawCounter(pk)).toMatchObject({ length: many + 1 });
    expect(await waiting()).toBe(0);
  });

  it('keeps uncommitted changes staged', async () => {
    const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
    const slow = newLine();
    const { promise: staged, resolve: isStaged } = Promise.withResolvers<void>();
    slow.injectFaults((operation, input) => {
      if (operation !== 'UpdateItem' || !JSON.stringify(input).includes('committed')) return undefined;
      isStaged();
      return { kind: 'delay', until };
    });
    const other = write([...inserts(pk, bulk), grow(pk, 1)], otherProcess(BatchLog, slow.client));
    await staged;
    heat();
    await writeOne();
    expect(await rawCounter(pk)).toMatchObject({ length: 1 });
    expect(await waiting()).toBe(1);
    goOn();
    await other;
    expect(await rawCounter(pk)).toMatchObject({ length: 2 });
  });

  it('needs no write if another process has folded the change', async () => {
    heat();
    let isFirst = true;
    line.injectFaults((operation, input) => {
      if (!isFold(operation, input) || !isFirst) return undefined;
      isFirst = false;
      return { kind: 'lose answer' };
    });
    await writeOne();
    expect(await rawCounter(pk)).toMatchObject({ length: 1 });
    expect(await waiting()).toBe(0);
  });

  it('is folded later if the table throttles, without an error', async () => {
    heat();
    let refused = 0;
    line.injectFaults((operation, input) => {
      if (!isFold(operation, input) || refused >= 3) return undefined;
      refused += 1;
      return throttled;
    });
    await writeOne();
    expect(refused).toBe(3);
    expect(await lengthOf(pk, otherProcess())).toBe(1);
    expect(await waiting()).toBe(0);
  });

  it('is gone from the table when a batch has deleted it', async () => {
    heat();
    await write([...inserts(pk, bulk), { ...grow(pk, 1), patch: { delete: true } }], writer);
    expect(await rawCounter(pk)).toBeUndefined();
  });

  it('keeps the order of set values, which are folded one by one', async () => {
    await leaveChanges();
    heat();
    const set = { ...grow(pk, 1), patch: { set: { colour: 'red' } } };
    await write([...inserts(pk, bulk, many * bulk), set], writer);
    expect(await rawCounter(pk)).toMatchObject({ colour: 'red' });
    expect(await lengthOf(pk, otherProcess())).toBe(many);
  });
});
