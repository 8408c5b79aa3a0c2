import type * as z from 'zod/mini';

import type { guidLine } from '../../contract/schemas/did-lists.ts';
import type { DidKey } from '../../contract/schemas/did.ts';
import { readDidAfter } from '../../domain/did-graph/positions.ts';
import { normaliseGuid } from '../../domain/dids/sort-metadata.ts';
import { refuseCursor } from '../../domain/paging/cursor.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail } from '../../errors.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import { type FileDid, listByGuid } from '../../store/entities/did.ts';
import { listParentCollections } from '../../store/entities/parents.ts';

/**
 * The files of a GUID, in any spelling of it (spec/interface.md 4.1).
 *
 * @throws DataIdentifierNotFound (404), also for a text that is no GUID.
 */
export async function* listFilesOfGuid(
  context: Context,
  guid: string,
  page: Page = wholeList,
): AsyncGenerator<Placed<z.input<typeof guidLine>>> {
  if (page.after?.at(2) === holders) refuseCursor();
  for (const { scope, name, type, bytes, adler32, md5 } of await findFiles(context, guid, page)) {
    const line = { scope, name, type, bytes: bytes ?? null, adler32: adler32 ?? null, md5: md5 ?? null };
    yield placed(line, scope, name);
  }
}

/** Suffix of the positions in the list of datasets of a GUID; its files are another list under the same path. */
const holders = 'holders';

/**
 * The datasets that hold a file of a GUID, each once, by scope and name: what Rucio's own clients expect (spec/dids.md
 * 2.20).
 *
 * @throws DataIdentifierNotFound (404), also for a text that is no GUID.
 */
export async function* listDatasetsOfGuid(
  context: Context,
  guid: string,
  page: Page = wholeList,
): AsyncGenerator<Placed<DidKey>> {
  if (page.after !== undefined && page.after[2] !== holders) refuseCursor();
  const files = await findFiles(context, guid, wholeList);
  const slice = sliceOf(page, readDidAfter(page));
  const parents = mergeSorted(
    files.map((file) => listParentCollections(context.store.table, file, slice)),
    // As the keys sort: a scope before the scopes that begin with it.
    ({ scope, name }) => `${scope}\u0000${name}`,
  );
  let last = '';
  for await (const parent of parents) {
    if (formatDid(parent) === last) continue;
    last = formatDid(parent);
    yield placed(parent, parent.scope, parent.name, holders);
  }
}

async function findFiles({ store }: Context, guid: string, page: Page): Promise<FileDid[]> {
  const normal = normaliseGuid(guid);
  const slice = sliceOf(page, readDidAfter(page));
  const files = normal === undefined ? [] : await Array.fromAsync(listByGuid(store.table, normal, slice));
  if (files.length === 0 && page.after === undefined) {
    fail('DataIdentifierNotFound', `No file associated to GUID : ${guid}`);
  }
  return files;
}
