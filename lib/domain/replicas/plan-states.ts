import type { ReplicaChange } from '../../contract/schemas/replica.ts';
import { LockState, ReplicaState, replicaStateNames } from '../../contract/schemas/states.ts';
import { defined } from '../../defined.ts';
import { fail, RucioError } from '../../errors.ts';
import { findNewPathFlaw } from '../../paths.ts';
import { pythonRepr } from '../../python/text.ts';
import type { Table } from '../../store/batches/table.ts';
import { endDeclaration } from '../../store/entities/bad-replica.ts';
import type { FileDid, Replica } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { Plan, Write } from '../../store/items/plan.ts';
import { requireNotReaped } from '../dids/register-files.ts';
import { noteFreedBy, owner } from '../locks/freed-by.ts';
import { LockUpdates } from '../locks/lock-updates.ts';
import { beginsAnew, replicaTransitions } from '../locks/replica-transitions.ts';
import { truncateError } from '../locks/rule-errors.ts';
import { planFollowed } from '../rules/life-cycle/follow-at-once.ts';
import { computeFirstTombstone } from '../values/first-tombstone.ts';
import { formatDid } from '../values/format-did.ts';
import { countReplicaLocks, effectiveState } from '../values/replica-state.ts';
import { replicaLockedError } from './find-dids.ts';
import { logDeclaration } from './log-declaration.ts';
import { canBeCopied, markGone } from './mark-gone.ts';

/** A wanted change of the state of a replica. */
export interface StateChange extends ReplicaChange {
  /** The replica stays COPYING, but nobody can make the copy at present, for the reason in `error_message`. */
  readonly waits?: true;
  /** The attempts to copy that have failed, and the source of the last one, by its id. */
  readonly failure?: { readonly attempts: number; readonly sourceId?: string | undefined };
}

/** Input of a plan of changed states: the RSE and the files as they were read, and the wanted changes. */
export interface StateChanges {
  readonly rse: Rse;
  readonly files: ReadonlyMap<string, FileDid>;
  readonly changes: readonly StateChange[];
  /** The account that changes them; absent: a mover. */
  readonly account?: string;
  /** How often the plan was made, from 1. */
  readonly attempt: number;
  readonly now: number;
}

/**
 * Plans new states of replicas on an RSE, with the locks and rules that change with them: see {@link replicaTransitions}
 * (spec/replication.md 1.3, 3.5).
 *
 * @throws ReplicaNotFound (404); ReplicaIsLocked (423) for BEING_DELETED of a locked replica; UnsupportedOperation (409) for
 *   TEMPORARY_UNAVAILABLE of one that is not there; ResourceTemporaryUnavailable (503) while a reaper deletes the file;
 *   InvalidPath (400).
 */
export async function planStates(latest: Table, wanted: StateChanges): Promise<Plan> {
  const { rse, files, changes, attempt, now } = wanted;
  const replicas = Array.from(files.values(), (file) => file.replicas.get(rse.id));
  const lockUpdates = await LockUpdates.open(latest, replicas, now);
  const planned = new PlannedStates(wanted, lockUpdates);
  for (const change of changes) planned.change(change);
  planned.endLosses();
  const recovered = Array.from(files.values(), (file) => endRecovered(lockUpdates, file, { rse, now }));
  return [
    ...(await planFollowed(latest.latest(), lockUpdates, attempt, now)),
    ...planned.entries(),
    ...recovered.flat(),
  ];
}

/** The changes of a request, one after the other. */
class PlannedStates {
  readonly #wanted: StateChanges;
  readonly #lockUpdates: LockUpdates;
  /** Files whose replica is bad now. */
  readonly #lost = new Set<FileDid>();
  /** New entries in the log of bad replicas. */
  readonly #declared = new Map<FileDid, Write>();

  constructor(wanted: StateChanges, lockUpdates: LockUpdates) {
    this.#wanted = wanted;
    this.#lockUpdates = lockUpdates;
  }

  change(change: StateChange): void {
    const { rse, files, now } = this.#wanted;
    const updates = this.#lockUpdates;
    const file = files.get(formatDid(change));
    const replica = file === undefined ? undefined : updates.replicaOf(file, rse.id);
    if (file === undefined || replica === undefined) {
      fail('ReplicaNotFound', `No row found for scope: ${change.scope} name: ${change.name} rse: ${rse.rse}`);
    }
    const present = effectiveState(replica, now);
    const transition = replicaTransitions[present][change.state];
    this.#lost.delete(file);
    if (transition !== 'deletion') requireNotReaped(file, rse, now);
    if (transition === 'refusal') throw notChangeableError(change, rse);
    if (transition === 'deletion' && countReplicaLocks(replica) > 0) throw replicaLockedError(file, rse);
    requirePath(rse, change);
    const changed = changeReplica(rse, { file, replica }, change, now);
    if (transition === 'loss') updates.changes.noteBad(file, rse.id);
    const declared = transition === 'loss' ? this.#declare(file, replica, change) : changed.declared;
    const renewed = beginsAnew(change.state) ? { tombstone: computeFirstTombstone(rse, now) } : undefined;
    updates.set(file, rse.id, { ...changed, ...defined({ declared }) }, renewed);
    switch (transition) {
      case 'arrival':
        return updates.markAvailable(file, rse.id);
      case 'failure':
        return updates.markFailed(file, rse.id, change.error_message ?? undefined);
      case 'wait':
        if (change.waits === true) return updates.markFailed(file, rse.id, change.error_message ?? undefined);
        return updates.markAwaited(file, rse.id, canBeCopied(updates, file, rse.id));
      case 'loss':
        this.#lost.add(file);
        return undefined;
      case 'deletion':
        return undefined;
    }
  }

