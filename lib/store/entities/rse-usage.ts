import type { Integer } from '../../integer.ts';
import type { Item } from '../item.ts';
import { isEncodablePart, keys, newestFirst, usageOf } from '../keys.ts';
import { mergeSorted } from '../merge.ts';
import { type Change, type Insert, LostRace, type Plan } from '../plan.ts';
import type { Slice, Table } from '../table.ts';

/** What a source says about an RSE, in bytes and files; null where it does not say. */
interface Numbers {
  readonly used: Integer | null;
  readonly free: Integer | null;
  readonly files: Integer | null;
}

/** What a source says about an RSE now. */
export interface RseUsage extends Numbers {
  readonly source: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly updatedAt: number;
}

/** What a source said about an RSE at a time, in milliseconds since 1970. */
export interface PastRseUsage extends Numbers {
  readonly source: string;
  readonly at: number;
}

/** The source that is the catalogue itself. */
export const ownSource = 'rucio';

/** What a source says about an RSE. */
export async function getRseUsage(table: Table, rseId: string, source: string): Promise<RseUsage | undefined> {
  if (!isEncodablePart(source)) return undefined;
  const item = await table.get(keys.rseUsage(rseId, source));
  return item === undefined ? undefined : fromItem(item);
}

/** What all sources say about an RSE, by source. */
export async function listRseUsages(table: Table, rseId: string): Promise<RseUsage[]> {
  const items = await Array.fromAsync(table.query({ pk: keys.rseHangers(rseId), ...keys.rseUsages }));
  return items.map(fromItem).toSorted((a, b) => (a.source < b.source ? -1 : 1));
}

/** What a source said about an RSE over time, newest first; `slice` by time. */
export async function* listPastRseUsages(
  table: Table,
  rseId: string,
  source: string,
  { from, after, pageSize }: Slice<number> = {},
): AsyncGenerator<PastRseUsage> {
  if (!isEncodablePart(source)) return;
  const at = (time: number) => keys.rseUsageAt(rseId, source, time).SK;
  const start = {
    ...(from === undefined ? {} : { from: at(from) }),
    ...(after === undefined ? {} : { after: at(after) }),
  };
  const range = { pk: keys.rseHangers(rseId), ...keys.rseUsageHistory(source), ...start, pageSize };
  for await (const item of table.query(range)) {
    yield { source, at: usageOf(item).at ?? 0, ...numbersOf(item) };
  }
}

/** What all sources said about an RSE over time, newest first, then by source; `slice` by both. */
export async function* listAllPastRseUsages(
  table: Table,
  rseId: string,
  { after, pageSize }: Slice<Pick<PastRseUsage, 'at' | 'source'>> = {},
): AsyncGenerator<PastRseUsage> {
  const sources = await listRseUsages(table, rseId);
  const streams = sources.map(({ source }) => {
    const isBehind = after !== undefined && source > after.source;
    const start = isBehind ? { from: after.at } : { after: after?.at };
    return listPastRseUsages(table, rseId, source, { ...start, pageSize });
  });
  yield* mergeSorted(streams, ({ at }) => newestFirst(at));
}

/** The write that makes the first record of a source. */
export function insertRseUsage(rseId: string, usage: RseUsage): Insert {
  const { source, ...content } = usage;
  return { kind: 'insert', item: { ...keys.rseUsage(rseId, source), ...content }, onExists: onRace };
}

/**
 * The writes that replace the record of a source, and enter it in the history; none when it says nothing new.
 *
 * @param now In milliseconds since 1970; a record that was written in the same millisecond, or by a faster clock, is
 *   taken for a millisecond older.
 */
export async function setRseUsage(
  latest: Table,
  rseId: string,
  { source, ...numbers }: Numbers & { readonly source: string },
  now: number,
): Promise<Plan> {
  const before = await getRseUsage(latest, rseId, source);
  if (before !== undefined && sameNumbers(before, numbers)) return [];
  const updatedAt = Math.max(now, (before?.updatedAt ?? 0) + 1);
  const { used, free, files } = numbers;
  const write =
    before === undefined
      ? insertRseUsage(rseId, { source, ...numbers, updatedAt })
      : changeUsage(rseId, source, { ...numbers, updatedAt }, { updatedAt: before.updatedAt });
  const item = { ...keys.rseUsageAt(rseId, source, updatedAt), used, free, files };
  return [write, { kind: 'insert', item, onExists: onRace }];
}

/** The write that makes sure that a source still says that as much is used as it said when it was read. */
export function confirmUsed(rseId: string, { source, used }: RseUsage): Change {
  return changeUsage(rseId, source, { used }, { used });
}

type Content = Omit<RseUsage, 'source'>;

function changeUsage(rseId: string, source: string, set: Partial<Content>, when: Partial<Content>): Change {
  return { kind: 'change', key: keys.rseUsage(rseId, source), patch: { set }, when, onMismatch: onRace };
}

// Somebody else has set it since it was read: the plan is made anew.
const onRace = () => new LostRace('the usage of an RSE was changed in the meantime');

function sameNumbers(a: Numbers, b: Numbers): boolean {
  return a.used === b.used && a.free === b.free && a.files === b.files;
}

function fromItem(item: Item): RseUsage {
  const { source } = usageOf(item);
  return { source, ...numbersOf(item), updatedAt: Number(item['updatedAt']) };
}

function numbersOf(item: Item): Numbers {
  const { used, free, files } = item as unknown as Numbers;
  return { used, free, files };
}
