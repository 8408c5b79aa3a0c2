/**
 * `If-Match` with concurrent changes and with faults between function and table (docs/api.md, Changes on condition).
 */
import { randomUUID } from 'node:crypto';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import type { FaultyEngine } from '../support/faulty-engine.ts';
import { skipPauses } from '../support/pauses.ts';
import { type Instance, openInstances, type Sent } from './instances.ts';

skipPauses();

let engine: FaultyEngine;
let first: Instance;
let second: Instance;
beforeAll(async () => {
  ({ engine, first, second } = await openInstances());
});
afterEach(() => engine.injectFaults(() => undefined));
afterAll(() => vi.unstubAllEnvs());

const files = (count: number) =>
  Array.from({ length: count }, () => ({ scope: 'data', name: `f-${randomUUID()}`, bytes: 1 }));

/** A new dataset, and its ETag. */
async function newDataset(): Promise<{ path: string; tag: string }> {
  const path = `/dids/data/${randomUUID()}`;
  expect((await first({ group: 'dids', method: 'POST', path, body: { type: 'DATASET' } })).statusCode).toBe(201);
  return { path, tag: await tagOf(path) };
}

async function tagOf(path: string): Promise<string> {
  return String((await first({ group: 'dids', method: 'GET', path })).headers['ETag']);
}

const close = (path: string, tag: string): Sent => ({
  group: 'dids',
  method: 'PUT',
  path: `${path}/status`,
  body: { open: false },
  headers: { 'If-Match': tag },
});

const attach = (path: string, count: number, tag?: string): Sent => ({
  group: 'dids',
  method: 'POST',
  path: `${path}/dids`,
  body: { rse: 'ONE', dids: files(count) },
  ...(tag === undefined ? {} : { headers: { 'If-Match': tag } }),
});

describe('a conditional change', () => {
  it('is refused after a concurrent change between its read and its write', async () => {
    const { path, tag } = await newDataset();
    let other: Promise<unknown> | undefined;
    engine.injectFaults((operation) => {
      if (operation !== 'TransactWriteItems' || other !== undefined) return undefined;
      other = second(attach(path, 1));
      return { kind: 'delay', until: other };
    });
    const answer = await first(close(path, tag));
    expect([answer.statusCode, answer.headers['ExceptionClass']]).toEqual([412, 'PreconditionFailed']);
    const { body } = await first({ group: 'dids', method: 'GET', path });
    expect(JSON.parse(body)).toMatchObject({ open: true, length: 1 });
  });

  it('of many items is refused after a concurrent change between its first write and its last', async () => {
    const { path, tag } = await newDataset();
    let other: Promise<unknown> | undefined;
    engine.injectFaults((operation) => {
      if (operation !== 'TransactWriteItems' || other !== undefined) return undefined;
      other = second(attach(path, 1));
      return { kind: 'delay', until: other };
    });
    expect((await first(attach(path, 40, tag))).statusCode).toBe(412);
    const { body } = await first({ group: 'dids', method: 'GET', path });
    expect(JSON.parse(body)).toMatchObject({ length: 1, bytes: 1 });
  });

  it('is not refused because of its own success, when the answer was lost', async () => {
    const { path, tag } = await newDataset();
    let isLost = false;
    engine.injectFaults((operation) => {
      if (operation !== 'TransactWriteItems' || isLost) return undefined;
      isLost = true;
      return { kind: 'lose answer' };
    });
    expect((await first(close(path, tag))).statusCode).toBe(200);
    expect(isLost).toBe(true);
  });

  it('waits for a concurrent bulk request on the same item, and is then refused', async () => {
    const { path } = await newDataset();
    const staged = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    engine.injectFaults((operation, input) => {
      if (!/^(UpdateItem|TransactWriteItems)$/.test(operation) || !JSON.stringify(input).includes('"committed"'))
        return;
      staged.resolve();
      return { kind: 'delay', until: goOn.promise };
    });
    const bulk = second(attach(path, 40));
    await staged.promise;
    // The tag from before the bulk request, although that has already marked the item.
    const closing = first(close(path, await tagOf(path)));
    goOn.resolve();
    expect((await bulk).statusCode).toBe(201);
    expect((await closing).statusCode).toBe(412);
  });
});
