import { defined } from '../../../defined.ts';
import { insertDatasetLock, getDatasetLocks } from '../../../store/entities/dataset-lock.ts';
import { type CollectionDid, type FileDid } from '../../../store/entities/did.ts';
import { type Write } from '../../../store/items/plan.ts';
import { type ContentPosition, getStartPosition } from '../../did-graph/content-walk.ts';
import { chargeLocks } from '../../locks/charge-locks.ts';
import type { ReplicaChanges } from '../../locks/replica-changes.ts';
import { isRuleError } from '../../locks/rule-errors.ts';
import { formatDid } from '../../values/format-did.ts';
import { ContentCursor } from './content-cursor.ts';
import { keepFirst, planUnchangedCheck } from './did-checks.ts';
import { type Grouping, groupingOf } from './grouping.ts';
import { PathClaims } from './path-claims.ts';
import { countLocks, type Obstacle, pickWorse, placeFile, type Placing, repairFile } from './place-file.ts';
import type { PlacementLimits, PlacementPosition, PlacementTask } from './placement-task.ts';
import { findLockedRses } from './sibling-locks.ts';
import { sumUnit, type Unit, UnitCounter } from './unit.ts';

/**
 * Places a rule on its DID or on a collection below it, in as many parts as needed. A part is what one step of a task
 * writes; between tasks the state is stored as a {@link PlacementPosition}.
 *
 * A unit is a set of files that get the same RSEs. `#grouping` decides how units are formed:
 *
 * - `all`: one unit. State `counting` (`#unit` is set, `#rseIds` is not): the cursor reads all files, and their sizes
 *   are summed up. Then RSEs are selected and the cursor restarts. State `placing` (`#rseIds` is set): the cursor reads
 *   all files again, and they are locked.
 * - `dataset`: a unit for each dataset. Both states follow each other within the dataset, with a rewind of the cursor
 *   between them. At its end `#rseIds` is cleared.
 * - `file`: nothing is counted; RSEs are selected for each file.
 *
 * {@link next} ends a part when a limit is reached. {@link begin} starts the next part: it keeps the cursor and the
 * cache of files, and drops the collected writes. A new instance resumes from a stored position.
 */
export class Placement {
  readonly #task: PlacementTask;
  readonly #grouping: Grouping;
  readonly #placing: Placing;
  readonly #claims: PathClaims;
  #changes: ReplicaChanges;
  #datasetLocks: Write[] = [];
  /** Names of the datasets that get locks in this part. */
  readonly #lockedDatasets = new Set<string>();
  /** Names of the files counted in the current unit: a file of several datasets counts once. */
  readonly #countedFiles = new Set<string>();
  readonly #collections = new Map<string, CollectionDid>();
  #cursor: ContentCursor;
  #rseIds: readonly string[] | undefined;
  #unit: UnitCounter | undefined;
  #obstacle: Obstacle | undefined;
  #counted = 0;
  #locks = 0;

