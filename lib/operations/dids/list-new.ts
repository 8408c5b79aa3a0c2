import type * as z from 'zod/mini';

import type { newDidLine } from '../../contract/schemas/did-lists.ts';
import { didType, type DidKey, type DidType } from '../../contract/schemas/did.ts';
import { type Page, type Placed, placed, type Position, wholeList } from '../../domain/paging/page.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail } from '../../errors.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { listNewCollections, listNewFiles } from '../../store/entities/new-did.ts';
import { hourOf } from '../../store/values/hour.ts';

/** The most rows of an answer without a limit. */
const defaultMaxRows = 1000;

/** The most files of one hour that are read for such an answer. */
const maxFilesReadPerHour = 5000;

const maxAgeHours = 24;

/**
 * Sizes of the windows that are read in parallel, in hours, starting with the present one, which most often suffices.
 */
const windowsHours = [1, 3, 8, 12];

/**
 * DIDs that were created within the last 24 hours and are still flagged as new, the latest hour first (spec/dids.md
 * 2.22): at most 1000, or all of them in pages.
 *
 * Rucio lists every DID with the flag, however old. Here no daemon clears the flag, so the age bounds the list and its
 * cost: at most 32 queries per hour, and a read per file.
 *
 * @param type Only DIDs of this type; case-insensitive.
 * @throws ValueError (400) for an unknown type.
 */
export async function* listNewDids(
  { store, now }: Context,
  type: string | undefined,
  page: Page = wholeList,
): AsyncGenerator<Placed<z.input<typeof newDidLine>>> {
  const types = type === undefined ? didType.options : [readType(type)];
  const buckets = listBuckets(types, hourOf(now), page.after);
  let left = page.limit === undefined ? defaultMaxRows : page.limit + 1;
  for (const window of windowsHours) {
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

/** The DIDs of a type that became new in one hour. A position is the hour, the type, and the position in the bucket. */
interface Bucket {
  readonly kind: DidType;
  readonly hour: number;
  /** The position in the bucket after which to begin; absent: from the start. */
  readonly after?: Position;
}

/** The buckets to read, from the position of a page on. */
function listBuckets(types: readonly DidType[], latest: number, position: Position | undefined): Bucket[] {
  const hours = Array.from({ length: maxAgeHours }, (_value, index) => latest - index);
  const all: Bucket[] = hours.flatMap((hour) => types.map((kind) => ({ kind, hour })));
  if (position === undefined) return all;
  const [lastHour, lastKind, ...after] = position;
  const here = all.findIndex(({ hour, kind }) => String(hour) === lastHour && kind === lastKind);
  if (here < 0) return [];
  return all.slice(here).with(0, { kind: lastKind as DidType, hour: Number(lastHour), after });
}

function readBucket(table: Table, bucket: Bucket, limit: number, page: Page): Promise<Placed<DidKey>[]> {
  const maxRead = page.limit === undefined ? maxFilesReadPerHour : Number.POSITIVE_INFINITY;
  return takeFirst(
    bucket.kind === 'FILE'
      ? listFilesOfBucket(table, bucket, limit, maxRead)
      : listCollectionsOfBucket(table, bucket, limit),
    limit,
  );
}

async function takeFirst<T>(rows: AsyncIterable<T>, limit: number): Promise<T[]> {
  const first: T[] = [];
  for await (const row of rows) {
    first.push(row);
    if (first.length === limit) break;
  }
  return first;
}

async function* listCollectionsOfBucket(
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

/** The files of a bucket that still exist and are still new. Only the file itself shows that, so it is read. */
async function* listFilesOfBucket(
  table: Table,
  bucket: Bucket,
  limit: number,
  maxRead: number,
): AsyncGenerator<Placed<DidKey>> {
  let read = 0;
  for await (const chunk of splitIntoChunks(listNamedFiles(table, bucket, limit), Math.min(limit, 500))) {
    const dids = await getDids(
      table,
      chunk.map(({ row }) => row.file),
    );
    const found = new Map(dids.map((did) => [formatDid(did), did]));
    for (const { row, position } of chunk) {
      const did = found.get(formatDid(row.file));
      if (did !== undefined && isNewSince(did, row.at)) yield { row: row.file, position };
    }
    read += chunk.length;
    if (read >= maxRead) return;
  }
}

/**
 * Whether a file is new since the time of a list. A file that was flagged again is in several lists; only the last
 * counts.
 */
function isNewSince({ columns, createdAt, newAt = createdAt }: Did, at: number): boolean {
  const { is_new: flag = true } = columns;
  return flag === true && newAt === at;
}

interface NamedFile {
  readonly file: DidKey;
  /** When it was flagged as new, in milliseconds. */
  readonly at: number;
}

/** The files in the lists of an hour. The lists are long, so the pages are small. */
async function* listNamedFiles(
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
