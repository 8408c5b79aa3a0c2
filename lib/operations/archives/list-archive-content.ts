import type * as z from 'zod/mini';

import type { archiveLine } from '../../contract/schemas/did-lists.ts';
import type { DidKey } from '../../contract/schemas/did.ts';
import { readDidAfter } from '../../domain/did-graph/positions.ts';
import { rowsOfDid } from '../../domain/dids/rows-of-did.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import type { Table } from '../../store/batches/table.ts';
import { listChildren } from '../../store/entities/edge.ts';

type ArchiveLine = Placed<z.input<typeof archiveLine>>;

/**
 * The files in an archive; empty for any other DID (spec/dids.md 2.27).
 *
 * @throws DataIdentifierNotFound (404).
 */
export function listArchiveContent(
  { store: { table } }: Context,
  archive: DidKey,
  page: Page = wholeList,
): AsyncGenerator<ArchiveLine> {
  return rowsOfDid(table, archive, listFiles(table, archive, page));
}

async function* listFiles(table: Table, archive: DidKey, page: Page): AsyncGenerator<ArchiveLine> {
  if (!isValidDid(archive)) return;
  const slice = sliceOf(page, readDidAfter(page));
  for await (const { child, inArchive, bytes, adler32, md5 } of listChildren(table, archive, slice)) {
    // Either all children are in an archive or none is, so the first one decides.
    if (inArchive !== true) return;
    const line = { ...child, bytes: bytes ?? null, adler32: adler32 ?? null, md5: md5 ?? null };
    yield placed(line, child.scope, child.name);
  }
}
