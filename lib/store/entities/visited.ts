import { clock } from '../../clock.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Insert } from '../items/plan.ts';
import { ruleKeys } from '../keys/rule-keys.ts';

/** How long a list is kept: longer than any task takes. */
const lifetimeMs = 90 * 86_400_000;

/** The lists of the collections that a task has visited; `lists`: how many were written. */
export async function getVisited(table: Table, id: string, lists: number): Promise<string[]> {
  const keys = Array.from({ length: lists }, (_none, index) => ruleKeys.walked(id, index));
  return (await table.getMany(keys)).map((item) => String(item['names']));
}

/** The write that inserts a list of the collections that a task has visited; it expires. */
export function insertVisited(id: string, index: number, names: string): Insert {
  const ttl = Math.ceil((clock.now() + lifetimeMs) / 1_000);
  const item: Item = { ...ruleKeys.walked(id, index), names, ttl };
  return { kind: 'insert', item, onExists: () => new Error(`the list ${index} of ${id} was written twice`) };
}
