import { ReplicaState } from '../../../contract/schemas/states.ts';
import type { Table } from '../../../store/batches/table.ts';
import type { FileDid, Replica } from '../../../store/entities/did.ts';
import type { Write } from '../../../store/items/plan.ts';
import { LockUpdates } from '../../locks/lock-updates.ts';
import { planFollowed } from '../../rules/life-cycle/follow-at-once.ts';
import type { Context } from '../../values/context.ts';
import { formatDid } from '../../values/format-did.ts';
import { effectiveState } from '../../values/replica-state.ts';
import { findFiles } from '../find-dids.ts';
import { logDeclaration } from '../log-declaration.ts';
import { markGone } from '../mark-gone.ts';
import type { LocatedReplica } from './locate-replicas.ts';

/** A state that is declared of replicas. */
interface Declaration {
  readonly state: 'BAD' | 'SUSPICIOUS' | 'TEMPORARY_UNAVAILABLE';
  readonly reason: string | undefined;
  /** Declare replicas bad again that were declared bad before: copies of them that are under way begin anew. */
  readonly force?: boolean;
  /** In milliseconds since 1970. */
  readonly until?: number;
}

/** Why replicas were not declared, by the name of the RSE. */
export type RefusedDeclarations = ReadonlyMap<string, readonly string[]>;

/**
 * Declares the state of replicas, all or nothing: adds entries to the log and marks replicas bad or temporarily
 * unavailable (spec/replication.md 1.8). A replica that is named twice counts once. A bad replica with locks is
 * requested again if another replica can be copied.
 *
 * @param answerOf Makes the answer from the refused declarations.
 */
export async function writeDeclarations<T>(
  context: Context,
  located: readonly LocatedReplica[],
  declaration: Declaration,
  answerOf: (refused: RefusedDeclarations) => T,
): Promise<T> {
  let attempt = 0;
  return context.store.decide(async (latest) => {
    attempt += 1;
    const files = await findFiles(
      latest,
      located.flatMap(({ did }) => did ?? []),
    );
    const replicas = located.map(({ did, rse }) => (did && files.get(formatDid(did)))?.replicas.get(rse.id));
    const lockUpdates = await LockUpdates.open(latest, replicas, context.now);
    const draft = new Declarations(context, declaration, lockUpdates);
    for (const suspect of located) draft.declare(suspect, files);
    return { writes: await draft.plan(latest.latest(), attempt), answer: answerOf(draft.refused) };
  });
}

/** Declarations that are being planned. */
class Declarations {
  readonly refused = new Map<string, string[]>();
  readonly #context: Context;
  readonly #declaration: Declaration;
  readonly #lockUpdates: LockUpdates;
  /** Replicas that become bad. */
  readonly #lost: { readonly file: FileDid; readonly rseId: string }[] = [];
  readonly #entries: Write[] = [];
  /** Replicas that were named already. */
  readonly #seen = new Set<string>();

  constructor(context: Context, declaration: Declaration, lockUpdates: LockUpdates) {
    this.#context = context;
    this.#declaration = declaration;
    this.#lockUpdates = lockUpdates;
  }

  declare(suspect: LocatedReplica, files: ReadonlyMap<string, FileDid>): void {
    const { rse, did, label, unknownLabel } = suspect;
    const seen = `${rse.id} ${did === undefined ? unknownLabel : formatDid(did)}`;
    if (this.#seen.has(seen)) return;
    this.#seen.add(seen);
    const file = did === undefined ? undefined : files.get(formatDid(did));
    const replica = file?.replicas.get(rse.id);
    if (file === undefined || replica === undefined) this.#refuse(rse.rse, `${unknownLabel} Unknown replica`);
    else if (!this.#apply(file, rse.id, replica)) this.#refuse(rse.rse, `${label} Already declared`);
  }

  /** The writes. What becomes of bad replicas follows from all declarations of the request together. */
  async plan(table: Table, attempt: number): Promise<Write[]> {
    const { now } = this.#context;
    for (const { file, rseId } of this.#lost) markGone(this.#lockUpdates, file, rseId);
    return [...(await planFollowed(table, this.#lockUpdates, attempt, now)), ...this.#entries];
  }

  /** @returns False if it was declared before. */
  #apply(file: FileDid, rseId: string, replica: Replica): boolean {
    const { state, force = false, until } = this.#declaration;
    const { now } = this.#context;
    switch (state) {
      case 'SUSPICIOUS':
        this.#log(file, rseId);
        return true;
      case 'TEMPORARY_UNAVAILABLE':
        // Ignore a replica that is not available anyway, and a period that is over.
        if (effectiveState(replica, now) === ReplicaState.AVAILABLE && until !== undefined && until > now) {
          this.#log(file, rseId);
          this.#lockUpdates.set(file, rseId, { ...replica, state: ReplicaState.TEMPORARY_UNAVAILABLE, until });
        }
        return true;
      case 'BAD': {
        if (replica.declared !== undefined && !force) return false;
        this.#lockUpdates.changes.noteBad(file, rseId);
        const { until: _until, ...rest } = replica;
        const declared = replica.declared ?? this.#log(file, rseId);
        this.#lockUpdates.set(file, rseId, { ...rest, state: ReplicaState.BAD, declared });
        this.#lost.push({ file, rseId });
        return true;
      }
    }
  }

  #log(file: FileDid, rseId: string): NonNullable<Replica['declared']> {
    const { issuer, now } = this.#context;
    const { declared, write } = logDeclaration(file, rseId, { ...this.#declaration, account: issuer.account, now });
    this.#entries.push(write);
    return declared;
  }

  #refuse(rse: string, text: string): void {
    this.refused.set(rse, [...(this.refused.get(rse) ?? []), text]);
  }
}
