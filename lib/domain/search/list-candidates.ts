import { mapRows } from '../../rows/map-rows.ts';
import { openLater } from '../../rows/open-later.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
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
): ReadyRows<Listed> {
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

const toListed = (dids: AsyncIterable<Did> | Iterable<Did>) => mapRows(dids, (did): Listed => ({ did }));

function readDids(table: Table, scope: string, names: readonly string[]): ReadyRows<Listed> {
  const dids = names.map((name) => ({ scope, name }));
  return openLater(async () => toListed(await getDids(table, dids)));
}
