import type { RuleFilters } from '../../contract/schemas/rule-filters.ts';
import type { Context } from '../context.ts';
import { type Page, type Placed, wholeList } from '../paging/page.ts';
import type { RuleRecord } from './describe-rule.ts';
import { listFilteredRules } from './filtered-rules.ts';

/** The rules that pass all filters (spec/replication.md 2.1). */
export function listReplicationRules(
  { store: { table } }: Context,
  filters: RuleFilters,
  page: Page = wholeList,
): AsyncGenerator<Placed<RuleRecord>> {
  return listFilteredRules(table, filters, page);
}
