import { Consumption, readUnits, type CapacityDetail } from '../capacity.ts';
import { validationError } from '../errors.ts';
import type { Bindings } from '../expressions/bindings.ts';
import { compileCondition, type Condition } from '../expressions/condition.ts';
import { checkKeyCondition, listKeyTerms } from '../expressions/key-condition.ts';
import { type KeyCondition, type KeyTerm, matchTerms, requireHashTerms } from '../expressions/key-terms.ts';
import { requireNoKeyPaths } from '../items/check-item.ts';
import { asStored, type Output } from '../json.ts';
import { conditionOfFilter, type FilterConditions } from '../legacy/filter.ts';
import { type KeyConditions, listTerms } from '../legacy/key-conditions.ts';
import type { ItemView } from '../reading/item-view.ts';
import { readPage, type Page } from '../reading/page.ts';
import { narrowAfter, hashOf, type KeyRange, isInRange, rangeOf } from '../reading/range.ts';
import { checkStartHash, checkStartRange, readStartKey, showLastKey, type StartPlace } from '../reading/start-key.ts';
import {
  checkFiltered,
  countKeyAttributes,
  findTarget,
  mustFetch,
  type Target,
  type TargetInput,
} from '../reading/target.ts';
import type { StoredItem } from '../storage/item-store.ts';
import type { Storage } from '../storage/storage.ts';
import { contentOf, type Item } from '../values/attribute-value.ts';
import { listKeyAttributes } from '../values/key.ts';
import { bindingsOf, readItemView, type WithProjection } from './inputs.ts';
import { reading } from './operation.ts';

/** The common input of queries and scans. */
export interface PageInput extends TargetInput, WithProjection {
  readonly Limit?: number;
  readonly FilterExpression?: string;
  readonly ConditionalOperator?: 'AND' | 'OR';
  readonly ExclusiveStartKey?: Item;
  readonly ReturnConsumedCapacity?: CapacityDetail;
}

interface QueryInput extends PageInput {
  readonly KeyConditionExpression?: string;
  readonly KeyConditions?: KeyConditions;
  readonly QueryFilter?: FilterConditions;
  readonly ScanIndexForward?: boolean;
}

export const query = reading(({ storage, now }, input: QueryInput): Output => {
  const bindings = bindingsOf(input);
  const node =
    input.KeyConditionExpression === undefined ? undefined : checkKeyCondition(input.KeyConditionExpression, bindings);
  const filter = readFilter(input, bindings);
  const shown = readItemView(input, bindings);
  const terms =
    node === undefined
      ? listTerms(input.KeyConditions ?? {})
      : listKeyTerms(node, bindings, countKeyAttributes(storage.tables, input));
  bindings.requireAllUsed();
  const target = findTarget(storage.tables, input, now());
  const start = input.ExclusiveStartKey === undefined ? undefined : readStart(input.ExclusiveStartKey, target, terms);
  const condition = matchTerms(terms, target.keys);
  requireNoKeyFilter(filter, target);
  checkFiltered(target, filter?.attributes.toSorted() ?? []);
  const fetches = mustFetch(target, input.Select, shown);
  requireNoPathsInKeys(target, filter, shown);
  const page = readPage(rowsOf(storage, target, condition, start, input.ScanIndexForward !== false), {
    limit: input.Limit ?? Infinity,
    filter,
    shown,
    countsOnly: input.Select === 'COUNT',
    fetch: fetches ? (found) => ({ ...found, ...storage.items.getById(found.id) }) : undefined,
  });
  return showPage(findsOne(target) ? { ...page, last: undefined } : page, target, input);
});

/** DynamoDB looks for the hash key in the starting key first, then in the condition. */
function readStart(key: Item, target: Target, terms: readonly KeyTerm[]): StartPlace {
  checkStartHash(key, target);
  requireHashTerms(terms, target.keys);
  checkStartRange(key, target);
  return readStartKey(key, target);
}

function readFilter(input: QueryInput, bindings: Bindings): Condition | undefined {
  if (input.FilterExpression !== undefined)
    return compileCondition(input.FilterExpression, 'FilterExpression', bindings);
  if (input.QueryFilter === undefined) return undefined;
  return conditionOfFilter(input.QueryFilter, input.ConditionalOperator, 'QueryFilter');
}

/** @throws ValidationException if a filter or a projection leads into a key attribute. */
export function requireNoPathsInKeys(
  { table }: Target,
  filter: Condition | undefined,
  shown: ItemView | undefined,
): void {
  requireNoKeyPaths(table, filter?.paths ?? []);
  requireNoKeyPaths(table, shown?.paths ?? []);
}

function requireNoKeyFilter(filter: Condition | undefined, { keys }: Target): void {
  const name = listKeyAttributes(keys).find((key) => filter?.attributes.includes(key.name))?.name;
  if (name === undefined) return;
  const parameter = filter?.source === 'QueryFilter' ? 'QueryFilter' : 'Filter Expression';
  throw validationError(`${parameter} can only contain non-primary key attributes: Primary key attribute: ${name}`);
}

function rowsOf(
  { items }: Storage,
  target: Target,
  condition: KeyCondition,
  start: StartPlace | undefined,
  forward: boolean,
): Iterable<StoredItem> {
  const hash = hashOf(condition);
  const range = rangeOf(condition);
  if (start !== undefined) {
    requireWithin(start, hash, hasRange(condition) ? range : undefined);
    if (findsOne(target)) throw makeStartKeyError(target, condition);
  }
  if (target.index !== undefined) return items.entryRange(target.index.id, { hash, ...range, forward }, start);
  const narrowed = start === undefined ? range : narrowAfter(range, start.key.range, forward);
  return items.range(target.table.id, { hash, ...narrowed, forward });
}

/** Whether a query finds at most one item, so that there is no next page. */
const findsOne = ({ index, keys }: Target) => index === undefined && keys.range === undefined;

function makeStartKeyError({ keys }: Target, { hash }: KeyCondition): Error {
  const shown = `${keys.hash.type}:${String(contentOf(hash))}`;
  return validationError(
    `The provided exclusive start key is invalid: ExclusiveStartKey: {${keys.hash.name}=AttributeValue: {${shown}}}`,
  );
}

const hasRange = ({ range, composite }: KeyCondition) => range !== undefined || (composite?.range.length ?? 0) > 0;

/** @throws ValidationException for a starting key outside of the query. */
function requireWithin({ key }: StartPlace, hash: Buffer, range: KeyRange | undefined): void {
  if (range !== undefined && !isInRange(key.range, range)) {
    throw validationError('The provided starting key does not match the range key predicate');
  }
  if (key.hash.equals(hash)) return;
  throw validationError(
    range === undefined
      ? 'The provided starting key is outside query boundaries based on provided conditions'
      : 'The query can return at most one row and cannot be restarted',
  );
}

/** The answer to a query or a scan. */
export function showPage(page: Page, target: Target, input: PageInput): Output {
  const { table, index } = target;
  const consumption = new Consumption();
  const isConsistent = input.ConsistentRead === true;
  consumption.addRead(table, readUnits(page.bytes, isConsistent), index);
  for (const bytes of page.fetched) consumption.addRead(table, readUnits(bytes, isConsistent));
  return {
    Items: input.Select === 'COUNT' ? undefined : page.items,
    Count: page.count,
    ScannedCount: page.scanned,
    LastEvaluatedKey: page.last === undefined ? undefined : asStored(showLastKey(page.last, target)),
    ConsumedCapacity: consumption.single(input.ReturnConsumedCapacity),
  };
}
