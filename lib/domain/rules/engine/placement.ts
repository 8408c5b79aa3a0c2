import { insertDatasetLock, listDatasetLocks } from '../../../store/entities/dataset-lock.ts';
import { settled } from '../../../store/entities/did-conditions.ts';
import { type Did, changeDid } from '../../../store/entities/did.ts';
import type { NewRule } from '../../../store/entities/rule.ts';
import { LostRace, type Write } from '../../../store/items/plan.ts';
import { type ContentPosition, startOf } from '../../did-graph/content-walk.ts';
import type { ReplicaChanges } from '../../locks/replica-changes.ts';
import { formatDid } from '../../values/format-did.ts';
import { ContentCursor } from './content-cursor.ts';
import { countLocks, type Obstacle, placeFile, type Placing, repairFile, worse } from './place-file.ts';
import type { PlacementLimits, PlacementPosition, PlacementTask } from './placement-task.ts';
import { type Unit, UnitCount, unitOf } from './unit.ts';

/** The files that are placed together: all, those of a dataset, or each by itself (spec/replication.md 3.3). */
type Grouping = 'all' | 'dataset' | 'file';

/** Places a rule, in as many parts as it takes. */
export class Placement {
  readonly #task: PlacementTask;
  readonly #grouping: Grouping;
  readonly #placing: Placing;
  #changes: ReplicaChanges;
  #datasetLocks: Write[] = [];
  /** Datasets that are locked in this part, by name. */
  readonly #locked = new Set<string>();
  /** Files that are counted in the unit at hand, by name; one of several datasets is counted once. */
  readonly #countedFiles = new Set<string>();
  readonly #collections = new Map<string, Did>();
  #cursor: ContentCursor;
  #rseIds: readonly string[] | undefined;
  #unit: UnitCount | undefined;
  #because: Obstacle | undefined;
  #counted = 0;
  #locks = 0;

  /** @param position Where the last part ended; undefined: at the beginning. */
  constructor(task: PlacementTask, position?: PlacementPosition) {
    this.#task = task;
    this.#changes = task.changes;
    const { rule, rses, sources, now, root } = task;
    this.#grouping = groupingOf(rule, root);
    this.#placing = { rule, rses: new Map(rses.map((rse) => [rse.id, rse])), sources, now };
    this.#cursor = new ContentCursor(task.table, position?.content ?? startOf(root), task.files, task.filesAtOnce);
    this.#rseIds = position?.rseIds;
    this.#because = position?.because;
    this.#unit = position?.unit === undefined ? undefined : new UnitCount(position.unit);
  }

  /** The RSEs that were chosen for the unit at hand. */
  get rseIds(): readonly string[] | undefined {
    return this.#rseIds;
  }

  /** What is in the way of locks; undefined: nothing was found. */
  get because(): Obstacle | undefined {
    return this.#because;
  }

