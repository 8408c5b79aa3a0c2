import type { Slice, Table } from '../../store/batches/table.ts';
import { type Did, getDids, listByPrefix, listCollections } from '../../store/entities/did.ts';
import { candidatesInIndex } from './indexed.ts';
import { choosePlan } from './plan.ts';
import type { Group } from './query.ts';

/** A way to DIDs of a scope in the order of their names, from any name on. */
type Source = (slice: Slice) => AsyncIterable<Did>;

/** How the candidates of a search are found. */
export interface Sources {
  /** The metadata keys that are in the index. */
  readonly searchable: readonly string[];
  /** The sizes of the DIDs are asked for, too. */
  readonly sizes: boolean;
}

/** Everything that can fit a group, by name; whether it does is seen only by looking at it. `slice` by name. */
export function candidatesOf(
  table: Table,
  scope: string,
  group: Group,
  { slice, ...sources }: Sources & { readonly slice: Slice },
): AsyncIterable<Did> {
  return sourceOf(table, scope, group, sources)(slice);
}

function sourceOf(table: Table, scope: string, group: Group, sources: Sources): Source {
  const plan = choosePlan(group, sources.searchable);
  switch (plan.source) {
    case 'nothing':
      return () => didsOf(table, scope, []);
    case 'did':
      return ({ after }) => didsOf(table, scope, after !== undefined && after >= plan.name ? [] : [plan.name]);
    case 'collections':
      return (slice) => listCollections(table, scope, plan.prefix, slice);
    case 'index':
      return (slice) => candidatesInIndex(table, scope, group, { ...sources, prefix: plan.prefix, slice });
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
