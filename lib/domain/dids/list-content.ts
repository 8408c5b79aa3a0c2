import type * as z from 'zod';

import type { contentLine, DidKey, fileLine, parentLine } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import { type Edge, listChildren, listParents } from '../../store/entities/edge.ts';
import type { Context } from '../context.ts';
import { findDid } from './find.ts';
import { descend } from './walk.ts';

/**
 * The direct content of a DID (spec/dids.md 2.5); of a file nothing.
 *
 * @throws DataIdentifierNotFound (404).
 */
export async function* listContent({ store }: Context, key: DidKey): AsyncGenerator<z.input<typeof contentLine>> {
  const did = await findDid(store.table, key);
  if (did.type === 'FILE') return;
  for await (const { child, type, bytes, adler32, md5 } of listChildren(store.table, key)) {
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
  if (did.type === 'FILE') {
    yield toFileLine(did, { ...did, lumiblocknr: did.columns?.['lumiblocknr'] as Integer | undefined }, long);
    return;
  }
  for await (const { edge } of descend(store.table, key)) {
    if (edge.type === 'FILE') yield toFileLine(edge.child, edge, long);
  }
}

function toFileLine(
  { scope, name }: DidKey,
  file: { [K in 'bytes' | 'adler32' | 'guid' | 'events' | 'lumiblocknr']?: Edge[K] | undefined },
  long: boolean,
): z.input<typeof fileLine> {
  return {
    scope,
    name,
    bytes: file.bytes ?? null,
    adler32: file.adler32 ?? null,
    guid: file.guid?.toUpperCase() ?? null,
    events: file.events ?? null,
    ...(long ? { lumiblocknr: file.lumiblocknr ?? null } : {}),
  };
}

/**
 * The direct parents of a DID (spec/dids.md 2.12).
 *
 * @throws DataIdentifierNotFound (404).
 */
export async function* listParentsOf({ store }: Context, key: DidKey): AsyncGenerator<z.input<typeof parentLine>> {
  const did = await findDid(store.table, key);
  // What holds a file is a dataset; what holds a collection is a container.
  const type = did.type === 'FILE' ? 'DATASET' : 'CONTAINER';
  for await (const { parent } of listParents(store.table, key)) yield { ...parent, type };
}
