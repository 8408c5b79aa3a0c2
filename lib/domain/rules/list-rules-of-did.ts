import type { DidKey } from '../../contract/schemas/did.ts';
import { getDid } from '../../store/entities/did.ts';
import { getRule, listRulesOf } from '../../store/entities/rule.ts';
import type { Context } from '../context.ts';
import { findDid } from '../dids/find.ts';
import { readAhead } from '../dids/read-ahead.ts';
import { isValidDid } from '../dids/names.ts';
import { describeRule, type RuleRecord } from './describe-rule.ts';

/**
 * The rules that were placed on a DID itself, not on what holds it (spec/dids.md 2.13).
 *
 * @throws DataIdentifierNotFound (404).
 */
export async function* listRules({ store }: Context, key: DidKey): AsyncGenerator<RuleRecord> {
  const { table } = store;
  const [did, rules] = await Promise.all([
    findDid(table, key),
    isValidDid(key) ? readAhead(listRulesOf(table, key)) : undefined,
  ]);
  for await (const rule of rules ?? []) yield describeRule(rule, did);
}

/**
 * The rules that hold a lock on a replica of a file, through whatever holds the file, each once (spec/dids.md 2.14).
 *
 * @throws DataIdentifierNotFound (404).
 */
export async function* listAssociatedRules({ store }: Context, key: DidKey): AsyncGenerator<RuleRecord> {
  const { table } = store;
  const file = await findDid(table, key);
  const ids = new Set(file.replicas.values().flatMap(({ locks }) => Object.keys(locks ?? {})));
  const rules = await Promise.all([...ids].map((id) => getRule(table, id)));
  for (const rule of rules) {
    const did = rule === undefined ? undefined : await getDid(table, rule.did);
    if (rule !== undefined && did !== undefined) yield describeRule(rule, did);
  }
}
