import { didName } from '../../contract/schemas/did.ts';
import { pickIndexedValues } from './indexed-candidates.ts';
import type { FilterGroup } from './read-search.ts';

/** How the candidates of a group are found. */
export type SearchPlan =
  /** Nothing can fit. */
  | { readonly source: 'nothing' }
  /** One DID, by its name. */
  | { readonly source: 'did'; readonly name: string }
  /** The collections of the scope, without a file being read. */
  | { readonly source: 'collections'; readonly prefix: string }
  /** The DIDs of the scope that have values of metadata keys, from the index of them. */
  | { readonly source: 'index'; readonly keys: string[]; readonly prefix: string }
  /** All DIDs of the scope. */
  | { readonly source: 'scope'; readonly prefix: string };

/**
 * Chooses the cheapest way to everything that can fit a group: what the name says becomes a range of keys, of the index of
 * metadata where that can be asked.
 *
 * @param searchable The metadata keys that are in the index.
 */
export function choosePlan(group: FilterGroup, searchable: readonly string[]): SearchPlan {
  const { types, name } = group;
  const equal = name.find(({ operator, pattern }) => operator === 'eq' && pattern === undefined);
  if (equal !== undefined) {
    const wanted = String(equal.value);
    return didName.safeParse(wanted).success ? { source: 'did', name: wanted } : { source: 'nothing' };
  }
  const prefixes = name.flatMap(({ operator, pattern }) => (operator === 'eq' ? (pattern?.[0] ?? []) : []));
  const prefix = prefixes.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
  if (prefix !== '' && !/^[/A-Za-z0-9][/A-Za-z0-9.\-_]*$/.test(prefix)) return { source: 'nothing' };
  const keys = [...pickIndexedValues(group, searchable).keys()];
  if (keys.length > 0) return { source: 'index', keys, prefix };
  return types.has('FILE') ? { source: 'scope', prefix } : { source: 'collections', prefix };
}
