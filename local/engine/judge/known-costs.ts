import {
  costsOfRepeat,
  costsOfWrites,
  entryOf,
  printCosts,
  readUnits,
  sizeOf,
  unitsDue,
  unitsTold,
  visibleNames,
} from './costs.ts';
import { namesIn } from './expressions.ts';
import type { KnownDifference, Occurrence, Outcome } from './known-difference.ts';
import { identify, isObject } from './normalise.ts';
import type { Body, JudgedRequest } from './request.ts';
import { tables } from './tables.ts';

const api = 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference';
const guide = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide';

const writes = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems']);

/** Known differences in costs; for writes the judge computes the expected cost itself. */
export const knownCosts: readonly KnownDifference[] = [
  {
    reason:
      'writes cost what is documented: 1 unit for what is not there, two for each KB in a transaction, checks included, ' +
      'nothing in an index that lacks the item before and after',
    reference:
      `${guide}/CapacityUnitCalculations.html, ${guide}/transaction-apis.html#transaction-capacity-handling, ` +
      `${guide}/GSI.html#GSI.ThroughputConsiderations.Writes`,
    matches: withRequest(isDueForWrites),
  },
  {
    reason: 'transactions tell their read and write units',
    reference: `${api}/API_ConsumedCapacity.html`,
    matches: withRequest(({ path, left, right }, request, exchange) => {
      const all = path.replace(/(Read|Write)CapacityUnits$/, 'CapacityUnits');
      const isPart = request.operation.startsWith('Transact') && all !== path && right === undefined;
      return isPart && left === valueAt(exchange.left.body, all);
    }),
  },
  {
    reason: 'a page without items costs the least that a read costs, not nothing',
    reference: `${guide}/CapacityUnitCalculations.html; dynalite test/query.js`,
    matches: withRequest(
      ({ path, left, right }, { operation, body }, exchange) =>
        ['Query', 'Scan'].includes(operation) &&
        isOfUnits(path) &&
        exchange.left.body['ScannedCount'] === 0 &&
        right === 0 &&
        left === (body['ConsistentRead'] === true ? 1 : 0.5),
    ),
  },
  {
    reason: 'keys of a batch that are not there cost the least that a read costs, not nothing',
    reference: `${guide}/CapacityUnitCalculations.html`,
    matches: withRequest(isDueForBatchGet),
  },
  {
    reason: 'a scan of an index costs what is projected, and each item that it reads from the table besides',
    reference:
      `${guide}/GSI.html#GSI.ThroughputConsiderations.Reads, ${guide}/LSI.html#LSI.ThroughputConsiderations.Reads; ` +
      `${api}/API_Scan.html, FilterExpression`,
    matches: withRequest(isDueForIndexScan),
  },
  {
    reason: 'statements that write tell what they cost',
    reference: `${api}/API_ExecuteStatement.html`,
    matches: withRequest(isDueForStatements),
  },
  {
    reason: 'statements that read tell what they cost',
    reference: `${api}/API_ExecuteStatement.html`,
    matches: withRequest(
      ({ path, left, right }, request, exchange) =>
        path === 'ConsumedCapacity' &&
        right === undefined &&
        request.operation.endsWith('ExecuteStatement') &&
        /^\s*SELECT/i.test(statementsOf(request)[0] ?? '') &&
        isPlausible(left, exchange),
    ),
  },
  {
    reason: 'capacity is told only when it was asked for',
    reference: `${api}/API_DeleteItem.html`,
    matches: withRequest(
      ({ path, left }, { operation, body }) =>
        operation === 'DeleteItem' &&
        path === 'ConsumedCapacity' &&
        left === undefined &&
        ['NONE', null, undefined].includes(body['ReturnConsumedCapacity'] as string | null | undefined),
    ),
  },
  {
    reason: 'sizes of item collections are told',
    reference: `${api}/API_ItemCollectionMetrics.html`,
    matches: withRequest(isDueOfCollections),
  },
];

/** A test of differences in the answers to a request. */
function withRequest(
  test: (occurrence: Occurrence, request: JudgedRequest, exchange: Outcome) => boolean,
): KnownDifference['matches'] {
  return (occurrence) => {
    const { request, exchange } = occurrence;
    return request !== undefined && exchange !== undefined && test(occurrence, request, exchange);
  };
}

const isOfUnits = (path: string) => path.startsWith('ConsumedCapacity') && path.endsWith('CapacityUnits');

/** The value at a path of an answer, such as `ConsumedCapacity[0].Table`. */
function valueAt(body: Body, path: string): unknown {
  let value: unknown = body;
  for (const step of path.split(/[.[\]]+/).filter((part) => part !== '')) {
    value = Array.isArray(value) ? value[Number(step)] : isObject(value) ? value[step] : undefined;
  }
  return value;
}

function isDueForWrites({ path, left }: Occurrence, request: JudgedRequest, { effects, left: answer }: Outcome) {
  if (!writes.has(request.operation)) return false;
  const factor = request.operation === 'TransactWriteItems' ? 2 : 1;
  const isRepeat = path.startsWith('ConsumedCapacity[') && tellsReads(answer.body, path);
  const costs = isRepeat ? costsOfRepeat(effects) : costsOfWrites(effects, factor);
  const due = unitsDue(costs, path, request.body['TableName'], answer.body);
  return due !== undefined && due === unitsTold(left);
}

