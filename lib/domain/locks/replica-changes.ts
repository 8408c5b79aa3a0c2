import { LockState, ReplicaState } from '../../contract/schemas/states.ts';
import { changeReplicas, type FileDid, type Replica, type ReplicaLock } from '../../store/entities/did.ts';
import { FileGrowth, hasRoomFor, sizeOfFile } from '../../store/entities/file-room.ts';
import { deleteRseContent, insertRseContent } from '../../store/entities/rse-content.ts';
import { changeRule, requireRule } from '../../store/entities/rule-writes.ts';
import type { Rule } from '../../store/entities/rule.ts';
import { deleteTransfer, insertTransfer, restartTransfer } from '../../store/entities/transfer.ts';
import { LostRace, type Write } from '../../store/items/plan.ts';
import { formatDid } from '../values/format-did.ts';
import { newId } from '../values/ids.ts';
import { changeAvailability } from '../values/lost-file.ts';
import { leavesList, noteListing, planListing } from './deletable-list.ts';
import { PathWrites } from './path-writes.ts';
import { UsageChanges } from './usage-changes.ts';

/** A large item takes the room of several in a transaction: it counts once more for each of these. */
const bytesPerItem = 32_768;

interface ChangedFile {
  /** The file as it was read. */
  readonly file: FileDid;
  readonly replicas: Map<string, Replica>;
  readonly growth: FileGrowth;
}

/** Counters of a rule by the state of a lock. */
const counterNames = {
  [LockState.OK]: 'ok',
  [LockState.REPLICATING]: 'replicating',
  [LockState.STUCK]: 'stuck',
} as const;

/**
 * Collects changes of replicas and of their locks for a plan, and derives the changes of everything else: content of
 * RSEs, transfers, counters of rules, usage. A caller only states the new replica.
 */
export class ReplicaChanges {
  readonly #now: number;
  readonly #files = new Map<string, ChangedFile>();
  /** The rules whose counters may change. */
  readonly #rules = new Set<string>();
  /** Replicas that were found bad, by the id of their RSE and the file. */
  readonly #bad = new Map<string, { readonly file: FileDid; readonly rseId: string }>();
  /** The accounts that rules must have, by rule id. */
  readonly #accounts = new Map<string, string>();
  /** Secondary items (RSE content, path, transfer, entry of the list of deletable replicas) to delete or to change. */
  #deletions = 0;
  /** The RSEs that get a replica: each is a condition of the plan. */
  readonly #filled = new Set<string>();
  /** Weight of large items beyond 1. */
  #extraItems = 0;

  /** @param now In milliseconds since 1970. */
  constructor(now: number) {
    this.#now = now;
  }

  /** The replicas of a file, by the id of their RSE, with all changes so far. */
  replicasOf(file: FileDid): ReadonlyMap<string, Replica> {
    return this.#files.get(formatDid(file))?.replicas ?? file.replicas;
  }

  /** The names of the changed files. */
  files(): Iterable<string> {
    return this.#files.keys();
  }

  /** The greatest number of existing items that {@link writes} changes, deletes or depends on. */
  get touched(): number {
    return this.#files.size + this.#extraItems + this.#rules.size + this.#deletions + this.#filled.size;
  }

  /** Whether the item of a file has room for a replica, after all changes so far. */
  hasRoomFor(file: FileDid, rseId: string, replica: Replica): boolean {
    const changed = new Map([...this.replicasOf(file)].filter(([id, one]) => file.replicas.get(id) !== one));
    return hasRoomFor(file, changed.set(rseId, replica).values());
  }

