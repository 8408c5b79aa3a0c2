import { randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompress, constants } from 'node:zlib';

import { clock } from '../../clock.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { LostRace, type Plan, type Write } from '../items/plan.ts';
import { isBytes, isNumber, optional, readAttribute } from '../items/read-attributes.ts';
import { entryTimeOf, eventKeys, laneOf } from '../keys/event-keys.ts';
import { hourOf } from '../values/hour.ts';
import {
  endOf,
  type EventPlace,
  isBefore,
  type LanePlace,
  lanesOf,
  startIn,
  timeIn,
  wholeEntry,
} from './event-place.ts';

/*
 * The log of events: entries of many events each, compressed, at a write unit per compressed kilobyte. The transaction that
 * appends an entry also changes the head of its lane. So the entries of a lane have one order, that of their times: a reader that has
 * seen one has seen all earlier ones of the lane. Positions are those in all lanes (event-place.ts).
 */

/** An event in the log. */
export interface LoggedEvent {
  readonly place: EventPlace;
  /** JSON on one line. */
  readonly text: string;
}

/** The uncompressed size of an entry; an item holds 400 KB, so it fits even if it does not compress. */
const maxEntryBytes = 300_000;

/**
 * The quality of compression. Entries are up to a tenth smaller than with gzip at its usual level, and take half the time
 * (docs/adr/0012-events.md).
 */
const quality = 3;