  /** Marks the bad replicas that are gone, which follows from all changes together. */
  endLosses(): void {
    const { rse } = this.#wanted;
    for (const file of this.#lost) markGone(this.#lockUpdates, file, rse.id);
  }

  /** The entries in the log of bad replicas, of those that are bad in the end. */
  entries(): Write[] {
    const { rse } = this.#wanted;
    const isDeclared = (file: FileDid) => this.#lockUpdates.replicaOf(file, rse.id)?.declared !== undefined;
    return [...this.#declared].flatMap(([file, write]) => (isDeclared(file) ? [write] : []));
  }

  #declare(file: FileDid, { declared }: Replica, change: StateChange): NonNullable<Replica['declared']> {
    if (declared !== undefined) return declared;
    const { rse, account = '', now } = this.#wanted;
    const reason = change.error_message ?? undefined;
    const logged = logDeclaration(file, rse.id, { state: 'BAD', reason, account, now });
    this.#declared.set(file, logged.write);
    return logged.declared;
  }
}

function notChangeableError({ state, scope, name }: StateChange, { rse }: Rse): RucioError {
  const text = `State ${replicaStateNames[state]} for replica ${formatDid({ scope, name })} on ${rse} cannot be updated`;
  return new RucioError('UnsupportedOperation', text);
}

/** The path that a change tells. Rucio takes any. */
function requirePath({ rse, deterministic }: Rse, change: StateChange): void {
  const { path } = change;
  const flaw = path && !deterministic ? findNewPathFlaw(path) : undefined;
  if (flaw !== undefined) {
    fail('InvalidPath', `The path ${pythonRepr(path)} of ${formatDid(change)} on ${rse} names no file: ${flaw}`);
  }
}

interface Known {
  readonly file: FileDid;
  readonly replica: Replica;
}

/** The replica in its new state. BEING_DELETED sets the tombstone; AVAILABLE clears the bad declaration and failures. */
function changeReplica(rse: Rse, { file, replica }: Known, change: StateChange, now: number): Replica {
  const { state, path } = change;
  // A new state does not come from the reaper that has marked it.
  const { until: _until, declared, failed: _failed, mark: _mark, ...kept } = replica;
  const isAvailable = state === ReplicaState.AVAILABLE;
  return {
    ...kept,
    ...(declared === undefined || isAvailable ? {} : { declared }),
    ...defined({ failed: isAvailable ? undefined : findFailure(replica, change, now) }),
    state,
    ...(state === ReplicaState.BEING_DELETED ? { tombstone: 0, freedBy: noteFreedBy(file, replica, owner) } : {}),
    ...(path && !rse.deterministic && !isSamePath(path, replica.path) ? { path, ownsPath: true as const } : {}),
  };
}

/** Leading slashes mean nothing. */
function isSamePath(path: string, other: string | undefined): boolean {
  return other !== undefined && path.replace(/^\/+/, '') === other.replace(/^\/+/, '');
}

/** How copies to a replica have failed: with this change, if it reports that a copy did not come to be. */
function findFailure(replica: Replica, change: StateChange, now: number): Replica['failed'] {
  const { failed, state } = replica;
  if (change.waits === true) {
    const error = truncateError(change.error_message ?? '');
    return { attempts: failed?.attempts ?? 0, at: now, error, waits: true };
  }
  // Somebody brings it: what kept it from being copied is over.
  if (change.state === ReplicaState.COPYING && failed?.waits === true) return withoutWait(failed);
  if (change.state !== ReplicaState.UNAVAILABLE || state !== ReplicaState.COPYING) return failed;
  const { attempts = 1, sourceId } = change.failure ?? {};
  const error = change.error_message ? truncateError(change.error_message) : undefined;
  return { attempts: (failed?.attempts ?? 0) + attempts, at: now, ...defined({ error, sourceId }) };
}

/** The attempts that failed, without the reason why nobody could make the copy. */
function withoutWait({ attempts, at }: NonNullable<Replica['failed']>): Replica['failed'] {
  return attempts === 0 ? undefined : { attempts, at };
}

/** The write that ends the bad declaration of a recovered replica, if any. */
function endRecovered(
  lockUpdates: LockUpdates,
  file: FileDid,
  { rse: { id }, now }: Pick<StateChanges, 'rse' | 'now'>,
): Write[] {
  const declared = file.replicas.get(id)?.declared;
  const hasRecovered = declared !== undefined && lockUpdates.replicaOf(file, id)?.declared === undefined;
  return hasRecovered ? [endDeclaration({ ...declared, rseId: id, did: file }, 'RECOVERED', now)] : [];
}

/**
 * The change that notes why nobody can make a copy at present, so that the rules which wait for it say so; undefined if it is
 * noted already, or the copy is not asked for.
 */
export function noteWaiting(file: FileDid | undefined, rseId: string, reason: string): StateChange | undefined {
  const replica = file?.replicas.get(rseId);
  if (file === undefined || replica?.state !== ReplicaState.COPYING || replica.askedBy === undefined) return undefined;
  const { failed, locks = {} } = replica;
  const isSaid = Object.values(locks).every(({ state }) => state === LockState.STUCK);
  if (isSaid && failed?.waits === true && failed.error === truncateError(reason)) return undefined;
  const { scope, name } = file;
  return { scope, name, state: ReplicaState.COPYING, error_message: reason, waits: true };
}

/** The change that says that a copy can be made again, so that the rules wait for it as before; undefined if nothing was noted. */
export function endWaiting(file: FileDid | undefined, rseId: string): StateChange | undefined {
  const replica = file?.replicas.get(rseId);
  if (file === undefined || replica?.state !== ReplicaState.COPYING || replica.failed?.waits !== true) return undefined;
  const { scope, name } = file;
  return { scope, name, state: ReplicaState.COPYING };
}
