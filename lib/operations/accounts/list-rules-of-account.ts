import { isAccountName } from '../../domain/accounts/find-account.ts';
import { type Page, type Placed, wholeList } from '../../domain/paging/page.ts';
import type { RuleRecord } from '../../domain/rules/describe-rule.ts';
import { listFilteredRules } from '../../domain/rules/filtered-rules.ts';
import type { Context } from '../../domain/values/context.ts';

/** The rules of an account in order of their creation; none for an unknown account (spec/replication.md 2.1). */
export function listRulesOfAccount(
  { store: { table } }: Context,
  account: string,
  page: Page = wholeList,
): AsyncGenerator<Placed<RuleRecord>> {
  // A name with a wildcard is not the name of an account.
  return listFilteredRules(table, { account: isAccountName(account) ? account : '' }, page);
}
