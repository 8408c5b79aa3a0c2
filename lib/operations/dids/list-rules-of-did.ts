import type { DidKey } from '../../contract/schemas/did.ts';
import { findDid } from '../../domain/dids/find-did.ts';
import { byName, type Page, type Placed, placed, rowsOf, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { describeRule, type RuleRecord } from '../../domain/rules/describe-rule.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { readAhead } from '../../rows/read-ahead.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import { asFile, getDids } from '../../store/entities/did.ts';
import { getRules, listRulesOf } from '../../store/entities/rule.ts';

/**
 * The rules on a DID itself, without those on its ancestors (spec/dids.md 2.13).
 *
 * @throws DataIdentifierNotFound (404).
 */
export async function* listRules(
  { store }: Context,
  key: DidKey,
  page: Page = wholeList,
): AsyncGenerator<Placed<RuleRecord>> {
  const { table } = store;
  const [after] = page.after ?? [];
  const [did, rules] = await Promise.all([
    findDid(table, key),
    isValidDid(key) ? readAhead(listRulesOf(table, key, sliceOf(page, after))) : undefined,
  ]);
  for await (const rule of rules ?? []) yield placed(describeRule(rule, did), rule.id);
}

/**
 * The rules with a lock on a replica of a file, including rules on its ancestors, each once, by id (spec/dids.md 2.14).
 *
 * @throws DataIdentifierNotFound (404).
 */
export async function* listAssociatedRules(
  { store }: Context,
  key: DidKey,
  page: Page = wholeList,
): AsyncGenerator<Placed<RuleRecord>> {
  const { table } = store;
  const file = asFile(await findDid(table, key));
  const ids = new Set(file?.replicas.values().flatMap(({ locks }) => Object.keys(locks ?? {})));
  const wanted = rowsOf(byName(ids, (id) => id, page));
  for await (const chunk of splitIntoChunks(wanted, sliceOf(page).pageSize ?? Math.max(ids.size, 1))) {
    const rules = [...(await getRules(table, chunk)).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const dids = await getDids(
      table,
      rules.map(({ did }) => did),
    );
    const byKey = new Map(dids.map((did) => [formatDid(did), did]));
    for (const rule of rules) yield placed(describeRule(rule, byKey.get(formatDid(rule.did))), rule.id);
  }
}
