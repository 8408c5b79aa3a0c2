import { type Consumption, readUnits } from '../capacity.ts';
import { EngineError, validationError, tableNotFoundError } from '../errors.ts';
import type { Condition } from '../expressions/condition.ts';
import type { Test } from '../expressions/operators.ts';
import { listAttributes, type Path, readPath } from '../expressions/path.ts';
import type { StoredTexts } from '../json.ts';
import type { ItemView } from '../reading/item-view.ts';
import { readPage } from '../reading/page.ts';
import { readStartKey, showLastKey, type StartPlace } from '../reading/start-key.ts';
import { checkFiltered, findTarget, mustFetch, type Target } from '../reading/target.ts';
import { findIndex } from '../schema/definition.ts';
import type { Storage } from '../storage/storage.ts';
import type { TableStore } from '../storage/table-store.ts';
import { emptyItem, type Item } from '../values/attribute-value.ts';
import { parseNamed } from '../values/json-names.ts';
import { listKeyAttributes } from '../values/key.ts';
import { coverKeys } from './key-coverage.ts';
import { shownName } from './paths.ts';
import type { PreparedSelect } from './prepare.ts';
import { type Order, readRows } from './select-rows.ts';
import type { SelectStatement } from './syntax.ts';

/** The size of the answer to a SELECT, and where it starts. */
export interface PageInput {
  readonly Limit?: number;
  readonly NextToken?: string;
  readonly ConsistentRead?: boolean;
}

/** The answer to a SELECT. */
export interface SelectedPage {
  readonly items: StoredTexts;
  /** The key of the last item of the page; undefined if nothing is left. */
  readonly lastKey: Item | undefined;
}

/**
 * Reads a page of a SELECT, and counts its units.
 *
 * @throws EngineError if the statement does not match its table.
 */
export function selectPage(
  { storage, now }: { readonly storage: Storage; readonly now: () => number },
  { statement, binding, test }: PreparedSelect,
  input: PageInput,
  consumption: Consumption,
): SelectedPage {
  const isConsistent = input.ConsistentRead === true;
  const target = findSelected(storage.tables, statement, isConsistent, now());
  const segments = coverKeys(statement.where, { keys: target.keys, binding });
  const order = readOrder(statement, target, segments !== undefined);
  checkFiltered(target, listAttributes(binding.paths));
  const shown = shownOf(statement.paths);
  const fetches = mustFetch(target, undefined, shown);
  const start = readToken(input.NextToken, target);
  const page = readPage(readRows(storage.items, { target, segments, order, start }), {
    limit: input.Limit ?? Infinity,
    filter: filterOf(test),
    shown,
    countsOnly: false,
    fetch: fetches ? (found) => ({ ...found, ...storage.items.getById(found.id) }) : undefined,
  });
  consumption.addRead(target.table, readUnits(page.bytes, isConsistent), target.index);
  for (const bytes of page.fetched) consumption.addRead(target.table, readUnits(bytes, isConsistent));
  return { items: page.items, lastKey: page.last === undefined ? undefined : showLastKey(page.last, target) };
}

function findSelected(tables: TableStore, { source }: SelectStatement, isConsistent: boolean, now: number): Target {
  const table = tables.find(source.table);
  if (table === undefined) throw tableNotFoundError();
  if (source.index === undefined) return findTarget(tables, { TableName: source.table }, now);
  const index = findIndex(table, source.index);
  if (index === undefined) throw validationError('The table does not have the specified index');
  if (isConsistent && index.kind === 'global') {
    throw validationError('Strongly consistent read is not supported on Global Secondary Indexes');
  }
  return findTarget(tables, { TableName: source.table, IndexName: source.index }, now);
}

function readOrder({ where, order }: SelectStatement, { keys }: Target, isKeyed: boolean): Order {
  const [first] = order;
  const plain = { hashForward: true, rangeForward: true, byRange: false };
  if (first === undefined) return plain;
  if (where === undefined) throw validationError('Must have WHERE clause in the statement when using ORDER BY clause.');
  if (!isKeyed) {
    throw validationError(
      'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
    );
  }
  const names = new Set(listKeyAttributes(keys).map(({ name }) => name));
  const directions = new Map<string, boolean>();
  for (const { name, isDescending } of order) {
    if (!names.has(name)) {
      throw validationError(`Variable reference ${name} in ORDER BY clause must be part of the primary key`);
    }
    if (!directions.has(name)) directions.set(name, !isDescending);
  }
  return {
    hashForward: directions.get(keys.hash.name) ?? true,
    rangeForward: keys.range === undefined ? true : (directions.get(keys.range.name) ?? true),
    byRange: first.name === keys.range?.name,
  };
}

/** The columns of a SELECT: each value under the last name of its path. */
function shownOf(paths: readonly Path[] | undefined): ItemView | undefined {
  if (paths === undefined) return undefined;
  const columns = paths.map((path) => ({ name: shownName(path), path }));
  const project = (item: Item) => {
    const row = emptyItem();
    for (const { name, path } of columns) {
      const value = readPath(item, path);
      if (value !== undefined) row[name] = value;
    }
    return row;
  };
  return { project, attributes: listAttributes(paths), paths };
}

function filterOf(test: Test | undefined): Condition | undefined {
  if (test === undefined) return undefined;
  const ofRow = (item: Item | undefined) => item !== undefined && test(item);
  return { test: ofRow, attributes: [], paths: [], source: 'FilterExpression' };
}

/** The token of the next page. */
export function printToken(lastKey: Item): string {
  return Buffer.from(JSON.stringify({ version: 'V1', lastKey })).toString('base64');
}

function readToken(token: string | undefined, target: Target): StartPlace | undefined {
  if (token === undefined) return undefined;
  try {
    const { lastKey } = parseNamed(Buffer.from(token, 'base64').toString()) as { readonly lastKey: Item };
    return readStartKey(lastKey, target);
  } catch (error) {
    if (error instanceof EngineError || error instanceof SyntaxError || error instanceof TypeError) {
      throw validationError('Invalid NextToken');
    }
    throw error;
  }
}
