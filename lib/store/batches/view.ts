import { addIntegers, type Integer } from '../../integer.ts';
import { internalAttributes, type Item, type Patch, stagedBatches, stagedPrefix } from '../items/item.ts';
import type { Verdict } from './batch-record.ts';
import type { BatchLog } from './batches.ts';

/**
 * What one reader sees: of each bulk request everything or nothing, for as long as it reads.
 *
 * A batch is seen when it was committed before the view was opened. Verdicts are kept, so that a listing of many pages
 * cannot meet a batch as pending on one page and as committed on the next.
 */
export class View {
  readonly #batches: BatchLog;
  readonly #openedAt: number;
  readonly #verdicts = new Map<string, boolean>();

  constructor(batches: BatchLog, openedAt: number) {
    this.#batches = batches;
    this.#openedAt = openedAt;
  }

  /** A view that sees everything that is committed when it looks. */
  latest(): View {
    return new View(this.#batches, Number.POSITIVE_INFINITY);
  }

  /** Keeps the items of a page that are there for this reader, each as this reader sees it. */
  async see(items: readonly Item[]): Promise<Item[]> {
    const unknown = new Set<string>();
    for (const item of items) {
      for (const id of batchesOf(item)) if (this.#known(id) === undefined) unknown.add(id);
    }
    for (const [id, verdict] of await this.#batches.verdicts([...unknown])) this.#settle(id, verdict);
    return items.flatMap((item) => this.#apply(item) ?? []);
  }

  /** Until when the bulk requests may take that are about to write an item, in milliseconds; undefined: none is. */
  async busyUntil(item: Item): Promise<number | undefined> {
    const verdicts = await Promise.all(batchesOf(item).map((id) => this.#batches.verdict(id)));
    const deadlines = verdicts.flatMap((verdict) => (verdict.state === 'pending' ? [verdict.deadline] : []));
    return deadlines.length === 0 ? undefined : Math.max(...deadlines);
  }

  #apply(item: Item): Item | undefined {
    if (item.batch !== undefined && this.#known(item.batch) !== true) return undefined;
    const staged = stagedBatches(item);
    if (staged.length === 0) return withoutInternals(item);
    if (item.gone !== undefined && this.#known(item.gone) === true) return undefined;
    return staged
      .toSorted()
      .filter((id) => id !== item.gone && (this.#known(id) === true || isFolding(item, id)))
      .reduce((seen, id) => applyPatch(seen, item[stagedPrefix + id] as Patch), withoutInternals(item));
  }

  #known(id: string): boolean | undefined {
    const kept = this.#verdicts.get(id);
    if (kept !== undefined) return kept;
    const verdict = this.#batches.known(id);
    return verdict === undefined ? undefined : this.#settle(id, verdict);
  }

  #settle(id: string, verdict: Verdict): boolean {
    const seen = verdict.state === 'committed' && verdict.at <= this.#openedAt;
    this.#verdicts.set(id, seen);
    return seen;
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

/** The item after a change. */
export function applyPatch(item: Item, patch: Patch): Item {
  const changed: Record<string, unknown> = { ...item, ...patch.set };
  for (const [attribute, amount] of Object.entries(patch.add ?? {})) {
    changed[attribute] = addIntegers((changed[attribute] ?? 0) as Integer, amount);
  }
  for (const attribute of patch.remove ?? []) delete changed[attribute];
  return changed as Item;
}
