import { randomBytes } from 'node:crypto';

import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { clock } from '../../lib/clock.ts';
import { batchDeadlineMs, maxBatchMs } from '../../lib/store/batches/batch-record.ts';
import { BatchLog } from '../../lib/store/batches/batches.ts';
import { writeAtomically } from '../../lib/store/batches/commit.ts';
import { getRecord, listWrittenKeys } from '../../lib/store/batches/list-batches.ts';
import { recover } from '../../lib/store/batches/recover.ts';
import { Table } from '../../lib/store/batches/table.ts';
import { View } from '../../lib/store/batches/view.ts';
import type { Writer } from '../../lib/store/batches/writer.ts';
import { createClient } from '../../lib/store/items/client.ts';
import { itemSize } from '../../lib/store/items/item-size.ts';
import type { Item } from '../../lib/store/items/item.ts';
import { measure } from '../../lib/store/items/meter.ts';
import type { Insert, Plan } from '../../lib/store/items/plan.ts';
import { type Key, textOfKey } from '../../lib/store/keys/key-parts.ts';
import { ownEngine } from '../support/run.ts';
import { newTestStore } from '../support/store.ts';

let writer: Writer;
beforeAll(async () => {
  const { table } = await newTestStore();
  const client = createClient((await ownEngine()).client);
  writer = { client, tableName: table.name, batches: new BatchLog(client, table.name) };
});

const table = () => new Table(writer.client, writer.tableName, new View(writer.batches));
const write = (plan: Plan) => writeAtomically(writer, () => Promise.resolve(plan));
const insert = (PK: string, SK: string, content: object = {}): Insert => ({
  kind: 'insert',
  item: { PK, SK, ...content },
  onExists: ({ SK: existing }) => new Error(`exists: ${existing}`),
});
const inserts = (pk: string, count: number, content?: object) =>
  Array.from({ length: count }, (_value, index) => insert(pk, `item${String(index).padStart(6, '0')}`, content));

describe('a bulk request of very many writes', () => {
  it.each([3, 100, 2_000])(
    'names all %i items that it writes, also where they do not fit into a record',
    async (count) => {
      const keys = Array.from({ length: count }, (_value, index) => {
        const name = randomBytes(120).toString('base64url');
        return { PK: `PARTITION#${index % 7}#${name}`, SK: `${name}#${index}` };
      });
      const batch = await writer.batches.begin(keys, keys.slice(1));
      const record = await getRecord(writer, batch);
      const places = await listWrittenKeys(writer, record as Item);
      const sorted = (list: readonly Key[] = []) => list.map(textOfKey).toSorted();
      expect(sorted(places?.inserted)).toEqual(sorted(keys));
      expect(sorted(places?.changed)).toEqual(sorted(keys.slice(1)));
      expect(itemSize(record as Item)).toBeLessThan(1_000);
      await writer.batches.abort(batch);
      await writer.batches.recordCleared(batch);
    },
  );

  it('is not read by recovery once its changes are folded', async () => {
    const pk = 'MANY';
    await write(inserts(pk, 150, { value: 1 }));
    const changes = inserts(pk, 150).map(({ item: { PK, SK } }) => ({
      kind: 'change' as const,
      key: { PK, SK },
      patch: { set: { value: 2 } },
      onMismatch: () => new Error('missing'),
    }));
    const { cost: writing } = await measure(() => write(changes));
    expect(writing.requests).toBe(1 + 150 / 25 + 1 + 150 / 25 + 1);
    vi.useFakeTimers({ toFake: ['Date'], now: clock.now() + 60_000 });
    const { cost } = await measure(() => recover(writer, false));
    vi.useRealTimers();
    expect(cost.requests).toBeLessThan(20);
    const values = (await Array.fromAsync(table().query({ pk }))).map(({ value }) => value);
    expect(values).toEqual(Array.from({ length: 150 }, () => 2));
  });
});

