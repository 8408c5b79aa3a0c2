import { type CopyEnds, CopyObstacle, type CopyPlace } from './mover.ts';

/** An empty file that is put beside the destination of a copy, under a temporary name. */
export interface Probe {
  put(): Promise<unknown>;
  /** Whether a file of its name is beside the source. */
  isSeen(): Promise<boolean>;
  /** Whether it is beside the destination. */
  isThere(): Promise<boolean>;
  remove(): Promise<unknown>;
}

/**
 * Makes sure that a file which is at the destination of a copy already is not the source by another address, such as that of a
 * server that shows the same folder: it would count as two copies. An empty file beside the one must not be beside the other.
 *
 * @throws CopyObstacle if it is; Error if the empty file cannot be written, or is gone before both have been looked at.
 */
export async function requireOtherStorage({ source, destination }: CopyEnds, probe: Probe): Promise<void> {
  if (nameOf(source) !== nameOf(destination)) return;
  try {
    await probe.put();
    if (!(await probe.isSeen())) {
      if (await probe.isThere()) return;
      // Its absence proves nothing then.
      throw new Error(`It is not known yet whether ${destination.pfn} is the same file as its source ${source.pfn}.`);
    }
  } finally {
    await probe.remove().catch(() => undefined);
  }
  throw new CopyObstacle(
    `${destination.pfn} is the same file as its source ${source.pfn}: ${destination.rse.rse} and ${source.rse.rse} have one storage.`,
  );
}

/** The last part of an address, as storages spell it that tell neither case apart. */
const nameOf = ({ pfn }: CopyPlace) => pfn.slice(pfn.lastIndexOf('/') + 1).toLowerCase();
