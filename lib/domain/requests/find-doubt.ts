import type { ReportedRequest } from '../../contract/schemas/transfer-lease.ts';
import { isContentKnown, provesContent } from '../../movers/mismatch.ts';
import { acceptsSize } from '../../movers/mover.ts';
import type { FileDid } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';

/**
 * Why the report of a mover does not show that the content of a copy was compared; undefined: it does. Where an RSE accepts copies
 * by their size, what replaces a bad one still needs a checksum.
 *
 * @param rse The destination.
 */
export function findDoubt(file: FileDid, report: ReportedRequest, rse: Rse): string | undefined {
  const replaces = file.replicas.get(rse.id)?.declared !== undefined;
  if (acceptsSize(rse) && !replaces) return undefined;
  // Where the catalogue knows no checksum, the mover has to have compared the copy with its source.
  const isShown = isContentKnown(file) ? provesContent(file, report) : isContentKnown(report);
  return isShown ? undefined : `The mover told no checksum of the copy that can be compared (${kindsOf(file)}).`;
}

/** The kinds of checksums by which a copy of a file can be compared. */
function kindsOf({ adler32, md5 }: FileDid): string {
  const known = [adler32 === undefined ? [] : ['adler32'], md5 === undefined ? [] : ['md5']].flat();
  return known.length === 0 ? 'adler32 or md5' : known.join(' or ');
}
