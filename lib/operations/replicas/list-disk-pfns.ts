import type { DidKey } from '../../contract/schemas/did.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import type { Integer } from '../../integer.ts';
import { listReplicas } from './list-replicas.ts';
import { availableStates } from './replica-query.ts';

/** A file with the PFNs of its replicas on disks. */
export interface FileOnDisk extends DidKey {
  readonly bytes: Integer | null;
  readonly adler32: string | null;
  readonly pfns: readonly string[];
}

/**
 * The PFNs of files on the disks of an RSE expression: of available replicas on RSEs that are available for reading
 * (spec/access.md 10.3). A file without such a replica has none; unknown files are left out.
 *
 * @throws InvalidRSEExpression, InvalidObject (400).
 */
export async function* listDiskPfns(
  context: AnonymousContext,
  files: readonly DidKey[],
  expression: string,
): AsyncGenerator<FileOnDisk> {
  const lines = listReplicas(context, {
    dids: files,
    site: undefined,
    access: { domain: undefined, schemes: [] },
    arrangement: { algorithm: 'geoip', limit: undefined, byRse: false },
    filter: { states: availableStates, ignoreAvailability: false, expression, updatedAfter: undefined },
    resolveArchives: true,
    resolveParents: false,
    random: undefined,
  });
  for await (const { scope, name, bytes, adler32, pfns } of lines) {
    const onDisk = Object.entries(pfns).filter(([, { type }]) => type === 'DISK');
    yield { scope, name, bytes, adler32, pfns: onDisk.map(([pfn]) => pfn) };
  }
}