  /** Whether the item of a file can take a replica in place of the present one, after all changes so far. */
  canBecome(file: FileDid, rseId: string, replica: Replica): boolean {
    const { growth = new FileGrowth(file) } = this.#files.get(formatDid(file)) ?? {};
    if (!growth.isFollowed) return true;
    return growth.allows(this.#listed(file, rseId), noteListing(file.replicas.get(rseId), replica, this.#now));
  }

  /** Sets the new replica of a file; undefined: deletes it. `file` is the file as it was read. */
  set(file: FileDid, rseId: string, replica: Replica | undefined): void {
    const key = formatDid(file);
    this.#count(file.replicas.get(rseId), replica);
    if (!file.replicas.has(rseId) && replica !== undefined) this.#filled.add(rseId);
    const changed = this.#files.get(key) ?? {
      file,
      replicas: new Map(file.replicas),
      growth: new FileGrowth(file),
    };
    if (!this.#files.has(key)) this.#extraItems += Math.floor(sizeOfFile(file) / bytesPerItem);
    this.#files.set(key, changed);
    const before = changed.growth.isFollowed ? this.#listed(file, rseId) : undefined;
    if (replica === undefined) changed.replicas.delete(rseId);
    else changed.replicas.set(rseId, replica);
    if (changed.growth.isFollowed) changed.growth.add(before, this.#listed(file, rseId));
  }

  /** A replica as it is to be stored, after all changes so far. */
  #listed(file: FileDid, rseId: string): Replica | undefined {
    const [before, present] = [file.replicas.get(rseId), this.replicasOf(file).get(rseId)];
    return present === undefined || present === before ? present : noteListing(before, present, this.#now);
  }

  /**
   * Somebody found bad what is on an RSE. That may be the copy under way, although it was compared before its mover reports it: if
   * the replica is being copied, and stays so, its copy begins anew.
   */
  noteBad(file: FileDid, rseId: string): void {
    const key = `${rseId} ${formatDid(file)}`;
    if (this.#bad.has(key)) return;
    this.#bad.set(key, { file, rseId });
    if (findRequester(file.replicas.get(rseId)) !== undefined) this.#deletions += 1;
  }

  /** Makes the account of a rule a condition of {@link writes}. */
  requireAccount({ id, account }: Pick<Rule, 'id' | 'account'>): void {
    this.#accounts.set(id, account);
  }

  #count(before: Replica | undefined, after: Replica | undefined): void {
    if (findRequester(before) !== undefined && findRequester(after) === undefined) this.#deletions += 1;
    if (before?.path !== undefined && before.path !== after?.path) this.#deletions += 1;
    if (before !== undefined && after === undefined) this.#deletions += 1;
    if (leavesList(before, after)) this.#deletions += 1;
    for (const [id, { state }] of entries(before?.locks)) if (after?.locks?.[id]?.state !== state) this.#rules.add(id);
    for (const [id, { state }] of entries(after?.locks)) if (before?.locks?.[id]?.state !== state) this.#rules.add(id);
  }

  /** The changes of counters, by rule id. */
  counters(): ReadonlyMap<string, Readonly<Record<string, number>>> {
    const sums = new Map<string, Record<string, number>>();
    const count = (ruleId: string, { state }: ReplicaLock, amount: 1 | -1) => {
      const sum = sums.get(ruleId) ?? {};
      sums.set(ruleId, sum);
      sum[counterNames[state]] = (sum[counterNames[state]] ?? 0) + amount;
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
   * The writes of all changes.
   *
   * @param rules The rules whose counters are changed, and whose accounts are checked, by these writes. Omit rules that are
   *   gone, and rules that the caller changes in other ways too: such a caller adds their {@link counters} itself, and
   *   makes the account a condition.
   */
  writes(rules: Pick<ReadonlyMap<string, unknown>, 'has'>): Write[] {
    const [usage, paths] = [new UsageChanges(), new PathWrites()];
    const writes: Write[] = [];
    for (const { file, replicas } of this.#files.values()) {
      const changed = new Map<string, Replica | undefined>();
      for (const rseId of new Set([...file.replicas.keys(), ...replicas.keys()])) {
        const [before, wanted] = [file.replicas.get(rseId), replicas.get(rseId)];
        if (before === wanted) continue;
        const after = wanted === undefined ? undefined : noteListing(before, wanted, this.#now);
        changed.set(rseId, after);
        writes.push(...this.#planSecondaryItems(paths, file, rseId, { before, after }));
        charge(usage, file, rseId, before, after);
      }
      if (changed.size > 0) writes.push(changeReplicas(file, changed, changeAvailability(file, replicas.values())));
    }
    for (const { file, rseId } of this.#bad.values()) {
      const states = [file.replicas.get(rseId), this.replicasOf(file).get(rseId)];
      if (states.every((replica) => findRequester(replica) !== undefined))
        writes.push(restartTransfer(file, rseId, { id: newId(), now: this.#now }));
    }
    const counters = this.counters();
    for (const id of new Set([...counters.keys(), ...this.#accounts.keys()])) {
      if (rules.has(id)) writes.push(this.#planRuleWrite(id, counters.get(id)));
    }
    return [...writes, ...usage.writes()];
  }

  #planRuleWrite(id: string, add: Readonly<Record<string, number>> | undefined): Write {
    const account = this.#accounts.get(id);
    const when = account === undefined ? {} : { account };
    return add === undefined ? requireRule(id, when) : changeRule(id, { add, set: { updatedAt: this.#now } }, { when });
  }

  /** The writes of secondary items of a replica: content of the RSE, path, list of deletable replicas, transfer. */
  #planSecondaryItems(
    paths: PathWrites,
    file: FileDid,
    rseId: string,
    { before, after }: { readonly before: Replica | undefined; readonly after: Replica | undefined },
  ): Write[] {
    const makeLostRace = () => new LostRace(`${formatDid(file)} was changed on ${rseId} concurrently`);
    const writes: Write[] = [];
    if (before === undefined) writes.push(insertRseContent(rseId, file, file.bytes, this.#now, makeLostRace));
    if (after === undefined) writes.push(deleteRseContent(rseId, file, makeLostRace));
    writes.push(...paths.plan(rseId, file, before, after));
    writes.push(...planListing(rseId, file, before, after));
    const [wasWanted, isWanted] = [findRequester(before), findRequester(after)];
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

/** The rule that requests the transfer of a replica; undefined: none does. */
function findRequester(replica: Replica | undefined): string | undefined {
  return replica?.state === ReplicaState.COPYING ? replica.askedBy : undefined;
}

function charge(usage: UsageChanges, file: FileDid, rseId: string, before?: Replica, after?: Replica): void {
  const { bytes = 0 } = file;
  if (before === undefined) usage.replica(rseId, bytes, 1);
  if (after === undefined) usage.replica(rseId, bytes, -1);
  for (const [, { account }] of entries(before?.locks)) usage.lock(account, rseId, bytes, -1);
  for (const [, { account }] of entries(after?.locks)) usage.lock(account, rseId, bytes, 1);
}