const pack = (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

const unpack = promisify(brotliDecompress);

/** The compressed size of an entry; the item holds keys besides. */
const maxPackedBytes = 390_000;

/** Whether an event fits into the log; one that is larger than an entry must compress well. */
export function fitsIntoLog(text: string): boolean {
  return Buffer.byteLength(text) <= maxEntryBytes || pack(text).length <= maxPackedBytes;
}

/** Splits texts into lists that fit into one entry each; a single larger one is an entry if it {@link fitsIntoLog}. */
export function splitIntoEntries(texts: readonly string[]): string[][] {
  const entries: string[][] = [];
  let size = 0;
  for (const text of texts) {
    size += Buffer.byteLength(text) + 1;
    const last = entries.at(-1);
    if (last === undefined || size > maxEntryBytes) {
      entries.push([text]);
      size = Buffer.byteLength(text) + 1;
    } else last.push(text);
  }
  return entries;
}

/** Packs events into an entry; `texts`: JSON on one line each. */
export function packEntry(texts: readonly string[]): Uint8Array {
  return pack(texts.join('\n'));
}

/** The state of the log: the time of the last entry by lane, and in how many lanes writers append. */
interface Heads {
  readonly times: ReadonlyMap<number, number>;
  readonly width: number;
}

/** The most lanes: each takes some 50 transactions a second, and 1,000 units of entries. */
export const maxLanes = 16;

/** One query of one unit. */
async function readHeads(table: Table): Promise<Heads> {
  const items = await Array.fromAsync(table.latest().query({ pk: eventKeys.heads }));
  const first = items.find((item) => laneOf(item) === 0);
  return {
    times: new Map(items.map((item) => [laneOf(item), readAttribute(item, 'at', isNumber)])),
    width: first === undefined ? 1 : (readAttribute(first, 'lanes', optional(isNumber)) ?? 1),
  };
}

/**
 * The writes that append an entry to the log: two units, and two per compressed kilobyte. The entry is later than all that are in
 * the log when this reads it: of two entries the one that was made after the other is later. A reader may miss one only if the
 * clock of another writer was ahead by more than a plan lasts.
 *
 * @param packed Made by {@link packEntry}.
 * @param options `lifetimeMs`: how long it is kept; `widens`: the log gets twice as many lanes. They never become fewer.
 */
export async function appendEntry(
  latest: Table,
  packed: Uint8Array,
  { lifetimeMs, widens = false }: { readonly lifetimeMs: number; readonly widens?: boolean },
): Promise<Plan> {
  const { times, width } = await readHeads(latest);
  const lane = randomInt(width);
  const last = times.get(lane);
  const at = Math.max(clock.now(), Math.max(0, ...times.values()) + 1);
  const wider = widens && times.has(0) && width < maxLanes ? { lanes: 2 * width } : {};
  const key = eventKeys.head(lane);
  // The number of lanes is on the first head. Others may have raised it since.
  const lanes = wider.lanes === undefined ? {} : { lanes: width === 1 ? undefined : width };
  const ofFirst =
    lane === 0 ? { set: { at, ...wider }, when: { at: last, ...lanes } } : { set: { at }, when: { at: last } };
  const head: Write =
    last === undefined
      ? { kind: 'insert', item: { ...key, at }, onExists: makeRaceError }
      : { kind: 'change', key, patch: { set: ofFirst.set }, when: ofFirst.when, onMismatch };
  const first: Write = { kind: 'change', key: eventKeys.head(0), patch: { set: wider }, when: lanes, onMismatch };
  return [
    head,
    ...(lane === 0 || wider.lanes === undefined ? [] : [first]),
    {
      kind: 'insert',
      item: { ...eventKeys.entry(lane, at), events: packed, ttl: Math.ceil((at + lifetimeMs) / 1000) },
      onExists: makeRaceError,
    },
  ];
}

const makeRaceError = () => new LostRace('another entry was appended to the log of events');
const onMismatch = makeRaceError;

/**
 * The position after the last event; undefined if there has never been one. One read of one unit; of two where the log has several
 * lanes and has changed since a position.
 *
 * Heads are not read at one moment. Entries up to the latest time of a first reading are all there in a second one, but for those
 * made beside it. So a reader up to here has seen every entry that was there before one that it sees.
 */
export async function endOfEvents(table: Table, since?: EventPlace): Promise<EventPlace | undefined> {
  const { times } = await readHeads(table);
  if (times.size === 0) return undefined;
  const until = Math.max(...times.values());
  if (times.size === 1 && times.has(0)) return { at: until, index: wholeEntry };
  const first = endOf(times, until);
  return since !== undefined && !isBefore(since, first) ? since : endOf((await readHeads(table)).times, until);
}

/** The events between two positions, entry by entry. Costs a query per hour and lane, and the units of its entries. */
export async function* listEvents(table: Table, after: EventPlace, end: EventPlace): AsyncGenerator<LoggedEvent[]> {
  const lanes = lanesOf(end);
  // A position before the first event of a time has not read the entries of that time.
  const reached = lanes.map((lane) => {
    const { at, index } = startIn(after, lane);
    return index === -1 ? at - 1 : at;
  });
  const pageSize = lanes.length === 1 ? 4 : 1;
  const streams = lanes.map((lane) => listEntries(table, lane, startIn(after, lane), timeIn(end, lane), pageSize));
  for await (const { lane, item } of mergeSorted(streams, ({ item: { SK } }) => SK)) {
    const at = entryTimeOf(item);
    const start = startIn(after, lane);
    reached[lane] = at;
    const others = lanes.length === 1 ? {} : { lane, lanes: [...reached] };
    const events = (await readTexts(item)).map((text, index) => ({ place: { at, index, ...others }, text }));
    yield at === start.at ? events.filter(({ place: { index } }) => index > start.index) : events;
  }
}

/** The entries of a lane between two times, hour by hour. */
async function* listEntries(table: Table, lane: number, start: LanePlace, until: number, pageSize: number) {
  const { SK } = eventKeys.entry(lane, start.at);
  const from = start.index === wholeEntry ? { after: SK } : { from: SK };
  const { SK: to } = eventKeys.entry(lane, until);
  if (SK > to) return;
  for (let hour = hourOf(start.at); hour <= hourOf(until); hour += 1) {
    const range = { pk: eventKeys.hour(lane, hour), ...from, to, pageSize };
    for await (const item of table.latest().query(range)) yield { lane, item };
  }
}

async function readTexts(item: Item): Promise<string[]> {
  const packed = readAttribute(item, 'events', isBytes);
  return (await unpack(packed)).toString().split('\n');
}
