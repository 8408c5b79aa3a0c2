import type { Slice, Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { getCachedIndexState } from '../../store/entities/index-state.ts';
import { type Candidate, searchIndex } from '../../store/entities/metadata-index-search.ts';
import type { IndexEntry } from '../../store/entities/metadata-index.ts';
import { readOption } from '../config/read-option.ts';
import { formatDid } from '../values/format-did.ts';
import { splitIntoChunks } from '../values/split-into-chunks.ts';
import { matchesCriteria } from './match-did.ts';
import type { Criterion } from './read-criterion.ts';
import type { FilterGroup } from './read-search.ts';

/** DIDs that are read at once. */
const readAtOnce = 200;

/** Columns that every entry of the index knows. */
const known: ReadonlySet<string> = new Set(['name', 'scope', 'did_type']);

/**
 * The metadata keys by which the index can be searched, the most selective first: those that the configuration names and
 * that the index is ready for. Costs nothing but for one read of either a minute.
 */
export async function getSearchableKeys(table: Table): Promise<readonly string[]> {
  const [state, named] = await Promise.all([getCachedIndexState(table), readOption(table, 'metadata', 'indexed_keys')]);
  return named.filter((key) => state?.keys.get(key) === 'ready');
}

/** The values of a group's conditions that the index can be asked for, by key, the most selective first. */
export function pickIndexedValues(
  { others }: FilterGroup,
  searchable: readonly string[],
): Map<string, Criterion['value']> {
  const values = new Map<string, Criterion['value']>();
  for (const key of searchable) {
    const equal = others.find((one) => one.key === key && one.operator === 'eq' && one.pattern === undefined);
    if (equal !== undefined && equal.value !== null) values.set(key, equal.value);
  }
  return values;
}

/** Where in the index to look, and what for. */
export interface IndexSearch {
  readonly searchable: readonly string[];
  readonly prefix: string;
  /** The sizes of the DIDs are asked for, too; those of collections change all the time and are not in the index. */
  readonly sizes: boolean;
}

/**
 * Everything in the index that can fit a group, by name. DIDs are read only where the index does not say all that is asked
 * for; of those that are not read nothing else is known. `slice` by name.
 */
export async function* listIndexedCandidates(
  table: Table,
  scope: string,
  group: FilterGroup,
  { searchable, prefix, sizes, slice }: IndexSearch & { readonly slice: Slice },
): AsyncGenerator<Did> {
  const conditions = [...group.name, ...group.others];
  const covered = conditions.filter((condition) => isCovered(condition, searchable));
  const uncovered = covered.length < conditions.length;
  const { types } = group;
  const candidates = searchIndex(
    table,
    {
      scope,
      values: pickIndexedValues(group, searchable),
      prefix,
      ...(types.has('FILE') ? { files: { whole: uncovered } } : {}),
      ...(types.has('DATASET') || types.has('CONTAINER') ? { collections: { whole: uncovered || sizes } } : {}),
    },
    slice,
  );
  const fits = ({ entry }: Candidate) =>
    entry === undefined || entry.partial === true || (types.has(entry.type) && matchesCriteria(asDid(entry), covered));
  const needsDid = (entry: IndexEntry) => uncovered || entry.partial === true || (sizes && entry.type !== 'FILE');
  for await (const chunk of splitIntoChunks(
    filter(candidates, fits),
    Math.min(slice.pageSize ?? readAtOnce, readAtOnce),
  )) {
    const read = await getDids(
      table,
      chunk.flatMap(({ entry }) => (entry !== undefined && needsDid(entry) ? entry : [])),
    );
    const found = new Map(read.map((did) => [formatDid(did), did]));
    for (const { entry, did } of chunk) {
      const row = entry === undefined ? did : needsDid(entry) ? found.get(formatDid(entry)) : asDid(entry);
      if (row !== undefined) yield row;
    }
  }
}

/** Whether an entry that is not partial says all about a condition. What is no single value is in no entry. */
function isCovered({ key, column, value }: Criterion, searchable: readonly string[]): boolean {
  return known.has(key) || (searchable.includes(key) && (column !== undefined || value !== null));
}

/** An entry for those who ask for nothing that it does not say. */
const asDid = (entry: IndexEntry) => entry as unknown as Did;

async function* filter<T>(rows: AsyncIterable<T>, test: (row: T) => boolean): AsyncGenerator<T> {
  for await (const row of rows) if (test(row)) yield row;
}
