import { clock, endOfTime, type Moment } from '../../clock.ts';
import { addIntegers, type Integer } from '../../integer.ts';
import { internalAttributes, type Item, type Patch, stagedBatches, stagedPrefix } from '../items/item.ts';
import type { Verdict } from './batch-record.ts';
import type { BatchLog } from './batches.ts';

/**
 * A snapshot of one reader: it shows all writes of a batch or none, for as long as it is read.
 *
 * A batch is visible if it was committed before the view was opened. Verdicts are kept, so that a batch is not pending on
 * one page of a list and committed on the next.
 *
 * Which came first is told by the clocks of two processes. Where these certainly differ, since a commit is dated later than it is
 * read, the batch is visible: most likely it was committed long ago, and what is hidden does more harm than a list of which
 * one page is older than another.
 */
export class View {
  readonly #batches: BatchLog;
  readonly #opened: Moment;
  readonly #verdicts = new Map<string, boolean>();
  #hidesCommits = false;

  /** @param opened By default now. */
  constructor(batches: BatchLog, opened = clock.moment()) {
    this.#batches = batches;
    this.#opened = opened;
  }

  /**
   * A view that shows what is committed at the time of each read. There is one exception: a batch that it has seen pending stays hidden,
   * even if it is committed later. The items that the commit itself changes are shown nevertheless. So an item may already refer to
   * content that this view hides.
   */
  latest(): View {
    return new View(this.#batches, endOfTime);
  }

  /** Whether it has hidden a batch that was committed, by the clocks, since it was opened. */
  get hidesCommits(): boolean {
    return this.#hidesCommits;
  }

  /** The visible items of a page, with the visible changes applied. */
  async see(items: readonly Item[]): Promise<Item[]> {
    const unknown = new Set<string>();
    for (const item of items) {
      for (const id of batchesOf(item)) if (this.#isVisible(id) === undefined) unknown.add(id);
    }
    for (const [id, verdict] of await this.#batches.verdicts([...unknown])) this.#decide(id, verdict);
    return items.flatMap((item) => this.#apply(item) ?? []);
  }

  /** The latest deadline of the pending batches that write an item, in milliseconds; undefined: there are none. */
  async busyUntil(item: Item): Promise<number | undefined> {
    const verdicts = await Promise.all(batchesOf(item).map((id) => this.#batches.verdict(id)));
    const deadlines = verdicts.flatMap((verdict) => (verdict.state === 'pending' ? [verdict.deadline] : []));
    return deadlines.length === 0 ? undefined : Math.max(...deadlines);
  }

  #apply(item: Item): Item | undefined {
    if (item.batch !== undefined && this.#isVisible(item.batch) !== true) return undefined;
    const staged = stagedBatches(item);
    if (staged.length === 0) return withoutInternals(item);
    if (item.gone !== undefined && this.#isVisible(item.gone) === true) return undefined;
    return staged
      .toSorted()
      .filter((id) => id !== item.gone && (this.#isVisible(id) === true || isFolding(item, id)))
      .reduce((seen, id) => applyPatch(seen, item[stagedPrefix + id] as Patch), withoutInternals(item));
  }

  #isVisible(id: string): boolean | undefined {
    const isVisible = this.#verdicts.get(id);
    if (isVisible !== undefined) return isVisible;
    const verdict = this.#batches.cached(id);
    return verdict === undefined ? undefined : this.#decide(id, verdict);
  }

  #decide(id: string, verdict: Verdict): boolean {
    const isVisible =
      verdict.state === 'committed' && (verdict.isAhead === true || verdict.at <= clock.timeOf(this.#opened));
    if (verdict.state === 'committed' && !isVisible) this.#hidesCommits = true;
    this.#verdicts.set(id, isVisible);
    return isVisible;
  }
}

function batchesOf(item: Item): string[] {
  const staged = stagedBatches(item);
  return item.batch === undefined ? staged : [item.batch, ...staged];
}

const isFolding = (item: Item, batch: string) => (item[stagedPrefix + batch] as Patch).folding === true;

function withoutInternals(item: Item): Item {
  if (!internalAttributes.some((attribute) => attribute in item)) return item;
  const rest: Record<string, unknown> = { ...item };
  for (const attribute of internalAttributes) delete rest[attribute];
  return rest as Item;
}

/** Applies a change to an item. */
export function applyPatch(item: Item, patch: Patch): Item {
  const changed: Record<string, unknown> = { ...item, ...patch.set };
  for (const [attribute, amount] of Object.entries(patch.add ?? {})) {
    changed[attribute] = addIntegers((changed[attribute] ?? 0) as Integer, amount);
  }
  for (const attribute of patch.remove ?? []) delete changed[attribute];
  return changed as Item;
}
