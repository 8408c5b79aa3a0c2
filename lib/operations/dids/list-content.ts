import type * as z from 'zod/mini';

import type { contentLine, DidKey, fileLine, parentLine } from '../../contract/schemas/did.ts';
import { descend } from '../../domain/did-graph/descend.ts';
import { readDidAfter } from '../../domain/did-graph/positions.ts';
import { didNotFoundError, findDid } from '../../domain/dids/find-did.ts';
import { type Page, type Placed, placed, rowsOf, sliceOf, wholeList } from '../../domain/paging/page.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import type { Integer } from '../../integer.ts';
import { mapRows } from '../../rows/map-rows.ts';
import { openLater } from '../../rows/open-later.ts';
import { flattenPages } from '../../rows/paged-rows.ts';
import { readAhead } from '../../rows/read-ahead.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { type Edge, listChildren } from '../../store/entities/edge.ts';
import { listParentCollections } from '../../store/entities/parents.ts';

type FileLine = z.input<typeof fileLine>;

/** Lines that are in memory together. */
type Lines = AsyncGenerator<readonly Placed<FileLine>[]>;

/**
 * The direct content of a DID (spec/dids.md 2.5); of a file nothing.
 *
 * @throws DataIdentifierNotFound (404).
 */
export function listContent(
  { store }: Context,
  key: DidKey,
  page: Page = wholeList,
): ReadyRows<Placed<z.input<typeof contentLine>>> {
  return openLater(async () => {
    if (!isValidDid(key)) throw didNotFoundError(key);
    const children = listChildren(store.table, key, sliceOf(page, readDidAfter(page)));
    const [did, edges] = await Promise.all([findDid(store.table, key), readAhead(children)]);
    return did.type === 'FILE' ? [] : mapRows(edges, toContentLine);
  });
}

function toContentLine({ child, type, bytes, adler32, md5 }: Edge): Placed<z.input<typeof contentLine>> {
  const size = (type === 'FILE' ? bytes : null) ?? null;
  const line = { ...child, type, bytes: size, adler32: adler32 ?? null, md5: md5 ?? null };
  return placed(line, child.scope, child.name);
}

/**
 * The files of a DID through all levels, one line an attachment; a file yields itself (spec/dids.md 2.10).
 *
 * @param long With the luminosity block number.
 * @throws DataIdentifierNotFound (404).
 */
export function listFiles(
  { store: { table } }: Context,
  key: DidKey,
  long: boolean,
  page: Page = wholeList,
): ReadyRows<Placed<FileLine>> {
  const find = () => findDid(table, key);
  return flattenPages(long ? longLines(table, find, page) : fileLines(table, find, page));
}

/** The files of a DID that is known, as {@link listFiles} answers them without `long`. */
export function listFileLines(table: Table, did: Did): ReadyRows<FileLine> {
  return rowsOf(flattenPages(fileLines(table, async () => did, wholeList)));
}

/** The luminosity block number stands on the file only, so the files are read, a hundred at a time. */
async function* longLines(table: Table, find: () => Promise<Did>, page: Page): Lines {
  const { pageSize = 100 } = sliceOf(page);
  const lines = flattenPages(fileLines(table, find, page));
  for await (const chunk of splitIntoChunks(lines, Math.min(pageSize, 100))) {
    const dids = await getDids(
      table,
      chunk.map(({ row }) => row),
    );
    const numbers = new Map(
      dids.map((file) => [formatDid(file), file.columns['lumiblocknr'] as Integer | null | undefined]),
    );
    yield chunk.map(({ row, position }) => ({
      row: { ...row, lumiblocknr: numbers.get(formatDid(row)) ?? null },
      position,
    }));
  }
}

async function* fileLines(table: Table, find: () => Promise<Did>, page: Page): Lines {
  const did = await find();
  if (did.type === 'FILE') {
    if (page.after === undefined) yield [placed(toFileLine(did, did), did.scope, did.name)];
    return;
  }
  for await (const run of descend(table, did, { page })) {
    yield run.flatMap(({ edge, position }) =>
      edge.type === 'FILE' ? [{ row: toFileLine(edge.child, edge), position }] : [],
    );
  }
}

/** The line of a file; its values are those of its own item, or of an edge to it. */
function toFileLine(
  { scope, name }: DidKey,
  { bytes, adler32, guid, events }: Pick<Edge, 'bytes' | 'adler32' | 'guid' | 'events'>,
): FileLine {
  return {
    scope,
    name,
    bytes: bytes ?? null,
    adler32: adler32 ?? null,
    guid: guid?.toUpperCase() ?? null,
    events: events ?? null,
  };
}

/**
 * The direct parents of a DID (spec/dids.md 2.12); an archive is no parent of its members.
 *
 * @throws DataIdentifierNotFound (404).
 */
export function listParents(
  { store }: Context,
  key: DidKey,
  page: Page = wholeList,
): ReadyRows<Placed<z.input<typeof parentLine>>> {
  return openLater(async () => {
    if (!isValidDid(key)) throw didNotFoundError(key);
    const collections = listParentCollections(store.table, key, sliceOf(page, readDidAfter(page)));
    const [did, parents] = await Promise.all([findDid(store.table, key), readAhead(collections)]);
    // The parent of a file is a dataset, that of a collection a container.
    const type = did.type === 'FILE' ? 'DATASET' : 'CONTAINER';
    return mapRows(parents, (parent) => placed({ ...parent, type } as const, parent.scope, parent.name));
  });
}
