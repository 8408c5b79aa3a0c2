import type { Slice, Table } from '../../store/batches/table.ts';
import { type Did, getDids, listByPrefix, listCollections } from '../../store/entities/did.ts';
import { choosePlan } from './choose-plan.ts';
import { listIndexedCandidates } from './indexed-candidates.ts';
import type { FilterGroup } from './read-search.ts';

/** A way to DIDs of a scope in the order of their names, from any name on. */
type Source = (slice: Slice) => AsyncIterable<Did>;

/** How the candidates of a search are found. */
export interface CandidateOptions {
  /** The metadata keys that are in the index. */
  readonly searchable: readonly string[];
  /** The sizes of the DIDs are asked for, too. */
  readonly sizes: boolean;
}

/** Everything that can fit a group, by name; whether it does is seen only by looking at it. `slice` by name. */
export function listCandidates(
  table: Table,
  scope: string,
  group: FilterGroup,
  { slice, ...sources }: CandidateOptions & { readonly slice: Slice },
): AsyncIterable<Did> {
  return sourceOf(table, scope, group, sources)(slice);
}

function sourceOf(table: Table, scope: string, group: FilterGroup, sources: CandidateOptions): Source {
  const plan = choosePlan(group, sources.searchable);
  switch (plan.source) {
    case 'nothing':
      return () => didsOf(table, scope, []);
    case 'did':
      return ({ after }) => didsOf(table, scope, after !== undefined && after >= plan.name ? [] : [plan.name]);
    case 'collections':
      return (slice) => listCollections(table, scope, plan.prefix, slice);
    case 'index':
      return (slice) => listIndexedCandidates(table, scope, group, { ...sources, prefix: plan.prefix, slice });
    case 'scope':
      return (slice) => listByPrefix(table, scope, plan.prefix, slice);
  }
}

async function* didsOf(table: Table, scope: string, names: readonly string[]): AsyncGenerator<Did> {
  yield* await getDids(
    table,
    names.map((name) => ({ scope, name })),
  );
}
