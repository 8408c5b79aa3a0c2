import { acceptsSize, type CopyEnds, type StorageRse } from '../mover.ts';
import type { ToolJob } from '../transfer-tool.ts';

type Kind = 'adler32' | 'md5';
/** The one that Rucio prefers first. */
const kinds: readonly Kind[] = ['adler32', 'md5'];

/** How FTS is to compare the content of a copy. */
export interface ChecksumPlan {
  readonly verify: 'both' | 'source' | 'target' | 'none';
  /** The checksum of the file, or only its kind; undefined: FTS chooses. */
  readonly checksum: string | undefined;
}

/**
 * Plans the comparison as Rucio does, from the attributes `verify_checksum` and `supported_checksums` of both ends: with `both`
 * FTS compares the checksums of the ends with each other and with the catalogue's.
 */
export function planChecksum({ source, destination }: CopyEnds, known: Pick<ToolJob, Kind>): ChecksumPlan {
  const [from, to] = [kindsOf(source.rse), kindsOf(destination.rse)];
  const common = from.filter((kind) => to.includes(kind));
  if (common.length > 0) return { verify: 'both', checksum: choose(common, known) ?? nameOnly(common) };
  if (to.length > 0) return { verify: 'target', checksum: choose(to, known) };
  return from.length > 0
    ? { verify: 'source', checksum: choose(from, known) }
    : { verify: 'none', checksum: undefined };
}

/** Why no comparison shows that a copy is right, for people; undefined: one does, or the size is to be enough. */
export function findChecksumObstacle(ends: CopyEnds, known: Pick<ToolJob, Kind>): string | undefined {
  const { rse } = ends.destination;
  const { verify, checksum } = planChecksum(ends, known);
  if (acceptsSize(rse) || verify === 'both' || (verify === 'target' && checksum !== undefined)) return undefined;
  return `No checksum that ${rse.rse} supports shows whether a copy from ${ends.source.rse.rse} is right (supported_checksums).`;
}

function kindsOf(rse: StorageRse): readonly Kind[] {
  if (acceptsSize(rse)) return [];
  const { supported_checksums: attribute } = rse.attributes;
  if (typeof attribute !== 'string' || attribute.trim() === '') return kinds;
  const named = new Set(attribute.split(',').map((kind) => kind.trim()));
  return named.has('none') ? [] : kinds.filter((kind) => named.has(kind));
}

function choose(possible: readonly Kind[], known: Pick<ToolJob, Kind>): string | undefined {
  const kind = possible.find((one) => known[one] !== undefined);
  return kind === undefined ? undefined : `${kind.toUpperCase()}:${known[kind]}`;
}

/** FTS compares the ends by Adler-32 unless it is told another kind. */
function nameOnly(possible: readonly Kind[]): string | undefined {
  return possible.includes('adler32') ? undefined : possible[0]?.toUpperCase();
}
