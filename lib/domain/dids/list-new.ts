import type * as z from 'zod';

import type { newDidLine } from '../../contract/schemas/did-lists.ts';
import { didType, type DidKey, type DidType } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import { getDids } from '../../store/entities/did.ts';
import { listNewCollections, listNewFiles } from '../../store/entities/new-did.ts';
import { hourOf } from '../../store/keys.ts';
import type { Table } from '../../store/table.ts';
import type { Context } from '../context.ts';
import { formatDid } from './names.ts';

/** What an answer holds at most. */
const most = 1000;

/** Files of an hour that are looked at before the list goes without the rest of them. */
const mostFilesLookedAt = 5000;

/** How far back is looked, in hours, and how many of them at once: first the hour that has most likely something. */
const windows = [1, 3, 8, 12];

/**
 * DIDs that were made within the last 24 hours and are still flagged as new, at most 1000, hour by hour from now
 * (spec/dids.md 2.22).
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
): AsyncGenerator<z.input<typeof newDidLine>> {
  const types = type === undefined ? didType.options : [readType(type)];
  let left = most;
  let hour = hourOf(now);
  for (const window of windows) {
    const hours = Array.from({ length: window }, (_value, index) => hour - index);
    hour -= window;
    const rows = await Promise.all(
      hours.flatMap((one) => types.map(async (kind) => ({ kind, dids: await newOf(store.table, kind, one, left) }))),
    );
    for (const { kind, dids } of rows) {
      for (const { scope, name } of dids.slice(0, left)) yield { scope, name, did_type: kind, type: kind };
      left -= Math.min(left, dids.length);
    }
    if (left === 0) return;
  }
}

function readType(text: string): DidType {
  const known = didType.safeParse(text.toUpperCase());
  return known.success ? known.data : fail('ValueError', `The type '${text}' is unknown`);
}

/** The new DIDs of a type and an hour, no more than are needed. */
async function newOf(table: Table, type: DidType, hour: number, limit: number): Promise<DidKey[]> {
  if (type === 'FILE') return newFilesOf(table, hour, limit);
  const dids: DidKey[] = [];
  for await (const did of listNewCollections(table, type, hour, limit)) {
    dids.push(did);
    if (dids.length === limit) break;
  }
  return dids;
}

/** Only the file itself says whether it is still there and still new; a file may be listed twice. */
async function newFilesOf(table: Table, hour: number, limit: number): Promise<DidKey[]> {
  const files = new Map<string, DidKey>();
  let looked = 0;
  for await (const names of chunksOf(listNewFiles(table, hour))) {
    for (const file of await getDids(table, names)) {
      const { is_new: flag = true } = file.columns;
      if (flag === true && files.size < limit) files.set(formatDid(file), file);
    }
    looked += names.length;
    if (files.size === limit || looked >= mostFilesLookedAt) break;
  }
  return [...files.values()];
}

async function* chunksOf(dids: AsyncIterable<DidKey>): AsyncGenerator<DidKey[]> {
  let chunk: DidKey[] = [];
  for await (const did of dids) {
    chunk.push(did);
    if (chunk.length < 500) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
