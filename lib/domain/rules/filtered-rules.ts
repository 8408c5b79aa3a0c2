import type { RuleFilters } from '../../contract/schemas/rule-filters.ts';
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
import { chunksOf } from '../values/chunks.ts';
import { fitsGlob, readGlob } from '../values/glob.ts';
import { isValidDid } from '../values/names.ts';
import type { RuleRecord } from './describe-rule.ts';
import { describeRules } from './describe-rules.ts';
import { readFilters } from './filters.ts';

/** Rules that are read at once. */
const atOnce = 500;

/** Accounts whose rules are looked for at once. */
const accountsAtOnce = 8;

/**
 * The rules that pass all filters (spec/replication.md 2.1), found by what is closest to them: their id, their DID, their
 * subscription, their account. Otherwise the rules of all accounts are looked at, one account after the other.
 */
export async function* listFilteredRules(
  table: Table,
  filters: RuleFilters,
  page: Page = wholeList,
): AsyncGenerator<Placed<RuleRecord>> {
  const passes = readFilters(filters);
  const { pageSize = atOnce } = sliceOf(page);
  const isSearch = Object.keys(filters).some((key) => key !== 'account');
  // Whoever looks for something rare must not be made to wait for each single rule that it is not.
  const size = Math.max(Math.min(pageSize, atOnce), isSearch ? 100 : 1);
  for await (const chunk of chunksOf(candidates(table, filters, page, size), size)) {
    const wanted = chunk.filter(({ row }) => passes(row));
    const records = await describeRules(
      table,
      wanted.map(({ row }) => row),
    );
    for (const [index, row] of records.entries()) yield { row, position: wanted[index]?.position };
  }
}

/** The rules of the shortest list that holds all those that are looked for, each with its position there. */
function candidates(
  table: Table,
  { id, scope, name, subscription_id: subscription, account = '*' }: RuleFilters,
  page: Page,
  size: number,
): AsyncGenerator<Placed<Rule>> {
  const first = page.after === undefined;
  if (id !== undefined) return readRules(table, [first ? id : []].flat(), 1);
  if (scope !== undefined && name !== undefined && !scope.includes('*')) return ofDid(table, { scope, name }, page);
  if (subscription !== undefined) {
    const after = toPlace(page.after);
    const ids = listRuleIdsOfSubscription(table, subscription, { after, pageSize: size });
    return readRules(table, ids, size);
  }
  return ofAccounts(table, account, page, size);
}

async function* ofDid(table: Table, did: { scope: string; name: string }, page: Page): AsyncGenerator<Placed<Rule>> {
  if (!isValidDid(did)) return;
  const [after] = page.after ?? [];
  for await (const rule of listRulesOf(table, did, sliceOf(page, after))) yield placed(rule, rule.id);
}

async function* ofAccounts(table: Table, pattern: string, page: Page, size: number): AsyncGenerator<Placed<Rule>> {
  const [begun, ...after] = page.after ?? [];
  const idsOf = (account: string) => {
    const slice = { after: account === begun ? toPlace(after) : undefined, pageSize: size };
    return beginReading(listRuleIdsOfAccount(table, account, slice));
  };
  const accounts = matchingAccounts(table, pattern, begun);
  for await (const [account, ids] of lookAhead(accounts, accountsAtOnce, idsOf, abandonReading)) {
    for await (const { row, position = [] } of readRules(table, (await ids) ?? [], size)) {
      // The index may not have heard yet that a rule was given to another account.
      if (row.account === account) yield placed(row, account, ...position);
    }
  }
}

/** The accounts that fit a pattern, by name, from the one on with which a page goes on. */
async function* matchingAccounts(table: Table, pattern: string, begun: string | undefined): AsyncGenerator<string> {
  const star = pattern.indexOf('*');
  const prefix = star < 0 ? pattern : pattern.slice(0, star);
  if (prefix !== '' && !isAccountName(prefix)) return;
  if (star < 0) {
    if (prefix !== '') yield prefix;
    return;
  }
  const glob = readGlob(pattern, /\*/);
  for await (const { account } of listAccounts(table, prefix, begun === undefined ? {} : { from: begun })) {
    if (fitsGlob(account, glob)) yield account;
  }
}

async function* readRules(
  table: Table,
  ids: AsyncIterable<string> | Iterable<string>,
  size: number,
): AsyncGenerator<Placed<Rule>> {
  for await (const chunk of chunksOf(ids, size)) {
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
