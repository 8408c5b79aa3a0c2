import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { getHealth } from '../../../lib/operations/ping/get-health.ts';
import { openStore, type Store } from '../../../lib/store/open-store.ts';
import { type FaultyEngine, hangUp, newFaultyEngine } from '../../support/faulty-engine.ts';
import { passTime } from '../../support/pass-time.ts';
import { skipPauses } from '../../support/pauses.ts';
import { ownEngine } from '../../support/run.ts';

skipPauses();

let engine: FaultyEngine;
let store: Store;
let reads = 0;
let isDown = false;

beforeAll(async () => {
  const real = await ownEngine();
  engine = newFaultyEngine(real);
  store = openStore({ ...engine.client, tableName: real.tableName });
});

afterEach(() => passTime(2_000));

const ask = () => getHealth({ store, now: 0 });

function count(): void {
  [reads, isDown] = [0, false];
  engine.injectFaults((name) => {
    if (name === 'GetItem') reads += 1;
    return isDown ? hangUp : undefined;
  });
}

describe('the check for monitors', () => {
  it('reads the table once a second, however many ask', async () => {
    count();
    for (const answer of await Promise.all(Array.from({ length: 50 }, ask))) expect(answer).toEqual({ status: 'ok' });
    await ask();
    expect(reads).toBe(1);
    passTime(1_100);
    await ask();
    expect(reads).toBe(2);
  });

  it('answers 503 while the table does not answer, and reads no more often then', async () => {
    count();
    isDown = true;
    await expect(ask()).rejects.toMatchObject({ name: 'DatabaseException', status: 503 });
    const readsOfOne = reads;
    await Promise.all(Array.from({ length: 50 }, () => expect(ask()).rejects.toMatchObject({ status: 503 })));
    expect(reads).toBe(readsOfOne);
    isDown = false;
    passTime(1_100);
    expect(await ask()).toEqual({ status: 'ok' });
  });
});