/** A repeated transaction only reads. */
function tellsReads(body: Body, path: string): boolean {
  const entry = valueAt(body, path.slice(0, path.indexOf(']') + 1));
  return isObject(entry) && entry['ReadCapacityUnits'] !== undefined;
}

function isDueForBatchGet({ path, left }: Occurrence, { operation, body }: JudgedRequest, exchange: Outcome) {
  const at = /^ConsumedCapacity\[(\d+)\](\.Table)?\.CapacityUnits$/.exec(path)?.[1];
  if (operation !== 'BatchGetItem' || at === undefined) return false;
  const table = valueAt(exchange.left.body, `ConsumedCapacity[${at}].TableName`);
  const wanted = valueAt(body, `RequestItems.${String(table)}`);
  if (typeof table !== 'string' || !isObject(wanted) || !Array.isArray(wanted['Keys'])) return false;
  const factor = wanted['ConsistentRead'] === true ? 2 : 1;
  const units = wanted['Keys'].map((key) => readUnits(sizeOf(exchange.state.get({ table, key }))));
  return left === units.reduce((sum, one) => sum + one * factor, 0);
}

function isDueForIndexScan({ path, left }: Occurrence, { operation, body }: JudgedRequest, exchange: Outcome) {
  if (operation !== 'Scan' || !isOfUnits(path)) return false;
  const table = tables.find(({ name }) => name === body['TableName']);
  const index = table?.indexes.find(({ name }) => name === body['IndexName']);
  if (table === undefined || index === undefined) return false;
  const factor = body['ConsistentRead'] === true ? 2 : 1;
  const read = exchange.state.list(table.name).filter((item) => entryOf(table, index, item) !== undefined);
  const bytes = read.reduce((sum, item) => sum + sizeOf(entryOf(table, index, item)?.shown), 0);
  const visible = visibleNames(table, index);
  const wanted = namesIn(body['ProjectionExpression'], body);
  const fetches =
    visible !== undefined && (body['Select'] === 'ALL_ATTRIBUTES' || wanted.some((name) => !visible.has(name)));
  const ofIndex = factor * readUnits(bytes);
  const ofTable = fetches ? read.reduce((sum, item) => sum + factor * readUnits(sizeOf(item)), 0) : 0;
  if (path.endsWith('.Table.CapacityUnits')) return left === ofTable;
  return left === (path === 'ConsumedCapacity.CapacityUnits' ? ofIndex + ofTable : ofIndex);
}

const statementsOf = ({ body }: JudgedRequest): string[] => {
  const { Statement: only, Statements: many } = body;
  if (typeof only === 'string') return [only];
  return Array.isArray(many) ? many.map((one: unknown) => (isObject(one) ? String(one['Statement']) : '')) : [];
};

function isDueForStatements({ path, left, right }: Occurrence, request: JudgedRequest, exchange: Outcome): boolean {
  const texts = statementsOf(request);
  const isWrite = path === 'ConsumedCapacity' && right === undefined && !/^\s*SELECT/i.test(texts[0] ?? 'SELECT');
  if (!isWrite) return false;
  const { effects } = exchange;
  // A mistake may lead a statement to another item.
  if (request.mistaken || effects.length !== texts.length) return isPlausible(left, exchange);
  const responses = exchange.left.body['Responses'];
  const done = effects.filter((_effect, at) => !Array.isArray(responses) || !isObject(responses[at]?.['Error']));
  const due = printCosts(costsOfWrites(done, 1), request.body['ReturnConsumedCapacity']);
  return identify(Array.isArray(left) ? left : [left]) === identify(due);
}

/** Plausible units, or none if all statements were refused. */
function isPlausible(told: unknown, exchange: Outcome): boolean {
  if (Array.isArray(told) && told.length === 0) return areAllRefused(exchange);
  const units = unitsTold(Array.isArray(told) ? told[0] : told);
  return units !== undefined && units > 0 && Number.isInteger(units * 2);
}

/** Whether all statements of a batch were refused. */
function areAllRefused({ left }: Outcome): boolean {
  const responses = left.body['Responses'];
  return Array.isArray(responses) && responses.every((one: Body) => isObject(one['Error']));
}

function isDueOfCollections({ path, left, right }: Occurrence, { operation }: JudgedRequest, { effects }: Outcome) {
  if (path !== 'ItemCollectionMetrics' || right !== undefined) return false;
  const due: [table: string, metrics: Body][] = [];
  for (const { table: name, intent, before, left: after } of effects) {
    const table = tables.find((one) => one.name === name);
    const value = table === undefined ? undefined : (after ?? before)?.[table.hash.name];
    if (table === undefined || intent === 'check' || value === undefined) continue;
    if (!table.indexes.some(({ local }) => local)) continue;
    due.push([name, { ItemCollectionKey: { [table.hash.name]: value }, SizeEstimateRangeGB: [0, 1] }]);
  }
  const isOfOne = !operation.startsWith('Batch') && !operation.startsWith('Transact');
  const lists = Map.groupBy(due, ([name]) => name);
  const expected = isOfOne
    ? due[0]?.[1]
    : Object.fromEntries([...lists].map(([name, list]) => [name, list.map(([, metrics]) => metrics)]));
  return identify(left) === identify(expected);
}
