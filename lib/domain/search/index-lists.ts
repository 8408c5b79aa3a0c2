import type { Table } from '../../store/batches/table.ts';
import { findFreeKeys, mayBeIndexed } from '../../store/entities/free-keys.ts';
import { getCachedIndexState, type IndexState, searchableFree } from '../../store/entities/index-state.ts';
import type { IndexList } from '../../store/entities/metadata-index-search.ts';
import { allTerms, intersectRanges, rangesOf, rangesOfPrefix, type TermRange } from '../../store/items/ordered-term.ts';
import { readOption } from '../config/read-option.ts';
import type { Criterion } from './read-criterion.ts';
import type { FilterGroup } from './read-search.ts';

/** The metadata keys that the index can serve in a scope. */
export interface Searchable {
  /** The configured keys whose entries are complete, the most selective first. */
  readonly configured: readonly string[];
  /** The free keys of the search whose entries are complete. */
  readonly free: ReadonlySet<string>;
  /** Why the index cannot serve the other free keys of the search. */
  readonly unserved: ReadonlyMap<string, string>;
}

/** No key can be served. */
export const nothingSearchable: Searchable = { configured: [], free: new Set(), unserved: new Map() };

/**
 * The metadata keys that the index can serve for a search. The state of the index and the options are cached for a minute, the
 * free keys of a scope for longer: one read if the search names a key that the process does not know.
 */
export async function findSearchable(table: Table, scope: string, groups: readonly FilterGroup[]): Promise<Searchable> {
  const criteria = groups.flatMap(({ others }) => others);
  const isFree = criteria.some(({ column }) => column === undefined);
  if (!isFree && !criteria.some(({ operator }) => operator === 'eq')) return nothingSearchable;
  const [state, configured] = await Promise.all([getCachedIndexState(table), getSearchableKeys(table)]);
  const keys = new Set(criteria.flatMap(({ key, column }) => (column === undefined ? [key] : [])));
  return { configured, ...(await findFree(table, scope, state, [...keys])) };
}

/** The configured keys that the index can serve, in the order of the configuration. */
export async function getSearchableKeys(table: Table): Promise<readonly string[]> {
  const [state, named] = await Promise.all([getCachedIndexState(table), readOption(table, 'metadata', 'indexed_keys')]);
  return named.filter((key) => state?.keys.get(key) === 'ready');
}

async function findFree(
  table: Table,
  scope: string,
  state: IndexState | undefined,
  keys: readonly string[],
): Promise<Omit<Searchable, 'configured'>> {
  const index = state === undefined ? undefined : searchableFree(state);
  if (index === undefined) return { free: new Set(), unserved: new Map(keys.map((key) => [key, 'being indexed'])) };
  const allowed = keys.filter((key) => mayBeIndexed(key, index));
  const known = allowed.length === 0 ? undefined : await findFreeKeys(table, scope, index, allowed);
  const free = new Set<string>();
  const unserved = new Map<string, string>();
  for (const key of keys) {
    if (!allowed.includes(key)) unserved.set(key, index.excluded.includes(key) ? 'excluded' : 'too long');
    else if (known?.isFull === true && !known.keys.has(key)) unserved.set(key, 'beyond max_keys_per_scope');
    else free.add(key);
  }
  return { free, unserved };
}

/** How a list of the index serves the conditions on its key. */
export type Access = 'equality' | 'range' | 'prefix' | 'presence';

/** The lists that hold all DIDs of a group, and how each serves its key. */
export interface GroupLists {
  readonly lists: readonly IndexList[];
  readonly by: Readonly<Record<string, Access>>;
  /** The reasons why conditions on other keys are checked on the rows that were read. */
  readonly filtered: Readonly<Record<string, string>>;
  /** No value meets the conditions on one of the keys. */
  readonly isEmpty: boolean;
}

/** The lists for the conditions of a group that the index can serve: those by name first, configured keys before free ones. */
export function findLists({ others }: FilterGroup, searchable: Searchable): GroupLists {
  const configured = searchable.configured.flatMap((key): IndexList[] => {
    const value = findEqual(others, key);
    return value === undefined ? [] : [{ kind: 'configured', key, value }];
  });
  const served = new Set(configured.map(({ key }) => key));
  const values: IndexList[] = [];
  const ranges: (IndexList & { readonly kind: 'range' })[] = [];
  const by: Record<string, Access> = Object.fromEntries([...served].map((key) => [key, 'equality']));
  for (const key of searchable.free) {
    if (served.has(key)) continue;
    const value = findEqual(others, key);
    const found = value === undefined ? findRanges(others, key) : undefined;
    if (value !== undefined) values.push({ kind: 'value', key, value });
    else if (found !== undefined) ranges.push({ kind: 'range', key, ranges: found.ranges });
    else continue;
    by[key] = found?.by ?? 'equality';
  }
  const lists = [...configured, ...values, ...ranges];
  const isEmpty = ranges.some((list) => list.ranges.length === 0);
  return { lists, by, filtered: explainOthers(others, searchable, by), isEmpty };
}

/** The value that a key must have; undefined if no condition names one. */
function findEqual(criteria: readonly Criterion[], key: string): Criterion['value'] | undefined {
  const equal = criteria.find((one) => one.key === key && one.operator === 'eq' && one.pattern === undefined);
  return equal?.value ?? undefined;
}

/** The ranges that hold every value that meets all conditions on a free key; undefined if no condition asks for a value. */
function findRanges(criteria: readonly Criterion[], key: string) {
  let ranges: TermRange[] | undefined;
  let by: Access = 'presence';
  for (const { operator, value, pattern } of criteria.filter((one) => one.key === key)) {
    // The index has no lists, which may contain the value.
    if (value === null || operator === 'contains') continue;
    const prefix = operator === 'eq' ? (pattern?.[0] ?? '') : '';
    const isOrdered = operator !== 'eq' && operator !== 'ne';
    const found = isOrdered ? rangesOf(operator, value) : prefix === '' ? [allTerms] : rangesOfPrefix(prefix);
    if (isOrdered) by = 'range';
    else if (prefix !== '' && by === 'presence') by = 'prefix';
    ranges = ranges === undefined ? found : intersectRanges(ranges, found);
  }
  return ranges === undefined ? undefined : { ranges, by };
}

function explainOthers(
  criteria: readonly Criterion[],
  { configured, unserved }: Searchable,
  by: Readonly<Record<string, Access>>,
): Record<string, string> {
  const reasons: Record<string, string> = {};
  for (const { key, column, operator } of criteria) {
    if (Object.hasOwn(by, key)) continue;
    const ofColumn = configured.includes(key) ? 'no equality' : 'not indexed';
    const ofFree = operator === 'contains' ? 'contains' : 'missing value';
    reasons[key] = column === undefined ? (unserved.get(key) ?? ofFree) : ofColumn;
  }
  return reasons;
}
