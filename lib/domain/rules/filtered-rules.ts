import type { RuleFilters } from '../../contract/schemas/rule-filters.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { listAccounts } from '../../store/entities/account.ts';
import {
  getRules,
  listRuleIdsOfAccount,
  listRuleIdsOfSubscription,
  listRulesOf,
  type Rule,
  type RulePlace,
} from '../../store/entities/rule.ts';
import { isAccountName } from '../accounts/find-account.ts';
import { abandonReading, beginReading, lookAhead } from '../did-graph/look-ahead.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../paging/page.ts';
import { isValidDid } from '../values/did-names.ts';
import { matchesGlob, readGlob } from '../values/glob.ts';
import type { RuleRecord } from './describe-rule.ts';
import { describeRules } from './describe-rules.ts';
import { makeRuleTest } from './rule-filter-test.ts';

/** Rules read in one batch. */
const rulesPerRead = 500;

/** The most accounts whose rules are read in parallel. */
const maxParallelAccounts = 8;

/**
 * Lists the rules that pass all filters (spec/replication.md 2.1). Reads the smallest list that contains them: by id,
 * DID, subscription or account; otherwise the rules of all accounts, one account after the other.
 */
export async function* listFilteredRules(
  table: Table,
  filters: RuleFilters,
  page: Page = wholeList,
): AsyncGenerator<Placed<RuleRecord>> {
  const passes = makeRuleTest(filters);
  const { pageSize = rulesPerRead } = sliceOf(page);
  const isSearch = Object.keys(filters).some((key) => key !== 'account');
  // Read ahead, so that a selective filter does not cost one round trip per rule.
  const size = Math.max(Math.min(pageSize, rulesPerRead), isSearch ? 100 : 1);
  for await (const chunk of splitIntoChunks(listCandidates(table, filters, page, size), size)) {
    const wanted = chunk.filter(({ row }) => passes(row));
    const records = await describeRules(
      table,
      wanted.map(({ row }) => row),
    );
    for (const [index, row] of records.entries()) yield { row, position: wanted[index]?.position };
  }
}

/** The rules of the smallest list that contains all matches, each with its position there. */
function listCandidates(
  table: Table,
  { id, scope, name, subscription_id: subscription, account = '*' }: RuleFilters,
  page: Page,
  size: number,
): AsyncGenerator<Placed<Rule>> {
  const isFirstPage = page.after === undefined;
  if (id !== undefined) return readRules(table, [isFirstPage ? id : []].flat(), 1);
  if (scope !== undefined && name !== undefined && !scope.includes('*')) return listOfDid(table, { scope, name }, page);
  if (subscription !== undefined) {
    const after = toPlace(page.after);
    const ids = listRuleIdsOfSubscription(table, subscription, { after, pageSize: size });
    return readRules(table, ids, size);
  }
  return listOfAccounts(table, account, page, size);
}

async function* listOfDid(
  table: Table,
  did: { scope: string; name: string },
  page: Page,
): AsyncGenerator<Placed<Rule>> {
  if (!isValidDid(did)) return;
  const [after] = page.after ?? [];
  for await (const rule of listRulesOf(table, did, sliceOf(page, after))) yield placed(rule, rule.id);
}

async function* listOfAccounts(table: Table, pattern: string, page: Page, size: number): AsyncGenerator<Placed<Rule>> {
  const [begun, ...after] = page.after ?? [];
  const idsOf = (account: string) => {
    const slice = { after: account === begun ? toPlace(after) : undefined, pageSize: size };
    return beginReading(listRuleIdsOfAccount(table, account, slice));
  };
  const accounts = listMatchingAccounts(table, pattern, begun);
  for await (const [account, ids] of lookAhead(accounts, maxParallelAccounts, idsOf, abandonReading)) {
    for await (const { row, position = [] } of readRules(table, (await ids) ?? [], size)) {
      // The index is eventually consistent: the rule may belong to another account now.
      if (row.account === account) yield placed(row, account, ...position);
    }
  }
}

/** The accounts that match a pattern, by name, from the account of the cursor on. */
async function* listMatchingAccounts(table: Table, pattern: string, begun: string | undefined): AsyncGenerator<string> {
  const star = pattern.indexOf('*');
  const prefix = star < 0 ? pattern : pattern.slice(0, star);
  if (prefix !== '' && !isAccountName(prefix)) return;
  if (star < 0) {
    if (prefix !== '') yield prefix;
    return;
  }
  const glob = readGlob(pattern, /\*/);
  for await (const { account } of listAccounts(table, prefix, begun === undefined ? {} : { from: begun })) {
    if (matchesGlob(account, glob)) yield account;
  }
}

async function* readRules(
  table: Table,
  ids: AsyncIterable<string> | Iterable<string>,
  size: number,
): AsyncGenerator<Placed<Rule>> {
  for await (const chunk of splitIntoChunks(ids, size)) {
    const rules = await getRules(table, chunk);
    for (const id of chunk) {
      const rule = rules.get(id);
      if (rule !== undefined) yield placed(rule, String(rule.createdAt), id);
    }
  }
}

function toPlace([createdAt, id = '']: readonly string[] = []): RulePlace | undefined {
  return createdAt === undefined ? undefined : { createdAt: Number(createdAt), id };
}
