import { isAccountName } from '../accounts/find-account.ts';
import type { Context } from '../context.ts';
import { type Page, type Placed, wholeList } from '../paging/page.ts';
import type { RuleRecord } from './describe-rule.ts';
import { listFilteredRules } from './filtered-rules.ts';

/** The rules of an account in order of their creation; of an unknown account none (spec/replication.md 2.1). */
export function listRulesOfAccount(
  { store: { table } }: Context,
  account: string,
  page: Page = wholeList,
): AsyncGenerator<Placed<RuleRecord>> {
  // A name with a wildcard is not the name of an account.
  return listFilteredRules(table, { account: isAccountName(account) ? account : '' }, page);
}