  /**
   * Places the next part.
   *
   * @returns Where the part ends; undefined: everything is placed.
   * @throws InsufficientTargetRSEs, RSEOverQuota, InsufficientAccountLimit and what the selector throws (409).
   */
  async next(limits: PlacementLimits): Promise<PlacementPosition | undefined> {
    const { root } = this.#task;
    if (root.type === 'FILE') return this.#placeRoot();
    if (this.#grouping === 'all' && this.#rseIds === undefined) {
      if (!(await this.#countAll(limits.counted))) return this.#position();
      this.#restart(startOf(root));
    }
    for (let dataset = await this.#cursor.dataset(); dataset !== undefined; dataset = await this.#cursor.dataset()) {
      if (this.#isFull(limits) || this.#counted >= limits.counted) return this.#position();
      if (!(await this.#placeDataset(dataset, limits))) return this.#position();
    }
    return this.#cursor.isOver ? undefined : this.#position();
  }

  /** Begins a part that is written by itself, after the former one: its changes are taken by others. */
  begin(changes: ReplicaChanges): void {
    for (const did of this.collections.values()) if (this.#locked.has(formatDid(did))) this.#cursor.revise(did);
    for (const name of this.#changes.files()) this.#task.files.delete(name);
    this.#changes = changes;
    this.#datasetLocks = [];
    this.#locked.clear();
    this.#collections.clear();
    this.#cursor.begin();
  }

  /** Whether the limits are reached that hold for all parts together. */
  isOver({ counted, locks }: PlacementLimits): boolean {
    return this.#counted >= counted || (this.#locks >= locks && !this.#cursor.isAhead);
  }

  /** The writes that lock datasets, and those that go with the position of the part. */
  get datasetLocks(): readonly Write[] {
    return this.#datasetLocks;
  }

  /**
   * The collections that were gone through, by name, as they were read. A plan must {@link confirm} them, so that nothing
   * is attached or detached unnoticed.
   */
  get collections(): ReadonlyMap<string, Did> {
    this.#keepCollections();
    return this.#collections;
  }

  /** The writes that make sure of these; of those that get no lock the transaction only looks at the item. */
  confirmations(): Write[] {
    return Array.from(this.collections, ([name, did]) =>
      this.#locked.has(name) ? confirm(did) : { ...confirm(did), isCheck: true },
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
      ...(this.#because === undefined ? {} : { because: this.#because }),
    };
  }

  #restart(position: ContentPosition): void {
    this.#keepCollections();
    this.#cursor = new ContentCursor(this.#task.table, position, this.#task.files, this.#task.filesAtOnce);
  }

  #keepCollections(): void {
    for (const did of this.#cursor.collections()) this.#collections.set(formatDid(did), did);
  }

  async #placeRoot(): Promise<undefined> {
    const { root } = this.#task;
    await this.#place(root, this.#task.preferred);
  }

  /** @returns Whether everything is counted and the RSEs are chosen. */
  async #countAll(most: number): Promise<boolean> {
    this.#unit ??= new UnitCount();
    while ((await this.#cursor.dataset()) !== undefined) {
      if (!(await this.#count(most))) return false;
      this.#cursor.leave();
    }
    if (!this.#cursor.isOver) return false;
    this.#rseIds = await this.#choose(this.#unit.unit(), this.#task.preferred);
    this.#unit = undefined;
    return true;
  }

  /** @returns Whether the rest of the dataset at hand is counted. */
  async #count(most: number): Promise<boolean> {
    this.#unit ??= new UnitCount();
    for (;;) {
      if (this.#counted >= most) return false;
      const { filesAtOnce = most } = this.#task;
      const { files, isLast } = await this.#cursor.files(Math.min(most - this.#counted, filesAtOnce));
      this.#counted += files.length;
      for (const file of files) {
        const name = formatDid(file);
        if (!this.#countedFiles.has(name) && this.#isOpen(file)) this.#unit.add(file);
        this.#countedFiles.add(name);
      }
      if (isLast) return true;
    }
  }

  /** @returns Whether the dataset is done with. */
  async #placeDataset(dataset: Did, limits: PlacementLimits): Promise<boolean> {
    const matters = this.#cursor.isAtStart() || this.#rseIds === undefined;
    const locked = matters ? await this.#locksOn(dataset) : new Set<string>();
    // What costs no lock is a step all the same.
    if (this.#cursor.isAtStart() && this.#unit === undefined) this.#locks += 1;
    if (this.#grouping === 'dataset' && this.#rseIds === undefined) {
      if (!(await this.#count(limits.counted))) return false;
      this.#rseIds = await this.#choose(this.#unit?.unit() ?? unitOf([]), this.#preferredFor(dataset, locked));
      this.#unit = undefined;
      this.#countedFiles.clear();
      this.#cursor.rewind();
    }
    if (this.#grouping !== 'file') this.#lockDataset(dataset, locked);
    for (;;) {
      const { files, isLast } = await this.#cursor.files(1);
      for (const file of files) await this.#place(file);
      if (isLast) break;
      if (this.#isFull(limits)) return false;
    }
    this.#cursor.leave();
    if (this.#grouping === 'dataset') this.#rseIds = undefined;
    return true;
  }

  async #place(file: Did, preferred?: readonly string[]): Promise<void> {
    const { rule, isRepair } = this.#task;
    const changes = this.#changes;
    // What is locked already has to be read all the same.
    this.#locks += rule.copies;
    const unrepaired = isRepair === true ? repairFile(changes, this.#placing, file) : undefined;
    this.#because = worse(this.#because, unrepaired);
    if (!this.#isOpen(file)) return;
    const own = preferred ?? lockedBy(changes.replicasOf(file), rule.id);
    const rseIds = this.#rseIds ?? (await this.#choose(unitOf([file]), own));
    const unplaced = placeFile(changes, this.#placing, file, rseIds);
    this.#because = worse(this.#because, unplaced);
  }

  #isOpen(file: Did): boolean {
    const { rule } = this.#task;
    return countLocks(this.#changes.replicasOf(file), rule.id) < rule.copies;
  }

  async #choose(unit: Unit, preferred: readonly string[]): Promise<readonly string[]> {
    // Where all is placed already, quota does not matter.
    if (unit.size === 0 && preferred.length >= this.#task.rule.copies) return preferred;
    const inOrder = this.#grouping !== 'file' && preferred.length === 0;
    const selector = await this.#task.selector();
    return selector.select(unit, preferred.length > 0 ? { rseIds: preferred, inOrder } : { inOrder });
  }

  /** The RSEs on which the rule has locked a dataset. */
  async #locksOn(dataset: Did): Promise<ReadonlySet<string>> {
    const { table, rule } = this.#task;
    // A rule without locks has none on datasets either, unless these are empty.
    if (this.#grouping === 'file' || (rule.status === 'INJECT' && rule.injecting !== true)) return new Set();
    return new Set((await listDatasetLocks(table, dataset, rule.id)).map(({ rseId }) => rseId));
  }

  /**
   * Where a dataset lies that is locked already. Not all of its files need be: some may have been attached while nobody
   * knew of the rule, others may be older than a file by which it was locked.
   */
  #preferredFor(dataset: Did, locked: ReadonlySet<string>): readonly string[] {
    if (locked.size > 0 || this.#task.isRepair === true) return [...locked];
    return formatDid(dataset) === formatDid(this.#task.root) ? this.#task.preferred : [];
  }

  #lockDataset({ scope, name }: Did, locked: ReadonlySet<string>): void {
    const { rule, now } = this.#task;
    if (!this.#cursor.isAtStart()) return;
    for (const rseId of this.#rseIds ?? []) {
      if (locked.has(rseId)) continue;
      this.#locked.add(formatDid({ scope, name }));
      this.#datasetLocks.push(insertDatasetLock({ did: { scope, name }, ruleId: rule.id, rseId, createdAt: now }));
    }
  }
}

function groupingOf({ grouping }: NewRule, { type }: Did): Grouping {
  if (grouping === 'NONE') return 'file';
  return grouping === 'ALL' || type !== 'CONTAINER' ? 'all' : 'dataset';
}

function lockedBy(replicas: Did['replicas'], ruleId: string): string[] {
  return [...replicas].filter(([, { locks }]) => locks !== undefined && Object.hasOwn(locks, ruleId)).map(([id]) => id);
}

/** The write that makes sure that a collection is as it was read. */
export function confirm(did: Did): Write {
  return changeDid(
    did,
    {},
    { when: settled(did), onMismatch: () => new LostRace(`${formatDid(did)} was changed meanwhile`) },
  );
}

/** What a rule remembers of a placement, where that is the same for all that it is placed on. */
export function remembered(rule: Pick<NewRule, 'grouping' | 'didType'>, { rseIds }: Placement): Partial<NewRule> {
  const isOneUnit = rule.grouping === 'ALL' || (rule.grouping === 'DATASET' && rule.didType === 'DATASET');
  return isOneUnit && rule.didType !== 'FILE' && rseIds !== undefined ? { rseIds } : {};
}
