/**
 * Replaying the events of random operations from an empty state must reproduce the catalogue. `REPLAY_SEED` sets the seed.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { consumeChanges } from '../../lib/background/consume-changes.ts';
import { reactions } from '../../lib/background/reactions.ts';
import { runDueWork } from '../../lib/background/run-work.ts';
import { bootstrapRoot } from '../../lib/domain/accounts/bootstrap.ts';
import { makeAnnouncer } from '../../lib/domain/events/announce.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import { RucioError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/json.ts';
import { addScope } from '../../lib/operations/accounts/add-scope.ts';
import { setLimitOnRse } from '../../lib/operations/accounts/set-account-limits.ts';
import { addRse } from '../../lib/operations/rses/add-rse.ts';
import type { EventPlace } from '../../lib/store/entities/event-place.ts';
import { endOfEvents, listEvents } from '../../lib/store/entities/event.ts';
import { writerOf } from '../../lib/store/open-store.ts';
import { readStream } from '../../lib/store/stream/read-stream.ts';
import type { StreamRecord } from '../../lib/store/stream/record.ts';
import { findListFaults } from '../support/deletable-list.ts';
import { newStreamedTable, type StreamedTable } from '../support/stream.ts';
import { patience, volumeOf, seedFrom } from '../support/volume.ts';
import { type AnyChange, anyChange, perform, rseNames } from './changes.ts';
import { takeInventory } from './holdings.ts';
import { type Event, type Inventory, Replay } from './replay.ts';

const total = volumeOf('replayedChanges');
const seed = seedFrom('REPLAY_SEED');
const scopes = ['walk0', 'walk1', 'walk2', 'walk3'];
/** Operations between two runs of the background work. */
const stretch = 100;

const announcing = makeAnnouncer(() => undefined);
const others = reactions.filter(({ name }) => name !== announcing.name);
const beginning: EventPlace = { at: Date.now() - 60_000, index: -1 };

let streamed: StreamedTable;
let records: StreamRecord[];
let catalogue: Inventory;
let operations = 0;
let told = 0;

const at = (): Context => ({
  store: streamed.store.begin(),
  now: Date.now(),
  issuer: { account: 'root', identity: 'root' },
});

beforeAll(async () => {
  streamed = await newStreamedTable();
  await bootstrapRoot(streamed.store, { username: 'root', password: 'secret' });
  for (const rse of rseNames) {
    await addRse(at(), rse, {});
    await setLimitOnRse(at(), { account: 'root', rse, bytes: 1e12 });
  }
  for (const scope of scopes) await addScope(at(), { scope, account: 'root' });
  records = await follow();
  const histories = fc.array(anyChange, { minLength: stretch, maxLength: stretch, size: 'max' });
  for (let round = 0; told < total; round += 1) {
    const walks = fc.sample(histories, { numRuns: scopes.length, seed: seed + round });
    await Promise.all(scopes.map((scope, index) => walk(scope, walks[index] ?? [])));
    for (let tasks = 1; tasks > 0;) ({ tasks } = await runDueWork(at(), 10_000));
    records.push(...(await follow()));
  }
  for (let more = await follow(); more.length > 0; more = await follow()) records.push(...more);
  catalogue = await takeInventory(at(), scopes);
}, patience(600_000));

async function walk(scope: string, changes: readonly AnyChange[]): Promise<void> {
  for (const change of changes) {
    operations += 1;
    await perform(at(), scope, change).catch((error: unknown) => {
      if (!(error instanceof RucioError)) throw error;
    });
  }
}

/** Runs all reactions to changes but the events; answers the stream records. */
async function follow(): Promise<StreamRecord[]> {
  const found = await streamed.records();
  const { changes } = await readStream(writerOf(streamed.store), found);
  await consumeChanges(at(), changes, others);
  told += changes.filter(({ kind }) => announcing.kinds.includes(kind)).length;
  return found;
}

/** Delivers records to the event reaction a number of times, and replays the log from an empty state. */
async function replay(
  batches: readonly StreamRecord[][],
  from: EventPlace,
): Promise<{ replay: Replay; lines: number }> {
  for (const batch of batches) {
    const { changes } = await readStream(writerOf(streamed.store), batch);
    if (changes.length > 0) await announcing.run(at(), changes);
  }
  const listener = new Replay();
  let lines = 0;
  const end = (await endOfEvents(at().store.table)) as EventPlace;
  for await (const events of listEvents(at().store.table, from, end)) {
    for (const { text } of events) listener.hear(parseJson(text) as Event);
    lines += events.length;
  }
  return { replay: listener, lines };
}

function batchesOf(all: readonly StreamRecord[], sizes: () => number): StreamRecord[][] {
  const batches: StreamRecord[][] = [];
  for (let start = 0; start < all.length;) {
    const size = sizes();
    batches.push(all.slice(start, start + size));
    start += size;
  }
  return batches;
}

describe(`the events of ${total} random changes (REPLAY_SEED=${seed})`, () => {
  it('reproduce the catalogue', async () => {
    const { replay: listener, lines } = await replay(
      batchesOf(records, () => 1000),
      beginning,
    );
    expect(listener.inventory()).toEqual(catalogue);
    const counts = Array.from(listener.counts, (entry) => entry.join(' ')).toSorted((a, b) => (a < b ? -1 : 1));
    console.log(
      `${operations} operations, ${told} changes, ${lines} events, ${catalogue.length} things; ${counts.join(', ')}`,
    );
  });

  it('leave the list of what may be deleted in line with the replicas', async () => {
    expect(await findListFaults(at().store.table)).toEqual([]);
  });

  it('reproduce it in any batches and with every record delivered twice', async () => {
    const from = (await endOfEvents(at().store.table)) as EventPlace;
    const sizes = fc.sample(fc.integer({ min: 1, max: 400 }), { numRuns: 1000, seed });
    const batches = batchesOf(records, () => sizes.pop() ?? 100).flatMap((batch) => [batch, batch]);
    const { replay: listener, lines } = await replay(batches, from);
    expect(listener.inventory()).toEqual(catalogue);
    const once = [...listener.counts.values()].reduce((sum, count) => sum + count, 0);
    expect(lines).toBe(2 * once);
  });
});
