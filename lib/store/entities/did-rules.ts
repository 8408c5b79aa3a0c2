import type { DidKey } from '../../contract/schemas/did.ts';
import type { Item } from '../item.ts';
import { type Key, keys } from '../keys.ts';
import type { Change } from '../plan.ts';
import type { Table } from '../table.ts';

/** What the deletion of a DID must know of a rule on it. */
export interface DidRule {
  readonly key: Key;
  /** As the rule was given it: a locked rule keeps its DID. */
  readonly locked: boolean;
}

/** The rules that were placed on a DID itself. */
export async function* listRulesOf(table: Table, did: DidKey): AsyncGenerator<DidRule> {
  for await (const item of table.query({ pk: keys.didPartition(did), ...keys.rules })) yield fromItem(item);
}

/** The write that deletes a rule. */
export function deleteRule({ key }: DidRule, onMissing: () => Error): Change {
  return { kind: 'change', key, patch: { delete: true }, onMismatch: onMissing };
}

function fromItem(item: Item): DidRule {
  const options = (item['options'] ?? {}) as Readonly<Record<string, unknown>>;
  return { key: { PK: item.PK, SK: item.SK }, locked: options['locked'] === true };
}
