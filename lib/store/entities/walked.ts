import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Insert } from '../items/plan.ts';
import { ruleKeys } from '../keys/rule-keys.ts';

/** How long a list is kept, in milliseconds: longer than any task takes. */
const lifetime = 90 * 86_400_000;

/** The lists of what a task has walked through that were written so far; `lists`: how many. */
export async function getWalked(table: Table, id: string, lists: number): Promise<string[]> {
  const keys = Array.from({ length: lists }, (_none, index) => ruleKeys.walked(id, index));
  return (await table.getMany(keys)).map((item) => String(item['names']));
}

/** The write that puts down a list of what a task has walked through; it goes by itself. */
export function insertWalked(id: string, index: number, names: string): Insert {
  const ttl = Math.ceil((Date.now() + lifetime) / 1_000);
  const item: Item = { ...ruleKeys.walked(id, index), names, ttl };
  return { kind: 'insert', item, onExists: () => new Error(`the list ${index} of ${id} was written twice`) };
}
