import type { RuleFilters } from '../../contract/schemas/rule-filters.ts';
import { type Page, type Placed, wholeList } from '../../domain/paging/page.ts';
import type { RuleRecord } from '../../domain/rules/describe-rule.ts';
import { listFilteredRules } from '../../domain/rules/filtered-rules.ts';
import type { Context } from '../../domain/values/context.ts';

/** Lists the rules that pass all filters (spec/replication.md 2.1). */
export function listReplicationRules(
  { store: { table } }: Context,
  filters: RuleFilters,
  page: Page = wholeList,
): AsyncGenerator<Placed<RuleRecord>> {
  return listFilteredRules(table, filters, page);
}
