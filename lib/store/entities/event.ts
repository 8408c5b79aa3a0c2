import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { LostRace, type Plan } from '../items/plan.ts';
import { entryTimeOf, eventKeys } from '../keys/event-keys.ts';
import { hourOf } from '../keys/key-parts.ts';

/*
 * The log of events: entries of many events each, packed, so that they cost a write unit per kilobyte of what is left of
 * them. Whoever adds an entry changes the head in the same transaction; so the entries have one order, which is that of
 * their times, none comes late, and a reader that has seen one has seen all before it.
 */

/** A place in the log: behind the event of an index in the entry of a time in milliseconds. */
export interface EventPlace {
  readonly at: number;
  /** -1: before the first. */
  readonly index: number;
}

/** An event as it lies in the log. */
export interface LoggedEvent {
  readonly place: EventPlace;
  /** JSON on one line. */
  readonly text: string;
}

/** Behind the last event of an entry, however many there are. */
const wholeEntry = Number.MAX_SAFE_INTEGER;

/** An item takes 400 KB, however badly its events can be packed. */
const largestEntry = 300_000;

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

/** What packed events may take of an item, which holds keys besides. */
const largestPacked = 390_000;

/** Whether an event can lie in the log: one that is larger than an entry has to be packed well. */
export async function fitsIntoLog(text: string): Promise<boolean> {
  return Buffer.byteLength(text) <= largestEntry || (await pack(text)).length <= largestPacked;
}

/** Texts in lists that fit into one entry each; a single one may be larger, if it {@link fitsIntoLog}. */
export function entriesOf(texts: readonly string[]): string[][] {
  const entries: string[][] = [];
  let size = 0;
  for (const text of texts) {
    size += Buffer.byteLength(text) + 1;
    const last = entries.at(-1);
    if (last === undefined || size > largestEntry) {
      entries.push([text]);
      size = Buffer.byteLength(text) + 1;
    } else last.push(text);
  }
  return entries;
}

/**
 * The writes that add an entry to the log, after all others: two units, and two for each packed kilobyte.
 *
 * @param texts JSON on one line each.
 * @param kept How long they are kept, in milliseconds.
 */
export async function appendEvents(latest: Table, texts: readonly string[], kept: number): Promise<Plan> {
  const [head, packed] = await Promise.all([latest.get(eventKeys.head), pack(texts.join('\n'))]);
  const last = head === undefined ? undefined : Number(head['at']);
  const at = Math.max(Date.now(), (last ?? 0) + 1);
  const onRace = () => new LostRace('another entry was added to the log of events');
  return [
    last === undefined
      ? { kind: 'insert', item: { ...eventKeys.head, at }, onExists: onRace }
      : { kind: 'change', key: eventKeys.head, patch: { set: { at } }, when: { at: last }, onMismatch: onRace },
    {
      kind: 'insert',
      item: { ...eventKeys.entry(at), events: packed, ttl: Math.ceil((at + kept) / 1000) },
      onExists: onRace,
    },
  ];
}

/** Behind the last event; undefined while there has never been one. One read of one unit. */
export async function endOfEvents(table: Table): Promise<EventPlace | undefined> {
  const head = await table.latest().get(eventKeys.head);
  return head === undefined ? undefined : { at: Number(head['at']), index: wholeEntry };
}

/** The events behind a place up to another one, entry by entry. Costs a query for each hour, and what lies in it. */
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
  const texts = (await unpack(item['events'] as Uint8Array)).toString().split('\n');
  return texts.map((text, index) => ({ place: { at, index }, text }));
}
