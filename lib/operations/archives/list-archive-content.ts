import type * as z from 'zod/mini';

import type { archiveLine } from '../../contract/schemas/did-lists.ts';
import type { DidKey } from '../../contract/schemas/did.ts';
import { readDidAfter } from '../../domain/did-graph/positions.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { listChildren } from '../../store/entities/edge.ts';

/** The files in an archive. Empty for any other DID, and for an unknown one (spec/dids.md 2.27). */
export async function* listArchiveContent(
  { store }: Context,
  archive: DidKey,
  page: Page = wholeList,
): AsyncGenerator<Placed<z.input<typeof archiveLine>>> {
  if (!isValidDid(archive)) return;
  const slice = sliceOf(page, readDidAfter(page));
  for await (const { child, inArchive, bytes, adler32, md5 } of listChildren(store.table, archive, slice)) {
    // Either all children are in an archive or none is, so the first one decides.
    if (inArchive !== true) return;
    const line = { ...child, bytes: bytes ?? null, adler32: adler32 ?? null, md5: md5 ?? null };
    yield placed(line, child.scope, child.name);
  }
}
