import {
  changeReplicas,
  type Did,
  hasRoom,
  type Replica,
  type ReplicaLock,
  sizeOfDid,
} from '../../store/entities/did.ts';
import { deleteRsePath, insertRsePath } from '../../store/entities/rse-path.ts';
import { deleteRseContent, insertRseContent } from '../../store/entities/rse.ts';
import { changeRule } from '../../store/entities/rule.ts';
import { deleteTransfer, insertTransfer } from '../../store/entities/transfer.ts';
import { LostRace, type Write } from '../../store/items/plan.ts';
import { formatDid } from '../values/format-did.ts';
import { newId } from '../values/ids.ts';
import { UsageChanges } from './usage-changes.ts';

/** Of a large item a transaction takes so many bytes less of others, so that it counts as several. */
const bytesPerItem = 32_768;

/** Counters of a rule, by the state of a lock. */
const counters = { O: 'ok', R: 'replicating', S: 'stuck' } as const;

/**
 * Changes of replicas and of the locks on them while they are being decided, and all that follows from them: what RSEs
 * hold, what is to be copied, the counters of rules, usage. Whoever changes a replica says only what it is to be.
 */
export class ReplicaChanges {
  readonly #now: number;
  readonly #files = new Map<string, { readonly file: Did; readonly replicas: Map<string, Replica> }>();
  /** The rules whose counters may change. */
  readonly #rules = new Set<string>();
  /** What lies elsewhere about replicas, and goes. */
  #deletions = 0;
  /** What files that are large count more than one. */
  #weight = 0;

  /** @param now In milliseconds since 1970. */
  constructor(now: number) {
    this.#now = now;
  }

  /** The replicas of a file, by the id of their RSE, with all changes so far. */
  replicasOf(file: Did): ReadonlyMap<string, Replica> {
    return this.#files.get(formatDid(file))?.replicas ?? file.replicas;
  }

  /** The files that change, by name. */
  files(): Iterable<string> {
    return this.#files.keys();
  }

  /** How many items that exist {@link writes} is going to change or delete, at most. */
  get touched(): number {
    return this.#files.size + this.#weight + this.#rules.size + this.#deletions;
  }

  /** Whether a file can hold a replica besides all changes so far. */
  hasRoom(file: Did, rseId: string, replica: Replica): boolean {
    const changed = new Map([...this.replicasOf(file)].filter(([id, one]) => file.replicas.get(id) !== one));
    return hasRoom(file, changed.set(rseId, replica).values());
  }

  /** Says what a replica of a file is to be; undefined: it goes. `file` is as it was read. */
  set(file: Did, rseId: string, replica: Replica | undefined): void {
    const key = formatDid(file);
    this.#count(file.replicas.get(rseId), replica);
    const changed = this.#files.get(key) ?? { file, replicas: new Map(file.replicas) };
    if (!this.#files.has(key)) this.#weight += Math.floor(sizeOfDid(file) / bytesPerItem);
    this.#files.set(key, changed);
    if (replica === undefined) changed.replicas.delete(rseId);
    else changed.replicas.set(rseId, replica);
  }

  #count(before: Replica | undefined, after: Replica | undefined): void {
    if (copyFor(before) !== undefined && copyFor(after) === undefined) this.#deletions += 1;
    if (before?.path !== undefined && trim(before.path) !== trim(after?.path)) this.#deletions += 1;
    if (before !== undefined && after === undefined) this.#deletions += 1;
    for (const [id, { state }] of entries(before?.locks)) if (after?.locks?.[id]?.state !== state) this.#rules.add(id);
    for (const [id, { state }] of entries(after?.locks)) if (before?.locks?.[id]?.state !== state) this.#rules.add(id);
  }