  /** @param position The end of the last part; undefined: start at the beginning. */
  constructor(task: PlacementTask, position?: PlacementPosition) {
    this.#task = task;
    this.#changes = task.changes;
    const { rule, rses, sources, outside, hindrance, now, root } = task;
    this.#grouping = groupingOf(rule, root);
    const byId = new Map(rses.map((rse) => [rse.id, rse]));
    this.#claims = task.claims ?? new PathClaims(task.table, byId);
    this.#placing = {
      rule,
      rses: byId,
      sources,
      claims: this.#claims,
      now,
      ...defined({ outside, hindrance: hindrance?.message }),
    };
    const start = position?.content ?? getStartPosition(root);
    this.#cursor = new ContentCursor(task.table, start, task.files, task.filesPerRead);
    this.#rseIds = position?.rseIds;
    this.#obstacle = position?.because;
    this.#unit = position?.unit === undefined ? undefined : new UnitCounter(position.unit);
  }

  /** The RSEs selected for the current unit. */
  get rseIds(): readonly string[] | undefined {
    return this.#rseIds;
  }

  /** Why locks are stuck or missing; undefined: none are. */
  get obstacle(): Obstacle | undefined {
    return this.#obstacle;
  }

  /**
   * Places the next part.
   *
   * @returns The end of the part; undefined: everything is placed.
   * @throws InsufficientTargetRSEs, RSEOverQuota, InsufficientAccountLimit and what the selector throws (409).
   */
  async next(limits: PlacementLimits): Promise<PlacementPosition | undefined> {
    const { root } = this.#task;
    if (root.type === 'FILE') {
      this.#claims.within(undefined);
      await this.#placeOn(root, this.#task.preferred);
      return undefined;
    }
    if (this.#grouping === 'all' && this.#rseIds === undefined) {
      if (!(await this.#countAll(limits.counted))) return this.#position();
      this.#restartCursor(getStartPosition(root));
    }
    for (let dataset = await this.#cursor.dataset(); dataset !== undefined; dataset = await this.#cursor.dataset()) {
      if (this.#isFull(limits) || this.#counted >= limits.counted) return this.#position();
      if (!(await this.#placeDataset(dataset, limits))) return this.#position();
    }
    return this.#cursor.isOver ? undefined : this.#position();
  }

  /** Starts the next part, once the writes of the former one have been taken. `changes` collects its locks. */
  begin(changes: ReplicaChanges): void {
    for (const did of this.collections.values()) if (this.#lockedDatasets.has(formatDid(did))) this.#cursor.revise(did);
    for (const name of this.#changes.files()) this.#task.files.delete(name);
    this.#changes = changes;
    this.#datasetLocks = [];
    this.#lockedDatasets.clear();
    this.#collections.clear();
    this.#cursor.begin();
  }

  /** Whether the limits for all parts of this pass are reached. */
  isOver({ counted, locks }: PlacementLimits): boolean {
    return this.#counted >= counted || (this.#locks >= locks && !this.#cursor.isAhead);
  }

  /** The writes of dataset locks, and those that must be committed with the position. */
  get datasetLocks(): readonly Write[] {
    return this.#datasetLocks;
  }

  /**
   * The collections used by this part, by name, as they were read. A plan must {@link planUnchangedCheck} them, so that no
   * attachment or detachment is missed.
   */
  get collections(): ReadonlyMap<string, CollectionDid> {
    this.#keepCollections();
    return this.#collections;
  }

  /** The conditions that these are unchanged. For a collection without new locks it is a mere condition check. */
  confirmations(): Write[] {
    return Array.from(this.collections, ([name, did]) =>
      this.#lockedDatasets.has(name) ? planUnchangedCheck(did) : { ...planUnchangedCheck(did), isCheck: true },
    );
  }

  #isFull({ locks, touched = Number.POSITIVE_INFINITY }: PlacementLimits): boolean {
    return this.#touched() >= touched || (this.#locks >= locks && !this.#cursor.isAhead);
  }

  #touched(): number {
    return this.#changes.touched + this.collections.size;
  }

  #position(): PlacementPosition {
    this.#datasetLocks.push(...this.#cursor.flush());
    return {
      content: this.#cursor.position(),
      ...(this.#unit === undefined ? {} : { unit: this.#unit.record() }),
      ...(this.#rseIds === undefined ? {} : { rseIds: this.#rseIds }),
      ...(this.#obstacle === undefined ? {} : { because: this.#obstacle }),
    };
  }

  #restartCursor(position: ContentPosition): void {
    this.#keepCollections();
    this.#cursor = new ContentCursor(this.#task.table, position, this.#task.files, this.#task.filesPerRead);
  }

  /** The first reading counts: content that was read after it may lack what a later one knows of. */
  #keepCollections(): void {
    for (const did of this.#cursor.collections()) keepFirst(this.#collections, did);
  }

  /** @returns Whether everything is counted and the RSEs are selected. */
  async #countAll(maxFiles: number): Promise<boolean> {
    this.#unit ??= new UnitCounter();
    while ((await this.#cursor.dataset()) !== undefined) {
      if (!(await this.#countDataset(maxFiles))) return false;
      this.#cursor.leave();
    }
    if (!this.#cursor.isOver) return false;
    this.#rseIds = await this.#selectRses(this.#unit.unit(), this.#task.preferred);
    this.#unit = undefined;
    return true;
  }

  /** @returns Whether the rest of the current dataset is counted. */
  async #countDataset(maxFiles: number): Promise<boolean> {
    this.#unit ??= new UnitCounter();
    for (;;) {
      if (this.#counted >= maxFiles) return false;
      const { filesPerRead = maxFiles } = this.#task;
      const { files, isLast } = await this.#cursor.files(Math.min(maxFiles - this.#counted, filesPerRead));
      this.#counted += files.length;
      for (const file of files) {
        const name = formatDid(file);
        if (!this.#countedFiles.has(name) && this.#needsLocks(file)) this.#unit.add(file);
        this.#countedFiles.add(name);
      }
      if (isLast) return true;
    }
  }

  /** @returns Whether the dataset is finished. */
  async #placeDataset(dataset: CollectionDid, limits: PlacementLimits): Promise<boolean> {
    const readsLocks = this.#cursor.isAtStart() || this.#rseIds === undefined;
    const lockedRses = readsLocks ? await this.#readLockedRses(dataset) : new Set<string>();
    // A dataset without new locks counts too, since reading it takes time.
    if (this.#cursor.isAtStart() && this.#unit === undefined) this.#locks += 1;
    if (this.#grouping === 'dataset' && this.#rseIds === undefined) {
      if (!(await this.#countDataset(limits.counted))) return false;
      this.#rseIds = await this.#selectRses(this.#unit?.unit() ?? sumUnit([]), this.#preferredFor(dataset, lockedRses));
      this.#unit = undefined;
      this.#countedFiles.clear();
      this.#cursor.rewind();
    }
    if (this.#grouping !== 'file') this.#lockDataset(dataset, lockedRses);
    this.#claims.within(dataset);
    for (;;) {
      const { files, isLast } = await this.#cursor.files(1);
      for (const file of files) await this.#placeOn(file);
      if (isLast) break;
      if (this.#isFull(limits)) return false;
    }
    this.#cursor.leave();
    if (this.#grouping === 'dataset') this.#rseIds = undefined;
    return true;
  }

  async #placeOn(file: FileDid, preferred?: readonly string[]): Promise<void> {
    const { rule, isRepair } = this.#task;
    const changes = this.#changes;
    // Files that are locked already count too: they were read.
    this.#locks += rule.copies;
    if (isRepair === true) await this.#claims.load([...file.replicas.keys()], file);
    const unrepaired = isRepair === true ? repairFile(changes, this.#placing, file) : undefined;
    this.#obstacle = pickWorse(this.#obstacle, unrepaired);
    chargeLocks(changes, file, rule);
    if (!this.#needsLocks(file)) return;
    const own = preferred ?? findLockedRses(changes.replicasOf(file), rule.id);
    const rseIds = this.#rseIds ?? (await this.#selectRses(sumUnit([file]), own));
    // Those that were read ahead get the same RSEs.
    await this.#claims.load(rseIds, file, this.#rseIds === undefined ? [] : this.#task.files.values());
    const unplaced = placeFile(changes, this.#placing, file, rseIds);
    this.#obstacle = pickWorse(this.#obstacle, unplaced);
  }

  #needsLocks(file: FileDid): boolean {
    const { rule } = this.#task;
    return countLocks(this.#changes.replicasOf(file), rule.id) < rule.copies;
  }

  async #selectRses(unit: Unit, preferred: readonly string[]): Promise<readonly string[]> {
    // Everything is placed already: quota is irrelevant.
    if (unit.size === 0 && preferred.length >= this.#task.rule.copies) return preferred;
    const inOrder = this.#grouping !== 'file' && preferred.length === 0;
    try {
      if (this.#task.hindrance !== undefined) throw this.#task.hindrance;
      const selector = await this.#task.selector();
      return selector.select(unit, preferred.length > 0 ? { rseIds: preferred, inOrder } : { inOrder });
    } catch (error) {
      if (this.#task.isRepair !== true || !isRuleError(error)) throw error;
      this.#hinder(error.message);
      return [];
    }
  }

  /** Notes why files stay without locks. The locks that exist are repaired all the same. */
  #hinder(reason: string): void {
    this.#obstacle = pickWorse(this.#obstacle, { reason, isUnlocked: true });
  }

  /** The RSEs on which the rule has locks on a dataset. */
  async #readLockedRses(dataset: CollectionDid): Promise<ReadonlySet<string>> {
    const { table, rule } = this.#task;
    // A rule in its first placement pass has no dataset locks yet.
    if (this.#grouping === 'file' || (rule.status === 'INJECT' && rule.injecting !== true)) return new Set();
    return new Set((await getDatasetLocks(table, dataset, rule.id)).map(({ rseId }) => rseId));
  }

  /**
   * The RSEs of a dataset that is locked already. Some of its files may lack locks: they may have been attached before
   * the rule reached the dataset.
   */
  #preferredFor(dataset: CollectionDid, lockedRses: ReadonlySet<string>): readonly string[] {
    if (lockedRses.size > 0 || this.#task.isRepair === true) return [...lockedRses];
    return formatDid(dataset) === formatDid(this.#task.root) ? this.#task.preferred : [];
  }

  #lockDataset({ scope, name }: CollectionDid, lockedRses: ReadonlySet<string>): void {
    const { rule, now } = this.#task;
    if (!this.#cursor.isAtStart()) return;
    for (const rseId of this.#rseIds ?? []) {
      if (lockedRses.has(rseId)) continue;
      this.#lockedDatasets.add(formatDid({ scope, name }));
      this.#datasetLocks.push(insertDatasetLock({ did: { scope, name }, ruleId: rule.id, rseId, createdAt: now }));
    }
  }
}
