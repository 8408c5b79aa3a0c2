import type * as z from 'zod/mini';

import type { contentLine, DidKey, fileLine, parentLine } from '../../contract/schemas/did.ts';
import { descend } from '../../domain/did-graph/descend.ts';
import { readDidAfter } from '../../domain/did-graph/positions.ts';
import { didNotFoundError, findDid } from '../../domain/dids/find-did.ts';
import { type Page, type Placed, placed, rowsOf, sliceOf, wholeList } from '../../domain/paging/page.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { readAhead } from '../../domain/values/read-ahead.ts';
import { splitIntoChunks } from '../../domain/values/split-into-chunks.ts';
import type { Integer } from '../../integer.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { type Edge, listChildren } from '../../store/entities/edge.ts';
import { listParentCollections } from '../../store/entities/parents.ts';

type FileLine = z.input<typeof fileLine>;

/**
 * The direct content of a DID (spec/dids.md 2.5); of a file nothing.
 *
 * @throws DataIdentifierNotFound (404).
 */
export async function* listContent(
  { store }: Context,
  key: DidKey,
  page: Page = wholeList,
): AsyncGenerator<Placed<z.input<typeof contentLine>>> {
  if (!isValidDid(key)) throw didNotFoundError(key);
  const children = listChildren(store.table, key, sliceOf(page, readDidAfter(page)));
  const [did, edges] = await Promise.all([findDid(store.table, key), readAhead(children)]);
  if (did.type === 'FILE') return;
  for await (const { child, type, bytes, adler32, md5 } of edges) {
    const file = type === 'FILE';
    const size = (file ? bytes : null) ?? null;
    const line = { ...child, type, bytes: size, adler32: adler32 ?? null, md5: md5 ?? null };
    yield placed(line, child.scope, child.name);
  }
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
): AsyncGenerator<Placed<FileLine>> {
  const find = () => findDid(table, key);
  return long ? longLines(table, find, page) : fileLines(table, find, page);
}

/** The files of a DID that is known, as {@link listFiles} answers them without `long`. */
export function listFileLines(table: Table, did: Did): AsyncGenerator<FileLine> {
  return rowsOf(fileLines(table, async () => did, wholeList));
}

/** The luminosity block number stands on the file only, so the files are read, a hundred at a time. */
async function* longLines(table: Table, find: () => Promise<Did>, page: Page): AsyncGenerator<Placed<FileLine>> {
  const { pageSize = 100 } = sliceOf(page);
  for await (const chunk of splitIntoChunks(fileLines(table, find, page), Math.min(pageSize, 100))) {
    const dids = await getDids(
      table,
      chunk.map(({ row }) => row),
    );
    const numbers = new Map(
      dids.map((file) => [formatDid(file), file.columns['lumiblocknr'] as Integer | null | undefined]),
    );
    for (const { row, position } of chunk) {
      yield { row: { ...row, lumiblocknr: numbers.get(formatDid(row)) ?? null }, position };
    }
  }
}

async function* fileLines(table: Table, find: () => Promise<Did>, page: Page): AsyncGenerator<Placed<FileLine>> {
  const did = await find();
  if (did.type === 'FILE') {
    if (page.after === undefined) yield placed(toFileLine(did, did), did.scope, did.name);
    return;
  }
  for await (const run of descend(table, did, { page })) {
    for (const { edge, position } of run) {
      if (edge.type === 'FILE') yield { row: toFileLine(edge.child, edge), position };
    }
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
export async function* listParents(
  { store }: Context,
  key: DidKey,
  page: Page = wholeList,
): AsyncGenerator<Placed<z.input<typeof parentLine>>> {
  if (!isValidDid(key)) throw didNotFoundError(key);
  const collections = listParentCollections(store.table, key, sliceOf(page, readDidAfter(page)));
  const [did, parents] = await Promise.all([findDid(store.table, key), readAhead(collections)]);
  // What holds a file is a dataset; what holds a collection is a container.
  const type = did.type === 'FILE' ? 'DATASET' : 'CONTAINER';
  for await (const parent of parents) yield placed({ ...parent, type }, parent.scope, parent.name);
}
