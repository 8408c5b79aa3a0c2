import type { Slice, Table } from '../../store/batches/table.ts';
import { type Did, getDids, listByPrefix, listCollections } from '../../store/entities/did.ts';
import { choosePlan } from './choose-plan.ts';
import { listIndexedCandidates } from './indexed-candidates.ts';
import type { FilterGroup } from './read-search.ts';

/** Lists DIDs of a scope by name, from any name on. */
type Source = (slice: Slice) => AsyncIterable<Did>;

/** How the candidates of a search are found. */
export interface CandidateOptions {
  /** The indexed metadata keys. */
  readonly searchable: readonly string[];
  /** The answer needs the sizes of the DIDs. */
  readonly sizes: boolean;
}

/** The DIDs that may match a group, by name. The caller tests each of them. `slice` by name. */
export function listCandidates(
  table: Table,
  scope: string,
  group: FilterGroup,
  { slice, ...sources }: CandidateOptions & { readonly slice: Slice },
): AsyncIterable<Did> {
  return chooseSource(table, scope, group, sources)(slice);
}

function chooseSource(table: Table, scope: string, group: FilterGroup, sources: CandidateOptions): Source {
  const plan = choosePlan(group, sources.searchable);
  switch (plan.source) {
    case 'nothing':
      return () => readDids(table, scope, []);
    case 'did':
      return ({ after }) => readDids(table, scope, after !== undefined && after >= plan.name ? [] : [plan.name]);
    case 'collections':
      return (slice) => listCollections(table, scope, plan.prefix, slice);
    case 'index':
      return (slice) => listIndexedCandidates(table, scope, group, { ...sources, prefix: plan.prefix, slice });
    case 'scope':
      return (slice) => listByPrefix(table, scope, plan.prefix, slice);
  }
}

async function* readDids(table: Table, scope: string, names: readonly string[]): AsyncGenerator<Did> {
  yield* await getDids(
    table,
    names.map((name) => ({ scope, name })),
  );
}
