import type * as z from 'zod/mini';

import type { newDidLine } from '../../contract/schemas/did-lists.ts';
import { didType, type DidKey, type DidType } from '../../contract/schemas/did.ts';
import { type Page, type Placed, placed, type Position, wholeList } from '../../domain/paging/page.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { splitIntoChunks } from '../../domain/values/split-into-chunks.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { listNewCollections, listNewFiles } from '../../store/entities/new-did.ts';
import { hourOf } from '../../store/values/hour.ts';

/** What an answer holds at most that was not asked for a number of rows. */
const most = 1000;

/** Files of an hour that are looked at before such an answer goes without the rest of them. */
const mostFilesLookedAt = 5000;

/** How far back is looked, in hours. */
const oldest = 24;

/** How many hours are looked at at once: first the one that has most likely something. */
const windows = [1, 3, 8, 12];

/**
 * DIDs that were made within the last 24 hours and are still flagged as new, hour by hour from now (spec/dids.md 2.22):
 * at most 1000, or page by page all of them.
 *
 * Rucio means every DID whose flag nobody has cleared, however old; nobody clears it here, so recency is what bounds the
 * list and its cost: at most 12 queries an hour looked at, and a read for each file that is.
 *
 * @param type Only DIDs of this type, in any case.
 * @throws ValueError (400) for an unknown type.
 */
export async function* listNewDids(
  { store, now }: Context,
  type: string | undefined,
  page: Page = wholeList,
): AsyncGenerator<Placed<z.input<typeof newDidLine>>> {
  const types = type === undefined ? didType.options : [readType(type)];
  const buckets = bucketsOf(types, hourOf(now), page.after);
  let left = page.limit === undefined ? most : page.limit + 1;
  for (const window of windows) {
    const some = buckets.splice(0, window * types.length);
    const found = await Promise.all(some.map((bucket) => readBucket(store.table, bucket, left, page)));
    for (const [index, { kind }] of some.entries()) {
      for (const { row, position } of (found[index] ?? []).slice(0, left)) {
        yield { row: { scope: row.scope, name: row.name, did_type: kind, type: kind }, position };
      }
      left -= Math.min(left, found[index]?.length ?? 0);
    }
    if (left === 0) return;
  }
}

function readType(text: string): DidType {
  const known = didType.safeParse(text.toUpperCase());
  return known.success ? known.data : fail('ValueError', `The type '${text}' is unknown`);
}

/** The DIDs of a type that became new in an hour. A position begins with the two and ends with a place among them. */
interface Bucket {
  readonly kind: DidType;
  readonly hour: number;
  /** The place to go on after; absent: from the start. */
  readonly after?: Position;
}

/** What is left to look at, from the position of a page on. */
function bucketsOf(types: readonly DidType[], latest: number, position: Position | undefined): Bucket[] {
  const hours = Array.from({ length: oldest }, (_value, index) => latest - index);
  const all: Bucket[] = hours.flatMap((hour) => types.map((kind) => ({ kind, hour })));
  if (position === undefined) return all;
  const [lastHour, lastKind, ...after] = position;
  const here = all.findIndex(({ hour, kind }) => String(hour) === lastHour && kind === lastKind);
  if (here < 0) return [];
  return all.slice(here).with(0, { kind: lastKind as DidType, hour: Number(lastHour), after });
}

function readBucket(table: Table, bucket: Bucket, limit: number, page: Page): Promise<Placed<DidKey>[]> {
  const lookedAt = page.limit === undefined ? mostFilesLookedAt : Number.POSITIVE_INFINITY;
  return firstOf(
    bucket.kind === 'FILE' ? newFiles(table, bucket, limit, lookedAt) : newCollections(table, bucket, limit),
    limit,
  );
}

async function firstOf<T>(rows: AsyncIterable<T>, limit: number): Promise<T[]> {
  const first: T[] = [];
  for await (const row of rows) {
    first.push(row);
    if (first.length === limit) break;
  }
  return first;
}

async function* newCollections(
  table: Table,
  { kind, hour, after: position }: Bucket,
  pageSize: number,
): AsyncGenerator<Placed<DidKey>> {
  const [at, scope = '', name = ''] = position ?? [];
  const after = position === undefined ? undefined : { at: Number(at), scope, name };
  const type = kind as Exclude<DidType, 'FILE'>;
  for await (const did of listNewCollections(table, { type, hour }, { after, pageSize })) {
    yield placed(did, String(hour), kind, String(did.at), did.scope, did.name);
  }
}

/** Only the file itself says whether it is still there and still new, and by which of the lists that name it. */
async function* newFiles(
  table: Table,
  bucket: Bucket,
  limit: number,
  mostLookedAt: number,
): AsyncGenerator<Placed<DidKey>> {
  let looked = 0;
  for await (const chunk of splitIntoChunks(namedFiles(table, bucket, limit), Math.min(limit, 500))) {
    const dids = await getDids(
      table,
      chunk.map(({ row }) => row.file),
    );
    const found = new Map(dids.map((did) => [formatDid(did), did]));
    for (const { row, position } of chunk) {
      const did = found.get(formatDid(row.file));
      if (did !== undefined && isNewSince(did, row.at)) yield { row: row.file, position };
    }
    looked += chunk.length;
    if (looked >= mostLookedAt) return;
  }
}

/** Whether a file is new, and has been since the time of a list that names it: one that was flagged anew is in several. */
function isNewSince({ columns, createdAt, newAt = createdAt }: Did, at: number): boolean {
  const { is_new: flag = true } = columns;
  return flag === true && newAt === at;
}

interface NamedFile {
  readonly file: DidKey;
  /** When it was flagged as new, in milliseconds. */
  readonly at: number;
}

/** The files that the lists of an hour name; the lists are long, so few of them are read at first. */
async function* namedFiles(
  table: Table,
  { kind, hour, after: position }: Bucket,
  limit: number,
): AsyncGenerator<Placed<NamedFile>> {
  const [lastAt, lastId = '', lastIndex] = position ?? [];
  const start = position === undefined ? {} : { from: { at: Number(lastAt), id: lastId } };
  for await (const { at, id, files } of listNewFiles(table, hour, { ...start, pageSize: limit > 100 ? 4 : 1 })) {
    for (const [index, file] of files.entries()) {
      if (String(at) === lastAt && id === lastId && index <= Number(lastIndex)) continue;
      yield placed({ file, at }, String(hour), kind, String(at), id, String(index));
    }
  }
}
