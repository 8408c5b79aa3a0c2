import { isSameChecksum } from '../../checksum.ts';
import type { DidElement } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import type { NewFileDid } from '../../store/entities/did.ts';
import { formatDid } from '../values/format-did.ts';

/**
 * Requires that the facts that a request states about a file are those of the catalogue.
 *
 * @param options `ifKnown`: a checksum may be told that is not known.
 * @throws FileConsistencyMismatch (412).
 */
export function requireSameFile(element: DidElement, file: NewFileDid, { ifKnown = false } = {}): void {
  for (const key of ['bytes', 'adler32', 'md5'] as const) {
    const [claimed, known = ifKnown ? claimed : 'None'] = [element[key], file[key]];
    if (claimed === undefined || String(claimed) === String(known)) continue;
    if (key !== 'bytes' && isSameChecksum(key, String(claimed), String(known))) continue;
    fail('FileConsistencyMismatch', `${key} mismatch for '${formatDid(file)}': ${claimed}!=${known}`);
  }
}
