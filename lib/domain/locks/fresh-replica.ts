import { defined } from '../../defined.ts';
import type { Replica } from '../../store/entities/did.ts';
import { countReplicaLocks } from '../values/replica-state.ts';

/**
 * A replica to which its file is uploaded anew: the tombstone and the mark of what was there before must not take what is there
 * now. With locks it is one that rules have copied, or keep, and it stays noted whose rules on it have ended.
 *
 * @param tombstone That of a new replica.
 */
export function renewReplica(replica: Replica, tombstone: number | undefined): Replica {
  const { tombstone: _former, mark: _mark, deletionError: _error, ...kept } = replica;
  if (countReplicaLocks(replica) > 0) return kept;
  const { freedBy: _freed, ...fresh } = kept;
  return { ...fresh, ...defined({ tombstone }) };
}
