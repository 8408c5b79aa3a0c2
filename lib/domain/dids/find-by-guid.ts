import type * as z from 'zod';

import type { guidLine } from '../../contract/schemas/did-lists.ts';
import type { DidKey } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import { type Did, listByGuid } from '../../store/entities/did.ts';
import { listParents } from '../../store/entities/edge.ts';
import type { Context } from '../context.ts';
import { normaliseGuid } from './metadata.ts';
import { formatDid } from './names.ts';

/**
 * The files of a GUID, in any spelling of it (interface document, 4.1).
 *
 * @throws DataIdentifierNotFound (404), also for what is no GUID.
 */
export async function* listFilesOfGuid(context: Context, guid: string): AsyncGenerator<z.input<typeof guidLine>> {
  for (const { scope, name, type, bytes, adler32, md5 } of await findFiles(context, guid)) {
    yield { scope, name, type, bytes: bytes ?? null, adler32: adler32 ?? null, md5: md5 ?? null };
  }
}

/**
 * The datasets that hold a file of a GUID, each once: what Rucio's own clients expect (spec/dids.md 2.20).
 *
 * @throws DataIdentifierNotFound (404), also for what is no GUID.
 */
export async function* listDatasetsOfGuid(context: Context, guid: string): AsyncGenerator<DidKey> {
  const seen = new Set<string>();
  for (const file of await findFiles(context, guid)) {
    for await (const { parent, inArchive } of listParents(context.store.table, file)) {
      if (inArchive === true || seen.has(formatDid(parent))) continue;
      seen.add(formatDid(parent));
      yield parent;
    }
  }
}

async function findFiles({ store }: Context, guid: string): Promise<Did[]> {
  const files: Did[] = [];
  const normal = normaliseGuid(guid);
  if (normal !== undefined) for await (const file of listByGuid(store.table, normal)) files.push(file);
  if (files.length === 0) fail('DataIdentifierNotFound', `No file associated to GUID : ${guid}`);
  return files;
}
