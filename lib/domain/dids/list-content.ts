import type * as z from 'zod';

import type { contentLine, DidKey, fileLine, parentLine } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { type Edge, listChildren, listParents } from '../../store/entities/edge.ts';
import type { Table } from '../../store/table.ts';
import type { Context } from '../context.ts';
import { didNotFound, findDid } from './find.ts';
import { formatDid, isValidDid } from './names.ts';
import { readAhead } from './read-ahead.ts';
import { descend } from './walk.ts';

/**
 * The direct content of a DID (spec/dids.md 2.5); of a file nothing.
 *
 * @throws DataIdentifierNotFound (404).
 */
export async function* listContent({ store }: Context, key: DidKey): AsyncGenerator<z.input<typeof contentLine>> {
  if (!isValidDid(key)) throw didNotFound(key);
  const [did, edges] = await Promise.all([findDid(store.table, key), readAhead(listChildren(store.table, key))]);
  if (did.type === 'FILE') return;
  for await (const { child, type, bytes, adler32, md5 } of edges) {
    const file = type === 'FILE';
    yield { ...child, type, bytes: (file ? bytes : null) ?? null, adler32: adler32 ?? null, md5: md5 ?? null };
  }
}

/**
 * The files of a DID through all levels, one line an attachment; a file yields itself (spec/dids.md 2.10).
 *
 * @param long With the luminosity block number.
 * @throws DataIdentifierNotFound (404).
 */
export async function* listFiles(
  { store }: Context,
  key: DidKey,
  long: boolean,
): AsyncGenerator<z.input<typeof fileLine>> {
  const did = await findDid(store.table, key);
  if (long) yield* longLines(store.table, did);
  else yield* fileLines(store.table, did);
}

/** The files of a DID that is known, as {@link listFiles} answers them without `long`. */
export async function* fileLines(table: Table, did: Did): AsyncGenerator<z.input<typeof fileLine>> {
  for await (const file of filesOf(table, did)) yield toFileLine(file);
}

/** The luminosity block number stands on the file only, so the files are read, a hundred at a time. */
async function* longLines(table: Table, did: Did): AsyncGenerator<z.input<typeof fileLine>> {
  let chunk: File[] = [];
  for await (const file of filesOf(table, did)) {
    chunk.push(file);
    if (chunk.length < 100) continue;
    yield* await withBlockNumbers(table, chunk);
    chunk = [];
  }
  yield* await withBlockNumbers(table, chunk);
}

async function withBlockNumbers(table: Table, files: readonly File[]): Promise<z.input<typeof fileLine>[]> {
  const dids = await getDids(table, files);
  const numbers = new Map(
    dids.map((did) => [formatDid(did), did.columns['lumiblocknr'] as Integer | null | undefined]),
  );
  return files.map((file) => ({ ...toFileLine(file), lumiblocknr: numbers.get(formatDid(file)) ?? null }));
}

/** A file, from its own item or from what an edge says of it. */
type File = DidKey & Pick<Edge, 'bytes' | 'adler32' | 'guid' | 'events'>;

async function* filesOf(table: Table, did: Did): AsyncGenerator<File> {
  if (did.type === 'FILE') {
    yield did;
    return;
  }
  for await (const { edge } of descend(table, did)) if (edge.type === 'FILE') yield { ...edge, ...edge.child };
}

function toFileLine({ scope, name, bytes, adler32, guid, events }: File): z.input<typeof fileLine> {
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
export async function* listParentsOf({ store }: Context, key: DidKey): AsyncGenerator<z.input<typeof parentLine>> {
  if (!isValidDid(key)) throw didNotFound(key);
  const [did, edges] = await Promise.all([findDid(store.table, key), readAhead(listParents(store.table, key))]);
  // What holds a file is a dataset; what holds a collection is a container.
  const type = did.type === 'FILE' ? 'DATASET' : 'CONTAINER';
  for await (const { parent, inArchive } of edges) if (inArchive !== true) yield { ...parent, type };
}
