import type { Table } from '../../../store/batches/table.ts';
import type { CollectionDid, Did, FileDid } from '../../../store/entities/did.ts';
import type { NewRule } from '../../../store/entities/rule.ts';
import { LostRace, type Write } from '../../../store/items/plan.ts';
import { getStartPosition } from '../../did-graph/content-walk.ts';
import { missingSource } from '../../locks/lock-updates.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { truncateError } from '../../locks/rule-errors.ts';
import { formatDid } from '../../values/format-did.ts';
import type { VerifiedTerms } from './check-terms.ts';
import { ContentCursor } from './content-cursor.ts';
import { keepFirst, planUnchangedCheck } from './did-checks.ts';
import { getStoredChoice } from './grouping.ts';
import { PathClaims } from './path-claims.ts';
import type { Obstacle } from './place-file.ts';
import { Placement } from './placement.ts';

/** Limits of the placements that a request makes itself; the rest is left to tasks. */
const requestLimits = { locks: 1_000, datasets: 50 };

/** Places rules within a request. */
export class RequestPlacements {
  readonly #table: Table;
  readonly #checked: VerifiedTerms;
  readonly #now: number;
  readonly #defersCollections: boolean;
  readonly #changes: ReplicaChanges;
  readonly #files = new Map<string, FileDid>();
  readonly #collections = new Map<string, CollectionDid>();
  readonly #datasetLocks: Write[] = [];
  readonly #claims: PathClaims;
  /** Why locks are stuck or missing, by the id of the rule. */
  readonly #obstacle = new Map<string, Obstacle>();
  #locksLeft = requestLimits.locks;

  /**
   * @param table A view of the latest committed state.
   * @param defersCollections Whether rules on collections are left to tasks, since concurrent changes keep causing conflicts.
   */
  constructor(table: Table, checked: VerifiedTerms, now: number, defersCollections = false) {
    this.#defersCollections = defersCollections;
    this.#table = table;
    this.#checked = checked;
    this.#now = now;
    this.#changes = new ReplicaChanges(now);
    this.#claims = new PathClaims(table, new Map(checked.rses.map((rse) => [rse.id, rse])));
  }

  /**
   * Places a rule on its DID if that is small enough. Otherwise only the quota of the account is checked, where the
   * size is known.
   *
   * @returns The changed rule, without its counters, which {@link counted} adds.
   * @throws InsufficientTargetRSEs, RSEOverQuota, InsufficientAccountLimit (409).
   */
  async place(rule: NewRule, root: Did): Promise<NewRule> {
    const { rses, sources, selector } = this.#checked;
    const locks = await this.#measure(root, rule.copies);
    if (locks > this.#locksLeft || (this.#defersCollections && root.type !== 'FILE')) {
      if (root.type === 'DATASET' && rule.grouping !== 'NONE') selector.requireQuota(root.bytes ?? 0);
      return rule;
    }
    const placement = new Placement({
      table: this.#table,
      changes: this.#changes,
      files: this.#files,
      now: this.#now,
      rule,
      root,
      rses,
      sources,
      preferred: [],
      claims: this.#claims,
      selector: () => Promise.resolve(selector),
    });
    const limits = { locks: Number.POSITIVE_INFINITY, counted: requestLimits.locks + 1 };
    if ((await placement.next(limits)) !== undefined) throw new LostRace(`${formatDid(root)} has grown concurrently`);
    if (placement.obstacle !== undefined) this.#obstacle.set(rule.id, placement.obstacle);
    this.#locksLeft -= locks;
    this.#datasetLocks.push(...placement.datasetLocks);
    for (const did of placement.collections.values()) keepFirst(this.#collections, did);
    return { ...rule, ...getStoredChoice(rule, placement), status: 'ACTIVE' };
  }

  /** A rule with the counters of its locks, and with its error. */
  counted(rule: NewRule): NewRule {
    const { ok = 0, replicating = 0, stuck = 0 } = this.#changes.counters().get(rule.id) ?? {};
    const obstacle = this.#obstacle.get(rule.id);
    const isFailed = obstacle?.isUnlocked === true;
    const error = { error: truncateError(obstacle?.reason ?? missingSource), stuckAt: this.#now };
    return {
      ...rule,
      ok,
      replicating,
      stuck,
      ...(stuck > 0 || isFailed ? error : {}),
      ...(isFailed ? { status: 'FAILED' } : {}),
    };
  }

  /** The writes that create the locks, and take turns at limits. */
  writes(): Write[] {
    return [
      ...this.#changes.writes(new Map()),
      ...this.#datasetLocks,
      ...this.#checked.selector.turns(),
      ...Array.from(this.#collections.values(), planUnchangedCheck),
    ];
  }

  /** The number of locks that a rule gets on a DID; infinity if that is more than the request may still make. */
  async #measure(root: Did, copies: number): Promise<number> {
    if (root.type === 'FILE') return copies;
    if (root.type === 'DATASET') return Number(root.length ?? 0) * copies;
    const cursor = new ContentCursor(this.#table, getStartPosition(root));
    let locks = 0;
    for (let dataset = await cursor.dataset(); dataset !== undefined; dataset = await cursor.dataset()) {
      locks += Number(dataset.length ?? 0) * copies;
      if (locks > this.#locksLeft || cursor.collections().length > requestLimits.datasets)
        return Number.POSITIVE_INFINITY;
      cursor.leave();
    }
    return cursor.isOver ? locks : Number.POSITIVE_INFINITY;
  }
}
