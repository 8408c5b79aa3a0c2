import type { Table } from '../../store/batches/table.ts';
import { getDids } from '../../store/entities/did.ts';
import type { Rule } from '../../store/entities/rule.ts';
import { formatDid } from '../values/format-did.ts';
import { describeRule, type RuleRecord } from './describe-rule.ts';

/** The records of rules, in their order. Reads their DIDs in one batch. */
export async function describeRules(table: Table, rules: readonly Rule[]): Promise<RuleRecord[]> {
  const dids = await getDids(
    table,
    rules.map(({ did }) => did),
  );
  const byName = new Map(dids.map((did) => [formatDid(did), did]));
  return rules.map((rule) => describeRule(rule, byName.get(formatDid(rule.did))));
}
