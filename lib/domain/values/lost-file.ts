import { ReplicaState } from '../../contract/schemas/states.ts';
import type { FileDid, Replica } from '../../store/entities/did.ts';
import { isReadable } from './replica-state.ts';

/**
 * Change of the availability of a file with its replicas: it is LOST when its last readable replica is bad, and AVAILABLE
 * again with the next one that can be read. A value that somebody has set otherwise stays.
 *
 * @param replicas All of them, as they will be.
 */
export function changeAvailability(
  { availability, replicas: present }: Pick<FileDid, 'availability' | 'replicas'>,
  replicas: Iterable<Replica>,
): Pick<FileDid, 'availability'> {
  const [before, after] = [[...present.values()], [...replicas]];
  if (availability !== 'LOST') return !isLost(before) && isLost(after) ? { availability: 'LOST' } : {};
  return !isReadable(before) && isReadable(after) ? { availability: 'AVAILABLE' } : {};
}

/** Whether a replica is bad, and none can be read. */
function isLost(replicas: readonly Replica[]): boolean {
  return replicas.some(({ state }) => state === ReplicaState.BAD) && !isReadable(replicas);
}
