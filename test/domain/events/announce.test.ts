import { randomBytes } from 'node:crypto';

import { beforeAll, describe, expect, it } from 'vitest';

import type { CatalogueEvent } from '../../../lib/contract/schemas/event.ts';
import { makeAnnouncer } from '../../../lib/domain/events/announce.ts';
import { eventsOf } from '../../../lib/domain/events/events-of.ts';
import { unavailable } from '../../../lib/errors.ts';
import { insertDid, type NewDid } from '../../../lib/store/entities/did.ts';
import type { EventPlace } from '../../../lib/store/entities/event-place.ts';
import { endOfEvents, splitIntoEntries, listEvents } from '../../../lib/store/entities/event.ts';
import type { BusEvent } from '../../../lib/store/event-bus.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { LostRace } from '../../../lib/store/items/plan.ts';
import { type Store, writerOf } from '../../../lib/store/open-store.ts';
import type { TableChange } from '../../../lib/store/stream/change.ts';
import { readStream } from '../../../lib/store/stream/read-stream.ts';
import { newStreamedTable, type StreamedTable } from '../../support/stream.ts';

let streamed: StreamedTable;
let changes: readonly TableChange[];
const beginning: EventPlace = { at: Date.now() - 3_600_000, index: -1 };

const dataset = (name: string): NewDid => ({
  scope: 'data',
  name,
  type: 'DATASET',
  account: 'root',
  open: true,
  createdAt: 1,
  updatedAt: 1,
  columns: {},
  meta: {},
});
const names = Array.from({ length: 100 }, (_value, index) => `d${index}`);
const exists = () => new Error('exists');

beforeAll(async () => {
  streamed = await newStreamedTable();
  for (const name of names) await streamed.store.write(async () => [insertDid(dataset(name), exists)]);
  ({ changes } = await readStream(writerOf(streamed.store), await streamed.records()));
});

const context = () => ({ store: streamed.store.begin(), now: Date.now() });
const table = () => streamed.store.begin().table;
const textsAfter = async (place: EventPlace) => {
  const end = (await endOfEvents(table())) as EventPlace;
  return (await Array.fromAsync(listEvents(table(), place, end))).flat().map(({ text }) => text);
};

describe('announce', () => {
  it('appends the events of a batch to the log, in order, a hundred for a few units', async () => {
    const { cost } = await measure(() => makeAnnouncer(() => undefined).run(context(), changes));
    const wanted = (await eventsOf(table(), changes)).map((event) => JSON.stringify(event));
    expect(wanted).toHaveLength(100);
    expect(await textsAfter(beginning)).toEqual(wanted);
    // The head and an entry of less than 5 KB, in a transaction.
    expect(cost.wru).toBeLessThanOrEqual(12);
  });

  it('loses no entry of concurrent writers, and orders them', async () => {
    const before = (await endOfEvents(table())) as EventPlace;
    const log = makeAnnouncer(() => undefined);
    await Promise.all(changes.slice(0, 8).map((change) => log.run(context(), [change])));
    const end = (await endOfEvents(table())) as EventPlace;
    const entries = await Array.fromAsync(listEvents(table(), before, end));
    expect(new Set(entries.flat().map(({ text }) => (JSON.parse(text) as { subject: string }).subject)).size).toBe(8);
    expect(new Set(entries.flat().map(({ place }) => place.at)).size).toBe(8);
  });

  it('continues in the middle of an entry', async () => {
    const end = (await endOfEvents(table())) as EventPlace;
    await makeAnnouncer(() => undefined).run(context(), changes);
    const [all = []] = await Array.fromAsync(listEvents(table(), end, (await endOfEvents(table())) as EventPlace));
    const rest = await textsAfter(all[96]?.place as EventPlace);
    expect(rest).toEqual(all.slice(97).map(({ text }) => text));
  });

  it('sends the same events to the bus first: a failure of the bus keeps them out of the log', async () => {
    const taken: BusEvent[] = [];
    const bus = async (events: readonly BusEvent[]) => void taken.push(...events);
    const before = (await endOfEvents(table())) as EventPlace;
    await makeAnnouncer(() => bus).run(context(), changes.slice(0, 3));
    expect(taken.map(({ text }) => text)).toEqual(await textsAfter(before));
    const after = await endOfEvents(table());
    const broken = makeAnnouncer(() => () => Promise.reject(new Error('the bus takes nothing')));
    await expect(broken.run(context(), changes)).rejects.toThrow('the bus takes nothing');
    expect(await endOfEvents(table())).toEqual(after);
  });

  it('retries after conflicts with other writers of the log, and fails at once for any other reason', async () => {
    const turns = (causes: readonly Error[]): Store => {
      const waiting = [...causes];
      const own = streamed.store.begin();
      return {
        ...own,
        write: async (plan, options) => {
          const cause = waiting.shift();
          if (cause !== undefined) throw unavailable(cause);
          await own.write(plan, options);
        },
      };
    };
    const before = (await endOfEvents(table())) as EventPlace;
    const crowded = Array.from({ length: 3 }, () => new LostRace('another entry was added'));
    const log = makeAnnouncer(() => undefined);
    await log.run({ store: turns(crowded), now: Date.now() }, changes.slice(0, 1));
    expect(await textsAfter(before)).toHaveLength(1);
    const broken = log.run({ store: turns([new Error('throttled')]), now: Date.now() }, changes.slice(0, 1));
    await expect(broken).rejects.toThrow('too many requests');
  });

  it('leaves out the data of an event that is too large for the bus, and nothing else', async () => {
    const [change] = changes as [TableChange & { kind: 'did' }];
    const huge = { ...change, before: change.after, after: { ...change.after, meta: { text: 'x'.repeat(300_000) } } };
    const taken: BusEvent[] = [];
    await makeAnnouncer(() => async (events) => void taken.push(...events)).run(context(), [huge as TableChange]);
    expect(taken.map(({ text }) => Object.keys(JSON.parse(text) as object))).toEqual([
      ['specversion', 'id', 'source', 'type', 'subject', 'time', 'datacontenttype'],
    ]);
  });
});

describe('an event that does not fit into the log', () => {
  it('is logged with its names only, and delays no other event', async () => {
    const [first, second] = changes as (TableChange & { kind: 'did' })[];
    // JSON escapes control characters, so the event of an item that fits can be too large.
    const noise = Array.from(randomBytes(392_000), (byte) => String.fromCharCode(1 + (byte % 126)));
    const meta = { noise: noise.join('') };
    const huge = { ...first, before: first?.after, after: { ...first?.after, meta } } as TableChange;
    const before = (await endOfEvents(table())) as EventPlace;
    await makeAnnouncer(() => undefined).run(context(), [huge, second as TableChange]);
    const [short, whole] = (await textsAfter(before)).map((text) => JSON.parse(text) as CatalogueEvent);
    expect(short).toMatchObject({ type: 'SET_METADATA', subject: 'data:d0' });
    expect(short?.data).toEqual({ scope: 'data', name: 'd0' });
    expect(whole).toMatchObject({ type: 'CREATE_DTS', subject: 'data:d1' });
  });
});

describe('an entry of the log', () => {
  it('holds as much as fits into an item', () => {
    const texts = Array.from({ length: 10 }, () => 'x'.repeat(100_000));
    expect(splitIntoEntries(texts).map((entry) => entry.length)).toEqual([2, 2, 2, 2, 2]);
    expect(splitIntoEntries(['y'.repeat(390_000), 'z']).map((entry) => entry.length)).toEqual([1, 1]);
    expect(splitIntoEntries([])).toEqual([]);
  });
});
