import type { DidKey } from '../../contract/schemas/did.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Insert } from '../items/plan.ts';
import { attributesReader, isNumber, isText } from '../items/read-attributes.ts';
import { didKeys } from '../keys/did-keys.ts';
import { lastPart, part } from '../keys/key-parts.ts';
import { ruleKeys } from '../keys/rule-keys.ts';
import type { Rule, RulePlace } from './rule.ts';

/** The record of an ended rule, in the history of its DID; dates in milliseconds since 1970. */
export interface PastRule extends Pick<Rule, 'id' | 'account' | 'rseExpression' | 'createdAt' | 'updatedAt'> {
  /** The last state on the wire. */
  readonly state: string;
  readonly ok: number;
  readonly replicating: number;
  readonly stuck: number;
  readonly endedAt: number;
}

/** The ended rules of a DID, by creation time. */
export function listPastRules(
  table: Table,
  did: DidKey,
  { after, pageSize }: Slice<RulePlace> = {},
): AsyncGenerator<PastRule> {
  const start = after === undefined ? undefined : ruleKeys.past(did, after.createdAt, after.id).SK;
  const range = { pk: didKeys.partition(did), ...ruleKeys.pasts, after: start, pageSize };
  return table.query(range, fromItem);
}

/** The write that records the end of a rule. */
export function insertPastRule(did: DidKey, { id, createdAt, ...attributes }: PastRule): Insert {
  const item = { ...ruleKeys.past(did, createdAt, id), ...attributes };
  return { kind: 'insert', item, onExists: () => new Error(`the rule ${id} has ended twice`) };
}

const readPastRule = attributesReader<Omit<PastRule, 'id' | 'createdAt'>>({
  account: isText,
  rseExpression: isText,
  updatedAt: isNumber,
  state: isText,
  ok: isNumber,
  replicating: isNumber,
  stuck: isNumber,
  endedAt: isNumber,
});

function fromItem(item: Item): PastRule {
  return { ...readPastRule(item), id: lastPart(item), createdAt: Number(part(item.SK, 1)) };
}
