import type { Item } from '../../../infra/local/engine/values/attribute-value.ts';
import { identify } from './normalise.ts';
import type { Touched } from './request.ts';

/** The items that both engines have, as the judge knows them. */
export class State {
  readonly #tables = new Map<string, Map<string, Item>>();

  /** The item of a key; undefined when there is none. */
  get({ table, key }: Touched): Item | undefined {
    return this.#tables.get(table)?.get(identify(key));
  }

  /** Notes what became of an item; undefined: it is gone. */
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
