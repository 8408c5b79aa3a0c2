import { knownDidName } from '../../contract/schemas/names.ts';
import { nameLimits } from '../../policy/limits.ts';
import type { IndexList } from '../../store/entities/metadata-index-search.ts';
import { type Access, findLists, type GroupLists, type Searchable } from './index-lists.ts';
import type { Criterion } from './read-criterion.ts';
import type { FilterGroup } from './read-search.ts';

/** The reasons, by key, why conditions are checked on the rows that were read; absent: the plan serves all conditions. */
interface Filtered {
  readonly filtered?: Readonly<Record<string, string>>;
}

/** How the candidates of a group are listed. */
export type SearchPlan =
  /** No DID can match. */
  | { readonly source: 'nothing' }
  /** One DID, by its name. */
  | { readonly source: 'did'; readonly name: string }
  /** The collections of the scope; no file is read. */
  | ({ readonly source: 'collections'; readonly prefix: string } & Filtered)
  /** The DIDs that meet conditions on certain metadata keys, from the metadata index; in order of names or of values. */
  | ({
      readonly source: 'index';
      readonly keys: string[];
      readonly by: Readonly<Record<string, Access>>;
      readonly order: 'name' | 'value';
      readonly prefix: string;
    } & Filtered)
  /** All DIDs of the scope. */
  | ({ readonly source: 'scope'; readonly prefix: string } & Filtered);

/** A plan with the lists of the index that it uses. */
export interface ChosenPlan {
  readonly plan: SearchPlan;
  readonly lists: readonly IndexList[];
}

/** Input of a plan beside the conditions. */
export interface PlanOptions {
  readonly searchable: Searchable;
  /** The answer needs sizes. The index has no sizes of collections, because they change often. */
  readonly sizes: boolean;
  /** The rows must be in name order: to be merged with those of other groups, or to continue a page. */
  readonly byName: boolean;
}

/**
 * Chooses the cheapest plan for a group. Conditions on the name become a key range, in the metadata index if it can
 * serve another condition.
 */
export function choosePlan(group: FilterGroup, options: PlanOptions): ChosenPlan {
  const { types, name } = group;
  const equal = name.find(({ operator, pattern }) => operator === 'eq' && pattern === undefined);
  if (equal !== undefined) {
    const wanted = String(equal.value);
    return withoutLists(
      knownDidName.safeParse(wanted).success ? { source: 'did', name: wanted } : { source: 'nothing' },
    );
  }
  const prefixes = name.flatMap(({ operator, pattern }) => (operator === 'eq' ? (pattern?.[0] ?? []) : []));
  const prefix = prefixes.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
  if (prefix !== '' && !nameLimits.did.pattern.test(prefix)) return withoutLists({ source: 'nothing' });
  const found = findLists(group, options.searchable);
  if (found.isEmpty) return withoutLists({ source: 'nothing' });
  const filtered = Object.keys(found.filtered).length === 0 ? {} : { filtered: found.filtered };
  if (found.lists.length === 0)
    return withoutLists({ source: types.has('FILE') ? 'scope' : 'collections', prefix, ...filtered });
  const { lists, by } = found;
  const order = prefix === '' && mayOrderByValue(group, found, options) ? 'value' : 'name';
  const keys = lists.map(({ key }) => key);
  return { plan: { source: 'index', keys, by, order, prefix, ...filtered }, lists };
}

const withoutLists = (plan: SearchPlan): ChosenPlan => ({ plan, lists: [] });

/**
 * Whether a list can be read in order of its values. Its entries must hold all that is asked for: if DIDs had to be read,
 * reading the whole scope might be cheaper, which is in name order.
 */
function mayOrderByValue({ types, name, others }: FilterGroup, { lists }: GroupLists, options: PlanOptions): boolean {
  const [list] = lists;
  if (options.byName || lists.length !== 1 || list?.kind !== 'range') return false;
  if (options.sizes && (types.has('DATASET') || types.has('CONTAINER'))) return false;
  return [...name, ...others].every((criterion) => isCovered(criterion, list, options.searchable));
}

/** Columns that every index entry has. */
const entryColumns: ReadonlySet<string> = new Set(['name', 'scope', 'did_type']);

/** Whether a complete entry of a list decides a condition. Values that are not scalar are not in the index. */
export function isCovered({ key, column, value }: Criterion, list: IndexList, { configured }: Searchable): boolean {
  if (entryColumns.has(key)) return true;
  const isHeld = list.kind === 'configured' ? configured.includes(key) : column === undefined && key === list.key;
  return isHeld && (column !== undefined || value !== null);
}
