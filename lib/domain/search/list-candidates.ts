import type { Slice, Table } from '../../store/batches/table.ts';
import { type Did, getDids, listByPrefix, listCollections } from '../../store/entities/did.ts';
import type { ChosenPlan, PlanOptions } from './choose-plan.ts';
import { type Listed, listIndexedCandidates } from './indexed-candidates.ts';
import type { FilterGroup } from './read-search.ts';

/** The DIDs that may match a group, in the order of its plan. The caller tests each of them. `slice` by name, or by place. */
export function listCandidates(
  table: Table,
  scope: string,
  group: FilterGroup,
  { plan, lists }: ChosenPlan,
  { slice, ...options }: Pick<PlanOptions, 'searchable' | 'sizes'> & { readonly slice: Slice },
): AsyncIterable<Listed> {
  switch (plan.source) {
    case 'nothing':
      return readDids(table, scope, []);
    case 'did': {
      const { after } = slice;
      return readDids(table, scope, after !== undefined && after >= plan.name ? [] : [plan.name]);
    }
    case 'collections':
      return toListed(listCollections(table, scope, plan.prefix, slice));
    case 'index': {
      const { order, prefix } = plan;
      return listIndexedCandidates(table, scope, group, { ...options, lists, order, prefix, slice });
    }
    case 'scope':
      return toListed(listByPrefix(table, scope, plan.prefix, slice));
  }
}

async function* toListed(dids: AsyncIterable<Did>): AsyncGenerator<Listed> {
  for await (const did of dids) yield { did };
}

async function* readDids(table: Table, scope: string, names: readonly string[]): AsyncGenerator<Listed> {
  for (const did of await getDids(
    table,
    names.map((name) => ({ scope, name })),
  )) {
    yield { did };
  }
}
