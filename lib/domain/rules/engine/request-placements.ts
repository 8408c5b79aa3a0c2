import type { Table } from '../../../store/batches/table.ts';
import type { Did } from '../../../store/entities/did.ts';
import type { NewRule } from '../../../store/entities/rule.ts';
import { LostRace, type Write } from '../../../store/items/plan.ts';
import { startOf } from '../../did-graph/content-walk.ts';
import { missingSource } from '../../locks/lock-events.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { cutError } from '../../locks/verdict.ts';
import { formatDid } from '../../values/format-did.ts';
import { ContentCursor } from './content-cursor.ts';
import type { Obstacle } from './place-file.ts';
import { confirm, Placement, remembered } from './placement.ts';
import type { CheckedWish } from './rule-checks.ts';

/** What a request does by itself; the rest is left to tasks. */
const most = { locks: 1_000, datasets: 50 };

/** The rules that a request places by itself. */
export class RequestPlacements {
  readonly #table: Table;
  readonly #checked: CheckedWish;
  readonly #now: number;
  readonly #leaves: boolean;
  readonly #changes: ReplicaChanges;
  readonly #files = new Map<string, Did>();
  readonly #collections = new Map<string, Did>();
  readonly #datasetLocks: Write[] = [];
  /** What is in the way of locks, by the id of the rule. */
  readonly #because = new Map<string, Obstacle>();
  #locksLeft = most.locks;

  /**
   * @param table Shows what is committed when it is read.
   * @param leaves Rules on collections are left to tasks: others change what is to be placed all the time.
   */
  constructor(table: Table, checked: CheckedWish, now: number, leaves = false) {
    this.#leaves = leaves;
    this.#table = table;
    this.#checked = checked;
    this.#now = now;
    this.#changes = new ReplicaChanges(now);
  }

  /**
   * Places a rule on its DID, if that is small enough; what the account may use is asked for in either case, if it can be.
   *
   * @returns The rule as it is then, but for its counters, which {@link counted} tells.
   * @throws InsufficientTargetRSEs, RSEOverQuota, InsufficientAccountLimit (409).
   */
  async place(rule: NewRule, root: Did): Promise<NewRule> {
    const { rses, sources, selector } = this.#checked;
    const locks = await this.#measure(root, rule.copies);
    if (locks > this.#locksLeft || (this.#leaves && root.type !== 'FILE')) {
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
      selector: () => Promise.resolve(selector),
    });
    const open = { locks: Number.POSITIVE_INFINITY, counted: most.locks + 1 };
    if ((await placement.next(open)) !== undefined) throw new LostRace(`${formatDid(root)} has grown meanwhile`);
    if (placement.because !== undefined) this.#because.set(rule.id, placement.because);
    this.#locksLeft -= locks;
    this.#datasetLocks.push(...placement.datasetLocks);
    for (const [key, did] of placement.collections) this.#collections.set(key, did);
    return { ...rule, ...remembered(rule, placement), status: 'ACTIVE' };
  }

  /** A rule with the numbers of its locks, and with what is wrong with them. */
  counted(rule: NewRule): NewRule {
    const { ok = 0, replicating = 0, stuck = 0 } = this.#changes.counters().get(rule.id) ?? {};
    const because = this.#because.get(rule.id);
    const isFailed = because?.isUnlocked === true;
    const error = { error: cutError(because?.reason ?? missingSource), stuckAt: this.#now };
    return {
      ...rule,
      ok,
      replicating,
      stuck,
      ...(stuck > 0 || isFailed ? error : {}),
      ...(isFailed ? { status: 'FAILED' } : {}),
    };
  }

  /** The writes that bring the locks about. */
  writes(): Write[] {
    return [
      ...this.#changes.writes(new Map()),
      ...this.#datasetLocks,
      ...Array.from(this.#collections.values(), confirm),
    ];
  }

  /** How many locks a rule gets on a DID; more than are left, where that is all that matters. */
  async #measure(root: Did, copies: number): Promise<number> {
    if (root.type !== 'CONTAINER') return (root.type === 'FILE' ? 1 : Number(root.length ?? 0)) * copies;
    const cursor = new ContentCursor(this.#table, startOf(root));
    let locks = 0;
    for (let dataset = await cursor.dataset(); dataset !== undefined; dataset = await cursor.dataset()) {
      locks += Number(dataset.length ?? 0) * copies;
      if (locks > this.#locksLeft || cursor.collections().length > most.datasets) return Number.POSITIVE_INFINITY;
      cursor.leave();
    }
    return cursor.isOver ? locks : Number.POSITIVE_INFINITY;
  }
}
