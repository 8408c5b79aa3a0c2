import { beforeEach, describe, expect, it, vi } from 'vitest';

import { clock } from '../../../lib/clock.ts';
import { formatPlace, parsePlace } from '../../../lib/domain/events/event-filter.ts';
import { type EventPlace, isBefore } from '../../../lib/store/entities/event-place.ts';
import { appendEntry, endOfEvents, listEvents, packEntry } from '../../../lib/store/entities/event.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { keyOf, type Plan } from '../../../lib/store/items/plan.ts';
import { eventKeys } from '../../../lib/store/keys/event-keys.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { newTestStore } from '../../support/store.ts';

const lifetimeMs = 3_600_000;
const beginning = (): EventPlace => ({ at: Date.now() - 60_000, index: -1 });

let store: Store;
beforeEach(async () => {
  store = await newTestStore();
});

const table = () => store.begin().table;
const append = (texts: readonly string[], widens = false) =>
  store.write((latest) => appendEntry(latest, packEntry(texts), { lifetimeMs, widens }));

async function widenTo(lanes: number): Promise<void> {
  await append(['the first']);
  for (let width = 1; width < lanes; width *= 2) await append([`wider than ${width}`], true);
}

/** Events that a reader gets from a position on, with the position after each. */
async function readFrom(place: EventPlace) {
  const end = await endOfEvents(table(), place);
  if (end === undefined || !isBefore(place, end)) return { events: [], end: place };
  return { events: (await Array.fromAsync(listEvents(table(), place, end))).flat(), end };
}

const textsFrom = async (place: EventPlace) => (await readFrom(place)).events.map(({ text }) => text);

describe('the log of events in several lanes', () => {
  it('is in the order in which entries were made, whatever lanes they are in', async () => {
    await widenTo(8);
    const texts = Array.from({ length: 40 }, (_none, index) => `event ${index}`);
    for (const text of texts) await append([text]);
    const found = await textsFrom(beginning());
    expect(found.filter((text) => text.startsWith('event'))).toEqual(texts);
    expect((await endOfEvents(table()))?.lanes?.filter((time) => time > 0).length).toBeGreaterThan(4);
  });

  it('continues after each event, also after one in the middle of an entry', async () => {
    await append(['before the lanes', 'and after it']);
    await widenTo(4);
    for (let index = 0; index < 12; index += 1) await append([`${index} first`, `${index} second`]);
    const { events } = await readFrom(beginning());
    const texts = events.map(({ text }) => text);
    expect(texts).toHaveLength(new Set(texts).size);
    for (const [index, { place }] of events.entries()) {
      const again = parsePlace(formatPlace(place));
      expect(again).toBeDefined();
      expect(await textsFrom(again as EventPlace)).toEqual(texts.slice(index + 1));
    }
  });

  it('reaches a reader from before there were lanes, and each reader once', async () => {
    await append(['old']);
    const before = (await readFrom(beginning())).end;
    await widenTo(16);
    let place = before;
    const heard: string[] = [];
    const told: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const texts = Array.from({ length: 5 }, (_none, index) => `${round}/${index}`);
      await Promise.all(texts.map((text) => append([text])));
      told.push(...texts);
      const { events, end } = await readFrom(place);
      heard.push(...events.map(({ text }) => text).filter((text) => text.includes('/')));
      place = parsePlace(formatPlace(end)) as EventPlace;
    }
    expect(heard.toSorted()).toEqual(told.toSorted());
  });

  it('reaches a reader that was further in other lanes when an entry with an earlier time was appended', async () => {
    await widenTo(2);
    for (let index = 0; index < 12; index += 1) await append([`${index}`]);
    const { end } = await readFrom(beginning());
    const lane = (end.lanes ?? []).findIndex((time) => time < end.at);
    const at = (end.lanes?.[lane] ?? 0) + 1;
    await store.write(async () => [
      {
        kind: 'change',
        key: eventKeys.head(lane),
        patch: { set: { at } },
        onMismatch: () => new Error('there is no such lane'),
      },
      {
        kind: 'insert',
        item: { ...eventKeys.entry(lane, at), events: packEntry(['late']) },
        onExists: () => new Error('exists already'),
      },
    ]);
    expect(await textsFrom(end)).toEqual(['late']);
  });

  it('costs a reader one unit a poll while nothing happens', async () => {
    await widenTo(16);
    for (let index = 0; index < 40; index += 1) await append([`${index}`]);
    const { end } = await readFrom(beginning());
    const { cost } = await measure(() => readFrom(end));
    expect(cost).toMatchObject({ rru: 1, wru: 0, requests: 1 });
  });

  it('takes more entries at the same time than one head would', async () => {
    await widenTo(16);
    await Promise.all(Array.from({ length: 60 }, (_none, index) => append([`at once ${index}`])));
    const found = await textsFrom(beginning());
    expect(found.filter((text) => text.startsWith('at once'))).toHaveLength(60);
  });

  it.each(['1.1.2.a-b', '1.1.0.', '1.1.0.A', '1.1.0', `1.1.0.${'a-'.repeat(80)}a`])('has no position %s', (text) => {
    expect(parsePlace(text)).toBeUndefined();
  });

  it('reads no hours before a position, whatever it says of other lanes', async () => {
    await widenTo(2);
    for (let index = 0; index < 8; index += 1) await append([`${index}`]);
    const { end } = await readFrom(beginning());
    const forged = { ...end, at: end.at - 1, lanes: [1, 1] };
    const { cost } = await measure(() => readFrom(forged));
    expect(cost.requests).toBeLessThan(40);
  });

  it('is read on from the first of two events of one time, in two lanes, where reading began at that time', async () => {
    await widenTo(2);
    const at = Date.now() + 1_000;
    const plans = [await planIn(0, at), await planIn(1, at)];
    for (const plan of plans) await store.write(async () => plan);
    const { events } = await readFrom({ at, index: -1 });
    expect(events).toHaveLength(2);
    const [first] = events;
    expect(await textsFrom(parsePlace(formatPlace(first?.place as EventPlace)) as EventPlace)).toEqual([
      events[1]?.text,
    ]);
  });

  it('never gets fewer lanes by a plan from before others were added', async () => {
    await widenTo(2);
    await planIn(1).then((plan) => store.write(async () => plan));
    const late = await planIn(1, undefined, true);
    await append(['wider'], true);
    await append(['wider'], true);
    let attempts = 0;
    await store.write(async () => ((attempts += 1) === 1 ? late : []));
    expect(attempts).toBe(2);
    const head = await store.begin().table.get(eventKeys.head(0));
    expect(head?.['lanes']).toBe(8);
  });
});

/**
 * The plan of an append to a lane, which is drawn.
 *
 * @param at The time of its entry, if it is later than all others.
 */
async function planIn(lane: number, at?: number, widens = false): Promise<Plan> {
  const time = at === undefined ? undefined : vi.spyOn(clock, 'now').mockReturnValue(at);
  try {
    for (;;) {
      const plan = await appendEntry(table().latest(), packEntry([`in lane ${lane}`]), { lifetimeMs, widens });
      const [head] = plan;
      if (head !== undefined && keyOf(head).SK === eventKeys.head(lane).SK) return plan;
    }
  } finally {
    time?.mockRestore();
  }
}
