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

const maxDidsPerBatch = 200;

/** Columns that every index entry has. */
const entryColumns: ReadonlySet<string> = new Set(['name', 'scope', 'did_type']);

/**
 * The metadata keys that the index can serve, in the order of the configuration, which is the most selective first:
 * keys that are configured and whose entries are complete. Both are cached for a minute.
 */
export async function getSearchableKeys(table: Table): Promise<readonly string[]> {
  const [state, named] = await Promise.all([getCachedIndexState(table), readOption(table, 'metadata', 'indexed_keys')]);
  return named.filter((key) => state?.keys.get(key) === 'ready');
}

/** The conditions of a group that the index can serve: the values by key, the most selective key first. */
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

/** What to search in the index. */
export interface IndexSearch {
  readonly searchable: readonly string[];
  readonly prefix: string;
  /** The answer needs sizes. The index has no sizes of collections, because they change often. */
  readonly sizes: boolean;
}

/**
 * The DIDs in the index that may match a group, by name. A DID is read from the table only if its entry lacks a
 * requested value; otherwise the row holds just the values of the entry. `slice` by name.
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
    entry === undefined ||
    entry.partial === true ||
    (types.has(entry.type) && matchesCriteria(toPartialDid(entry), covered));
  const needsDid = (entry: IndexEntry) => uncovered || entry.partial === true || (sizes && entry.type !== 'FILE');
  for await (const chunk of splitIntoChunks(
    filterRows(candidates, fits),
    Math.min(slice.pageSize ?? maxDidsPerBatch, maxDidsPerBatch),
  )) {
    const read = await getDids(
      table,
      chunk.flatMap(({ entry }) => (entry !== undefined && needsDid(entry) ? entry : [])),
    );
    const found = new Map(read.map((did) => [formatDid(did), did]));
    for (const { entry, did } of chunk) {
      const row = entry === undefined ? did : needsDid(entry) ? found.get(formatDid(entry)) : toPartialDid(entry);
      if (row !== undefined) yield row;
    }
  }
}

/** Whether a complete entry decides a condition. Values that are not scalar are not in the index. */
function isCovered({ key, column, value }: Criterion, searchable: readonly string[]): boolean {
  return entryColumns.has(key) || (searchable.includes(key) && (column !== undefined || value !== null));
}

/** Treats an entry as a DID. The caller must use only members that the entry has. */
const toPartialDid = (entry: IndexEntry) => entry as unknown as Did;

async function* filterRows<T>(rows: AsyncIterable<T>, test: (row: T) => boolean): AsyncGenerator<T> {
  for await (const row of rows) if (test(row)) yield row;
}
