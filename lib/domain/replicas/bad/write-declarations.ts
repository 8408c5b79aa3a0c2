import { defined } from '../../../defined.ts';
import { insertBadReplica, newBadReplicaKey } from '../../../store/entities/bad-replica.ts';
import type { Did, Replica } from '../../../store/entities/did.ts';
import type { Write } from '../../../store/items/plan.ts';
import { LockUpdates, missingSource } from '../../locks/lock-updates.ts';
import type { Context } from '../../values/context.ts';
import { formatDid } from '../../values/format-did.ts';
import { stateOf } from '../../values/replica-states.ts';
import { findDids } from '../find-dids.ts';
import type { LocatedReplica } from './locate-replicas.ts';

/** What is said of replicas. */
interface Declaration {
  /** `B` bad, `S` suspicious, `T` unavailable until a time. */
  readonly state: 'B' | 'S' | 'T';
  readonly reason: string | undefined;
  /** Says it again of what was declared bad before. */
  readonly force?: boolean;
  /** In milliseconds since 1970. */
  readonly until?: number;
}

/** What was not declared, and why, by the name of the RSE. */
export type RefusedDeclarations = ReadonlyMap<string, readonly string[]>;

/**
 * Writes what is said of replicas into the log, and changes their states: bad ones and unavailable ones (spec/replication.md
 * 1.8). All at once; a replica that is named twice counts once. A bad replica that rules keep is asked for again, if there
 * is another one to copy.
 *
 * @param answerOf Makes the answer of what was not declared.
 */
export async function writeDeclarations<T>(
  context: Context,
  located: readonly LocatedReplica[],
  declaration: Declaration,
  answerOf: (refused: RefusedDeclarations) => T,
): Promise<T> {
  return context.store.decide(async (latest) => {
    const files = await findDids(
      latest,
      located.flatMap(({ did }) => did ?? []),
    );
    const replicas = located.map(({ did, rse }) => (did && files.get(formatDid(did)))?.replicas.get(rse.id));
    const lockUpdates = await LockUpdates.open(latest, replicas, context.now);
    const draft = new Declarations(context, declaration, lockUpdates);
    for (const suspect of located) draft.declare(suspect, files);
    return { writes: draft.plan(), answer: answerOf(draft.refused) };
  });
}

class Declarations {
  readonly refused = new Map<string, string[]>();
  readonly #context: Context;
  readonly #declaration: Declaration;
  readonly #lockUpdates: LockUpdates;
  /** Bad replicas that rules keep. */
  readonly #lost: { readonly file: Did; readonly rseId: string }[] = [];
  readonly #entries: Write[] = [];
  readonly #seen = new Set<string>();

  constructor(context: Context, declaration: Declaration, lockUpdates: LockUpdates) {
    this.#context = context;
    this.#declaration = declaration;
    this.#lockUpdates = lockUpdates;
  }

  declare(suspect: LocatedReplica, files: ReadonlyMap<string, Did>): void {
    const { rse, did, label, unknownLabel } = suspect;
    const seen = `${rse.id} ${did === undefined ? unknownLabel : formatDid(did)}`;
    if (this.#seen.has(seen)) return;
    this.#seen.add(seen);
    const file = did === undefined ? undefined : files.get(formatDid(did));
    const replica = file?.replicas.get(rse.id);
    if (file === undefined || replica === undefined) this.#refuse(rse.rse, `${unknownLabel} Unknown replica`);
    else if (!this.#say(file, rse.id, replica)) this.#refuse(rse.rse, `${label} Already declared`);
  }

  /** Where there is another copy, what is bad is to be copied again; else the rules that keep it are stuck. */
  plan(): Write[] {
    const { now } = this.#context;
    for (const { file, rseId } of this.#lost) {
      const others = [...this.#lockUpdates.changes.replicasOf(file).values()];
      if (others.some((replica) => 'AT'.includes(stateOf(replica, now)))) this.#lockUpdates.markLost(file, rseId);
      else this.#lockUpdates.markFailed(file, rseId, missingSource);
    }
    return [...this.#lockUpdates.writes(), ...this.#entries];
  }

  /** @returns False when it was said before. */
  #say(file: Did, rseId: string, replica: Replica): boolean {
    const { state, force = false, until } = this.#declaration;
    const { now } = this.#context;
    switch (state) {
      case 'S':
        this.#log(file, rseId);
        return true;
      case 'T':
        // What is not there anyway, or is over before it begins, is not worth a word.
        if (stateOf(replica, now) === 'A' && until !== undefined && until > now) {
          this.#log(file, rseId);
          this.#lockUpdates.set(file, rseId, { ...replica, state: 'T', until });
        }
        return true;
      case 'B': {
        if (replica.declared !== undefined && !force) return false;
        const { until: _until, ...rest } = replica;
        const declared = replica.declared ?? this.#log(file, rseId);
        this.#lockUpdates.set(file, rseId, { ...rest, state: 'D', declared });
        this.#lost.push({ file, rseId });
        return true;
      }
    }
  }

  #log(file: Did, rseId: string): { readonly at: number; readonly id: string } {
    const { issuer, now } = this.#context;
    const { state, reason, until } = this.#declaration;
    const key = newBadReplicaKey(rseId, file, now);
    const entry = { ...key, state, account: issuer.account, ...defined({ reason, bytes: file.bytes, until }) };
    this.#entries.push(insertBadReplica(entry));
    return { at: key.at, id: key.id };
  }

  #refuse(rse: string, text: string): void {
    this.refused.set(rse, [...(this.refused.get(rse) ?? []), text]);
  }
}