describe('a bulk request that takes long', () => {
  /** Holds the commit up until it is let go. */
  class SlowLog extends BatchLog {
    readonly staged = Promise.withResolvers<string>();
    readonly release = Promise.withResolvers<void>();
    /** Resolves when the last renewal has been answered. */
    renewed: Promise<unknown> = Promise.resolve();
    override renew(id: string): Promise<void> {
      const renewal = super.renew(id);
      this.renewed = Promise.allSettled([renewal]);
      return renewal;
    }
    override async commit(id: string): Promise<void> {
      this.staged.resolve(id);
      await this.release.promise;
      await super.commit(id);
    }
  }
  const slowly = (pk: string) => {
    const batches = new SlowLog(writer.client, writer.tableName);
    const done = writeAtomically({ ...writer, batches }, () => Promise.resolve(inserts(pk, 20)));
    done.catch(() => {});
    return { batches, done };
  };
  const wait = async (milliseconds: number, batches: SlowLog) => {
    for (let passed = 0; passed < milliseconds; passed += 10_000) {
      await vi.advanceTimersByTimeAsync(10_000);
      await batches.renewed;
    }
  };
  beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }));
  afterEach(() => vi.useRealTimers());

  it('is not aborted while its writer lives', async () => {
    const { batches, done } = slowly('SLOW');
    await batches.staged.promise;
    await wait(5 * 60_000, batches);
    expect(await recover(writer, false)).toBe(0);
    batches.release.resolve();
    await done;
    expect(await Array.fromAsync(table().query({ pk: 'SLOW' }))).toHaveLength(20);
  });

  it('is aborted after the longest duration', async () => {
    const { batches, done } = slowly('ENDLESS');
    await batches.staged.promise;
    await wait(maxBatchMs + 2 * batchDeadlineMs, batches);
    expect(await recover(writer, false)).toBe(1);
    batches.release.resolve();
    await expect(done).rejects.toMatchObject({ name: 'DatabaseException', status: 503 });
    expect(await Array.fromAsync(table().query({ pk: 'ENDLESS' }))).toEqual([]);
  });
});

describe('an item of a bulk request with very many attributes', () => {
  const attributes = Object.fromEntries(
    Array.from({ length: 600 }, (_value, index) => [`attribute '${index}' \\ "é" \n ?`, index]),
  );

  it('is inserted among small ones', async () => {
    const pk = 'WIDE';
    await write([...inserts(pk, 20), insert(pk, 'wide', attributes)]);
    expect(await table().get({ PK: pk, SK: 'wide' })).toMatchObject(attributes);
    expect(await Array.fromAsync(table().query({ pk }))).toHaveLength(21);
  });

  it('that exists already fails the request, which leaves no writes', async () => {
    const pk = 'TAKEN';
    await write([insert(pk, 'wide')]);
    await expect(write([...inserts(pk, 20), insert(pk, 'wide', attributes)])).rejects.toThrow('exists: wide');
    expect(await Array.fromAsync(table().query({ pk }))).toHaveLength(1);
  });

  it('is removed when its request is aborted', async () => {
    const pk = 'GONE';
    await write([insert(pk, 'item000007')]);
    await expect(write([...inserts(pk, 20), insert(pk, 'wide', attributes)])).rejects.toThrow('exists: item000007');
    expect(await table().get({ PK: pk, SK: 'wide' })).toBeUndefined();
  });

  it.each([1, 600])('and more than 400 KB in %i attributes is 413', async (count) => {
    const text = 'x'.repeat(450_000 / count);
    const large = Object.fromEntries(Array.from({ length: count }, (_value, index) => [`a${index}`, text]));
    const pk = `LARGE${count}`;
    await expect(write([...inserts(pk, 20), insert(pk, 'large', large)])).rejects.toMatchObject({
      name: 'PayloadTooLarge',
    });
    expect(await Array.fromAsync(table().query({ pk }))).toEqual([]);
  });
});