  /** The rules whose counters change, and by how much. */
  counters(): ReadonlyMap<string, Readonly<Record<string, number>>> {
    const sums = new Map<string, Record<string, number>>();
    const count = (ruleId: string, { state }: ReplicaLock, amount: 1 | -1) => {
      const sum = sums.get(ruleId) ?? {};
      sums.set(ruleId, sum);
      sum[counters[state]] = (sum[counters[state]] ?? 0) + amount;
    };
    for (const { file, replicas } of this.#files.values()) {
      for (const { locks } of file.replicas.values()) for (const [id, lock] of entries(locks)) count(id, lock, -1);
      for (const { locks } of replicas.values()) for (const [id, lock] of entries(locks)) count(id, lock, 1);
    }
    const changed = Array.from(sums, ([id, sum]): [string, Record<string, number>] => [
      id,
      Object.fromEntries(Object.entries(sum).filter(([, amount]) => amount !== 0)),
    ]);
    return new Map(changed.filter(([, sum]) => Object.keys(sum).length > 0));
  }

  /**
   * The writes that bring the changes about.
   *
   * @param rules Those of {@link counters} that there are and whose counters are to be changed here: one that is gone
   *   while its locks are still being removed has no counters, and a caller that changes a rule in other ways too counts
   *   by itself.
   */
  writes(rules: Pick<ReadonlyMap<string, unknown>, 'has'>): Write[] {
    const usage = new UsageChanges();
    const writes: Write[] = [];
    for (const { file, replicas } of this.#files.values()) {
      const changed = new Map<string, Replica | undefined>();
      for (const rseId of new Set([...file.replicas.keys(), ...replicas.keys()])) {
        const [before, after] = [file.replicas.get(rseId), replicas.get(rseId)];
        if (before === after) continue;
        changed.set(rseId, after);
        writes.push(...this.#surroundings(file, rseId, before, after));
        charge(usage, file, rseId, before, after);
      }
      if (changed.size > 0) writes.push(changeReplicas(file, changed));
    }
    for (const [ruleId, add] of this.counters()) {
      if (rules.has(ruleId)) writes.push(changeRule(ruleId, { add, set: { updatedAt: this.#now } }));
    }
    return [...writes, ...usage.writes()];
  }

  /** What lies elsewhere about a replica: in the content of its RSE, by its path, and as a transfer. */
  #surroundings(file: Did, rseId: string, before: Replica | undefined, after: Replica | undefined): Write[] {
    const raced = () => new LostRace(`${formatDid(file)} was changed on ${rseId} meanwhile`);
    const writes: Write[] = [];
    if (before === undefined) writes.push(insertRseContent(rseId, file, file.bytes, this.#now, raced));
    if (after === undefined) writes.push(deleteRseContent(rseId, file, raced));
    if (trim(before?.path) !== trim(after?.path)) {
      if (before?.path !== undefined) writes.push(deleteRsePath(rseId, before.path, file));
      if (after?.path !== undefined) writes.push(insertRsePath(rseId, after.path, file));
    }
    const [wasWanted, isWanted] = [copyFor(before), copyFor(after)];
    if (wasWanted !== undefined && isWanted === undefined) writes.push(deleteTransfer(file, rseId));
    if (wasWanted === undefined && isWanted !== undefined) {
      const { scope, name, bytes } = file;
      const size = bytes === undefined ? {} : { bytes };
      const transfer = { did: { scope, name }, rseId, id: newId(), ruleId: isWanted, createdAt: this.#now, ...size };
      writes.push(insertTransfer(transfer));
    }
    return writes;
  }
}

const entries = (locks: Replica['locks']) => Object.entries(locks ?? {});

/** The rule for which somebody has to copy a replica. */
function copyFor(replica: Replica | undefined): string | undefined {
  return replica?.state === 'C' ? replica.askedBy : undefined;
}

/** Slashes before a path mean nothing. */
const trim = (path: string | undefined) => path?.replace(/^\/+/, '');

function charge(usage: UsageChanges, file: Did, rseId: string, before?: Replica, after?: Replica): void {
  const { bytes = 0 } = file;
  if (before === undefined) usage.replica(rseId, bytes, 1);
  if (after === undefined) usage.replica(rseId, bytes, -1);
  for (const [, { account }] of entries(before?.locks)) usage.lock(account, rseId, bytes, -1);
  for (const [, { account }] of entries(after?.locks)) usage.lock(account, rseId, bytes, 1);
}
