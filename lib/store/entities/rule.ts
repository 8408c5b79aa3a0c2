import type { DidKey } from '../../contract/schemas/did.ts';
import type { Item } from '../item.ts';
import { keys, lastPart, parentOf } from '../keys.ts';
import type { Change, Insert } from '../plan.ts';
import type { Slice, Table } from '../table.ts';

/** A replication rule as it is asked for; dates in milliseconds since 1970. */
export interface Rule {
  /** 32 lower-case hex digits. */
  readonly id: string;
  readonly did: DidKey;
  readonly account: string;
  readonly rseExpression: string;
  readonly copies: number;
  /** `INJECT`: accepted, and waiting for its first evaluation. */
  readonly state: 'INJECT';
  readonly expiresAt?: number;
  /** What else the rule was given, by wire name (spec/dids.md 2.2 step 9). */
  readonly options: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
}

/** The rules that were placed on a DID itself, by id; `slice` by id. */
export async function* listRulesOf(table: Table, did: DidKey, { after, pageSize }: Slice = {}): AsyncGenerator<Rule> {
  const { SK } = after === undefined ? {} : keys.rule(did, after);
  const range = { pk: keys.didPartition(did), ...keys.rules, after: SK, pageSize };
  for await (const item of table.query(range)) yield fromItem(item);
}

/** The rule of an id. Eventually consistent. */
export async function getRule(table: Table, id: string): Promise<Rule | undefined> {
  const found = await table.query({ index: 'GSI1', pk: keys.ruleById(id).GSI1PK, pageSize: 1 }).next();
  return found.done === true ? undefined : fromItem(found.value);
}

/** The write that makes a rule. */
export function insertRule({ id, did, ...attributes }: Rule): Insert {
  const item = { ...keys.rule(did, id), ...keys.ruleById(id), ...attributes };
  return { kind: 'insert', item, onExists: () => new Error(`the rule id ${id} was given twice`) };
}

/** The write that deletes a rule. */
export function deleteRule({ did, id }: Pick<Rule, 'did' | 'id'>, onMissing: () => Error): Change {
  return { kind: 'change', key: keys.rule(did, id), patch: { delete: true }, onMismatch: onMissing };
}

function fromItem(item: Item): Rule {
  const { PK, SK, GSI1PK: _partition, GSI1SK: _sort, batch: _batch, gone: _gone, ...attributes } = item;
  return { id: lastPart({ PK, SK }), did: parentOf({ PK, SK }), ...attributes } as unknown as Rule;
}
