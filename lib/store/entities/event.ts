import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompress, constants } from 'node:zlib';

import { clock } from '../../clock.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { LostRace, type Plan } from '../items/plan.ts';
import { isBytes, readAttribute } from '../items/read-attributes.ts';
import { entryTimeOf, eventKeys } from '../keys/event-keys.ts';
import { hourOf } from '../values/hour.ts';

/*
 * The log of events: entries of many events each, compressed, at a write unit per compressed kilobyte. The transaction that
 * appends an entry also changes the head. So entries have one order, that of their times: a reader that has seen one has
 * seen all earlier ones.
 */

/** A position in the log: after the event of an index in the entry of a time in milliseconds. */
export interface EventPlace {
  readonly at: number;
  /** -1: before the first. */
  readonly index: number;
}

/** An event in the log. */
export interface LoggedEvent {
  readonly place: EventPlace;
  /** JSON on one line. */
  readonly text: string;
}

/** The index after every event of an entry. */
const wholeEntry = Number.MAX_SAFE_INTEGER;

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

/**
 * The writes that append an entry to the log: two units, and two per compressed kilobyte.
 *
 * @param packed Made by {@link packEntry}.
 * @param lifetimeMs How long it is kept.
 */
export async function appendEntry(latest: Table, packed: Uint8Array, lifetimeMs: number): Promise<Plan> {
  const head = await latest.get(eventKeys.head);
  const last = head === undefined ? undefined : Number(head['at']);
  const at = Math.max(clock.now(), (last ?? 0) + 1);
  const makeRaceError = () => new LostRace('another entry was appended to the log of events');
  return [
    last === undefined
      ? { kind: 'insert', item: { ...eventKeys.head, at }, onExists: makeRaceError }
      : { kind: 'change', key: eventKeys.head, patch: { set: { at } }, when: { at: last }, onMismatch: makeRaceError },
    {
      kind: 'insert',
      item: { ...eventKeys.entry(at), events: packed, ttl: Math.ceil((at + lifetimeMs) / 1000) },
      onExists: makeRaceError,
    },
  ];
}

/** The position after the last event; undefined if there has never been one. One read of one unit. */
export async function endOfEvents(table: Table): Promise<EventPlace | undefined> {
  const head = await table.latest().get(eventKeys.head);
  return head === undefined ? undefined : { at: Number(head['at']), index: wholeEntry };
}

/** The events between two positions, entry by entry. Costs a query per hour, and the units of its entries. */
export async function* listEvents(table: Table, after: EventPlace, end: EventPlace): AsyncGenerator<LoggedEvent[]> {
  const { SK } = eventKeys.entry(after.at);
  const start = after.index === wholeEntry ? { after: SK } : { from: SK };
  const { SK: to } = eventKeys.entry(end.at);
  for (let hour = hourOf(after.at); hour <= hourOf(end.at); hour += 1) {
    for await (const item of table.latest().query({ pk: eventKeys.hour(hour), ...start, to, pageSize: 4 })) {
      const events = await readEntry(item);
      yield events.filter(({ place: { at, index } }) => at > after.at || index > after.index);
    }
  }
}

async function readEntry(item: Item): Promise<LoggedEvent[]> {
  const at = entryTimeOf(item);
  const packed = readAttribute(item, 'events', isBytes);
  const texts = (await unpack(packed)).toString().split('\n');
  return texts.map((text, index) => ({ place: { at, index }, text }));
}
