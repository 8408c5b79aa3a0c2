import { randomBytes } from 'node:crypto';

import { beforeAll, describe, expect, it } from 'vitest';

import type { CatalogueEvent } from '../../../lib/contract/schemas/event.ts';
import { announceTo } from '../../../lib/domain/events/announce.ts';
import { eventsOf } from '../../../lib/domain/events/events-of.ts';
import { unavailable } from '../../../lib/errors.ts';
import { insertDid, type NewDid } from '../../../lib/store/entities/did.ts';
import { endOfEvents, entriesOf, type EventPlace, listEvents } from '../../../lib/store/entities/event.ts';
import type { BusEvent } from '../../../lib/store/event-bus.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { LostRace } from '../../../lib/store/items/plan.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import type { TableChange } from '../../../lib/store/stream/change.ts';
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
  replicas: new Map(),
});
const names = Array.from({ length: 100 }, (_value, index) => `d${index}`);
const exists = () => new Error('exists');

beforeAll(async () => {
  streamed = await newStreamedTable();
  for (const name of names) await streamed.store.write(async () => [insertDid(dataset(name), exists)]);
  ({ changes } = await streamed.store.readStream(await streamed.records()));
});

const context = () => ({ store: streamed.store.begin(), now: Date.now() });
const table = () => streamed.store.begin().table;
const textsAfter = async (place: EventPlace) => {
  const end = (await endOfEvents(table())) as EventPlace;
  return (await Array.fromAsync(listEvents(table(), place, end))).flat().map(({ text }) => text);
};

describe('announce', () => {
  it('enters the events of a batch in the log, in their order, a hundred for a few units', async () => {
    const { cost } = await measure(() => announceTo(() => undefined).run(context(), changes));
    const wanted = (await eventsOf(table(), changes)).map((event) => JSON.stringify(event));
    expect(wanted).toHaveLength(100);
    expect(await textsAfter(beginning)).toEqual(wanted);
    // The head and an entry of less than 5 KB, in a transaction.
    expect(cost.wru).toBeLessThanOrEqual(12);
  });

  it('loses no entry where several write at once, and puts them into one order', async () => {
    const before = (await endOfEvents(table())) as EventPlace;
    const log = announceTo(() => undefined);
    await Promise.all(changes.slice(0, 8).map((change) => log.run(context(), [change])));
    const end = (await endOfEvents(table())) as EventPlace;
    const entries = await Array.fromAsync(listEvents(table(), before, end));
    expect(new Set(entries.flat().map(({ text }) => (JSON.parse(text) as { subject: string }).subject)).size).toBe(8);
    expect(new Set(entries.flat().map(({ place }) => place.at)).size).toBe(8);
  });

  it('goes on in the midst of an entry', async () => {
    const end = (await endOfEvents(table())) as EventPlace;
    await announceTo(() => undefined).run(context(), changes);
    const [all = []] = await Array.fromAsync(listEvents(table(), end, (await endOfEvents(table())) as EventPlace));
    const rest = await textsAfter(all[96]?.place as EventPlace);
    expect(rest).toEqual(all.slice(97).map(({ text }) => text));
  });

  it('hands the same events to the bus, which is told first: what it does not take is in no log either', async () => {
    const taken: BusEvent[] = [];
    const bus = async (events: readonly BusEvent[]) => void taken.push(...events);
    const before = (await endOfEvents(table())) as EventPlace;
    await announceTo(() => bus).run(context(), changes.slice(0, 3));
    expect(taken.map(({ text }) => text)).toEqual(await textsAfter(before));
    const after = await endOfEvents(table());
    const broken = announceTo(() => () => Promise.reject(new Error('the bus takes nothing')));
    await expect(broken.run(context(), changes)).rejects.toThrow('the bus takes nothing');
    expect(await endOfEvents(table())).toEqual(after);
  });

  it('waits for its turn where too many write to the log, and fails at once for any other reason', async () => {
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
    const log = announceTo(() => undefined);
    await log.run({ store: turns(crowded), now: Date.now() }, changes.slice(0, 1));
    expect(await textsAfter(before)).toHaveLength(1);
    const broken = log.run({ store: turns([new Error('throttled')]), now: Date.now() }, changes.slice(0, 1));
    await expect(broken).rejects.toThrow('too many requests');
  });

  it('leaves the data of an event out that is too large for a bus, and nothing else', async () => {
    const [change] = changes as [TableChange & { kind: 'did' }];
    const huge = { ...change, before: change.after, after: { ...change.after, meta: { text: 'x'.repeat(300_000) } } };
    const taken: BusEvent[] = [];
    await announceTo(() => async (events) => void taken.push(...events)).run(context(), [huge as TableChange]);
    expect(taken.map(({ text }) => Object.keys(JSON.parse(text) as object))).toEqual([
      ['specversion', 'id', 'source', 'type', 'subject', 'time', 'datacontenttype'],
    ]);
  });
});

describe('an event that does not fit into the log', () => {
  it('is logged with nothing but its names, and holds up no other', async () => {
    const [first, second] = changes as (TableChange & { kind: 'did' })[];
    // Control characters are escaped in JSON, so that an item that fits makes an event that does not.
    const noise = Array.from(randomBytes(392_000), (byte) => String.fromCharCode(1 + (byte % 126)));
    const meta = { noise: noise.join('') };
    const huge = { ...first, before: first?.after, after: { ...first?.after, meta } } as TableChange;
    const before = (await endOfEvents(table())) as EventPlace;
    await announceTo(() => undefined).run(context(), [huge, second as TableChange]);
    const [short, whole] = (await textsAfter(before)).map((text) => JSON.parse(text) as CatalogueEvent);
    expect(short).toMatchObject({ type: 'SET_METADATA', subject: 'data:d0' });
    expect(short?.data).toEqual({ scope: 'data', name: 'd0' });
    expect(whole).toMatchObject({ type: 'CREATE_DTS', subject: 'data:d1' });
  });
});

describe('an entry of the log', () => {
  it('takes what fits into an item', () => {
    const texts = Array.from({ length: 10 }, () => 'x'.repeat(100_000));
    expect(entriesOf(texts).map((entry) => entry.length)).toEqual([2, 2, 2, 2, 2]);
    expect(entriesOf(['y'.repeat(390_000), 'z']).map((entry) => entry.length)).toEqual([1, 1]);
    expect(entriesOf([])).toEqual([]);
  });
});
