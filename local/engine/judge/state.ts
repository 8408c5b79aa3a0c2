import type { Item } from '../src/values/attribute-value.ts';
import { identify } from './normalise.ts';
import type { Touched } from './request.ts';

/** The items of both engines, as tracked by the judge. */
export class State {
  readonly #tables = new Map<string, Map<string, Item>>();

  /** The item of a key; undefined without one. */
  get({ table, key }: Touched): Item | undefined {
    return this.#tables.get(table)?.get(identify(key));
  }

  /** Records the new state of an item; undefined: deleted. */
  set({ table, key }: Touched, item: Item | undefined): void {
    const items = this.#tables.get(table) ?? new Map<string, Item>();
    this.#tables.set(table, items);
    if (item === undefined) items.delete(identify(key));
    else items.set(identify(key), item);
  }

  /** All items of a table. */
  list(table: string): Item[] {
    return [...(this.#tables.get(table)?.values() ?? [])];
  }
}
