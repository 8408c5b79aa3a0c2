import type { CopyPfn } from '../domain/requests/copy-pfn.ts';
import type { LeasedTransfer } from '../domain/requests/lease-transfers.ts';
import { httpSchemes, makeHttpUrl } from '../domain/rses/pfn/http-url.ts';
import { rootedPrefix } from '../domain/rses/pfn/protocol-parts.ts';
import type { CopyJob, CopyPlace, Mover } from '../movers/mover.ts';
import type { Rse } from '../store/entities/rse.ts';

/** The copy to make, or why there is none. */
export type ChosenJob =
  | { readonly job: CopyJob; readonly obstacle?: never }
  | { readonly job?: never; readonly obstacle: string };

/** Chooses the best source from which a mover can make a copy. @param requireLease As of a {@link CopyJob}. */
export async function chooseJob(
  mover: Pick<Mover, 'findObstacle'>,
  { details, lease, destination, sources, replaces }: LeasedTransfer,
  requireLease: () => void,
): Promise<ChosenJob> {
  const { bytes, adler32, md5 } = details.file ?? {};
  let obstacle: string | undefined;
  for (const { rse, pfn, path, protocol } of sources) {
    if (pfn === undefined || path === undefined || protocol === undefined || destination === undefined) continue;
    const ends = {
      source: makePlace(rse, { pfn, path, protocol }),
      destination: makePlace(details.destination, destination),
    };
    const job = { id: lease.id, ...ends, bytes, adler32, md5, replaces, requireLease };
    const found = await mover.findObstacle?.(job);
    if (found === undefined) return { job };
    obstacle ??= found;
  }
  return { obstacle: obstacle ?? 'No protocol serves the copy.' };
}

function makePlace({ id, rse, rseType, attributes }: Rse, { pfn, path, protocol }: CopyPfn): CopyPlace {
  const url = httpSchemes.has(protocol.scheme) ? tryUrl(protocol, path) : undefined;
  return { rse: { id, rse, rseType, attributes }, pfn, prefix: rootedPrefix(protocol), url };
}

/** A path that leaves its folder has no URL: no mover copies such a file. */
function tryUrl(protocol: CopyPfn['protocol'], path: string): string | undefined {
  try {
    return makeHttpUrl(protocol, path);
  } catch {
    return undefined;
  }
}
