import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { clock } from '../../lib/clock.ts';
import { batchHorizonMs } from '../../lib/store/batches/batch-record.ts';
import { BatchLog } from '../../lib/store/batches/batches.ts';
import { writeAtomically } from '../../lib/store/batches/commit.ts';
import type { Writer } from '../../lib/store/batches/writer.ts';
import { DeleteCommand } from '../../lib/store/items/commands.ts';
import { type Item, stagedBatches } from '../../lib/store/items/item.ts';
import { type Change, Collision, LostRace } from '../../lib/store/items/plan.ts';
import { batchKeys } from '../../lib/store/keys/batch-keys.ts';
import {
  grow,
  inserts,
  newCounter,
  otherProcess,
  rawCounter,
  rawItems,
  table,
  UnfoldedLog,
  write,
  writer,
} from './counted-items.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('a decision that must not overlap with a bulk request', () => {
  /** Closes the counter at its present length, as long as nothing is under way. */
  const close = async (pk: string, by: Writer, betweenReadAndWrite: () => Promise<void> = async () => {}) => {
    let first = true;
    await writeAtomically(by, async () => {
      const item = (await table(by).get({ PK: pk, SK: 'counter' })) as Item;
      const [batch] = stagedBatches(item);
      if (batch !== undefined) throw new Collision(batch, item);
      if (first) await betweenReadAndWrite();
      first = false;
      const patch = { set: { open: false, closedAt: item['length'] } };
      const onMismatch = () => new LostRace('changed meanwhile');
      return [
        { kind: 'change', key: { PK: pk, SK: 'counter' }, patch, when: { open: true, rev: item['rev'] }, onMismatch },
      ];
    });
    return table(by).get({ PK: pk, SK: 'counter' });
  };
  const growCounted = (pk: string, by: number): Change => {
    const change = grow(pk, by, { open: true });
    return { ...change, patch: { add: { ...change.patch.add, rev: 1 } } };
  };

  it('notices a batch that began after its read', async () => {
    const pk = await newCounter();
    const bulk = otherProcess();
    const closed = await close(pk, otherProcess(), () => write([...inserts(pk, 40), growCounted(pk, 40)], bulk));
    expect(closed).toMatchObject({ open: false, length: 40, closedAt: 40 });
  });

  it('waits for a staged batch, and sees its changes', async () => {
    const pk = await newCounter();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    class SlowLog extends BatchLog {
      override async commit(id: string): Promise<void> {
        await released;
        await super.commit(id);
      }
    }
    const bulk = write([...inserts(pk, 40), growCounted(pk, 40)], otherProcess(SlowLog));
    while ((await rawItems(pk)).length < 40) await sleep(20);
    const closing = close(pk, otherProcess());
    await sleep(100);
    release();
    await bulk;
    expect(await closing).toMatchObject({ open: false, length: 40, closedAt: 40 });
  });

  it('is not blocked by a staged change whose batch record has expired', async () => {
    const pk = await newCounter();
    await write([...inserts(pk, 40), growCounted(pk, 40)], otherProcess(UnfoldedLog)).catch(() => undefined);
    const [batch = ''] = stagedBatches((await rawCounter(pk)) as Item);
    await forgetRecord(batch);
    vi.useFakeTimers({ toFake: ['Date'], now: clock.now() + 2 * batchHorizonMs });
    expect(await close(pk, otherProcess())).toMatchObject({ open: false, length: 40, closedAt: 40 });
  });
});

/** As its end of life does with the record of a batch. */
async function forgetRecord(batch: string): Promise<void> {
  await writer.client.send(new DeleteCommand({ TableName: writer.tableName, Key: batchKeys.record(batch) }));
}
