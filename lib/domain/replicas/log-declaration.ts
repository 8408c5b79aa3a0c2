import { BadReplicaState } from '../../contract/schemas/states.ts';
import { defined } from '../../defined.ts';
import { insertBadReplica, newBadReplicaKey } from '../../store/entities/bad-replica.ts';
import type { FileDid, Replica } from '../../store/entities/did.ts';
import type { Write } from '../../store/items/plan.ts';

/** Declaration about a replica. */
export interface Statement {
  readonly state: 'BAD' | 'SUSPICIOUS' | 'TEMPORARY_UNAVAILABLE';
  readonly reason?: string | undefined;
  /** In milliseconds since 1970. */
  readonly until?: number | undefined;
  /** The account that declares it. */
  readonly account: string;
  readonly now: number;
}

/** The entry of a declaration in the log of bad replicas, and the reference to it on the replica. */
export function logDeclaration(
  file: FileDid,
  rseId: string,
  { state, reason, until, account, now }: Statement,
): { readonly declared: NonNullable<Replica['declared']>; readonly write: Write } {
  const key = newBadReplicaKey(rseId, file, now);
  const entry = { ...key, state: BadReplicaState[state], account, ...defined({ reason, bytes: file.bytes, until }) };
  return { declared: { at: key.at, id: key.id }, write: insertBadReplica(entry) };
}
