import type { DidKey } from '../../contract/schemas/did.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Insert } from '../items/plan.ts';
import { didKeys } from '../keys/did-keys.ts';
import { lastPart, part } from '../keys/key-parts.ts';
import { ruleKeys } from '../keys/rule-keys.ts';
import type { Rule, RulePlace } from './rule.ts';

/** What is kept of a rule that is gone, in the history of its DID; dates in milliseconds since 1970. */
export interface PastRule extends Pick<Rule, 'id' | 'account' | 'rseExpression' | 'createdAt' | 'updatedAt'> {
  /** As it was last shown. */
  readonly state: string;
  readonly ok: number;
  readonly replicating: number;
  readonly stuck: number;
  readonly endedAt: number;
}

/** The rules that a DID once had, in order of their creation. */
export async function* listPastRules(
  table: Table,
  did: DidKey,
  { after, pageSize }: Slice<RulePlace> = {},
): AsyncGenerator<PastRule> {
  const start = after === undefined ? undefined : ruleKeys.past(did, after.createdAt, after.id).SK;
  const range = { pk: didKeys.partition(did), ...ruleKeys.pasts, after: start, pageSize };
  for await (const item of table.query(range)) yield fromItem(item);
}

/** The write that keeps a rule which goes. */
export function insertPastRule(did: DidKey, { id, createdAt, ...attributes }: PastRule): Insert {
  const item = { ...ruleKeys.past(did, createdAt, id), ...attributes };
  return { kind: 'insert', item, onExists: () => new Error(`the rule ${id} has ended twice`) };
}

function fromItem(item: Item): PastRule {
  const { PK: _pk, SK, batch: _batch, gone: _gone, ...attributes } = item;
  return { ...attributes, id: lastPart({ PK: '', SK }), createdAt: Number(part(SK, 1)) } as unknown as PastRule;
}
