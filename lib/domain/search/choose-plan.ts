import { didName } from '../../contract/schemas/did.ts';
import { pickIndexedValues } from './indexed-candidates.ts';
import type { FilterGroup } from './read-search.ts';

/** How the candidates of a group are listed. */
export type SearchPlan =
  /** No DID can match. */
  | { readonly source: 'nothing' }
  /** One DID, by its name. */
  | { readonly source: 'did'; readonly name: string }
  /** The collections of the scope; no file is read. */
  | { readonly source: 'collections'; readonly prefix: string }
  /** The DIDs with certain values of metadata keys, from the metadata index. */
  | { readonly source: 'index'; readonly keys: string[]; readonly prefix: string }
  /** All DIDs of the scope. */
  | { readonly source: 'scope'; readonly prefix: string };

/**
 * Chooses the cheapest plan for a group. Conditions on the name become a key range, in the metadata index if it can
 * serve another condition.
 *
 * @param searchable The indexed metadata keys.
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
