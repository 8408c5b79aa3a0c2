import type * as z from 'zod/mini';

import { chunksOf } from '../../chunks.ts';
import type { bulkFileLine } from '../../contract/schemas/did-lists.ts';
import type { DidKey } from '../../contract/schemas/did.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { readAhead } from '../../rows/read-ahead.ts';
import { getDids } from '../../store/entities/did.ts';
import { listFileLines } from './list-content.ts';

const maxParallelDids = 16;

/**
 * The files of many DIDs through all levels, each with its requested DID, in the requested order. Unknown DIDs are
 * skipped (spec/dids.md 2.11).
 */
export async function* listBulkFiles(
  { store }: Context,
  dids: readonly DidKey[],
): AsyncGenerator<z.input<typeof bulkFileLine>> {
  const found = new Map((await getDids(store.table, dids.filter(isValidDid))).map((did) => [formatDid(did), did]));
  const asked = dids.flatMap((did) => found.get(formatDid(did)) ?? []);
  for (const chunk of chunksOf(asked, maxParallelDids)) {
    const contents = await Promise.all(chunk.map((did) => readAhead(listFileLines(store.table, did))));
    for (const [index, did] of chunk.entries()) {
      for await (const file of contents[index] ?? []) yield { ...file, parent_scope: did.scope, parent_name: did.name };
    }
  }
}
