import { visibleNames } from './costs.ts';
import { namesIn } from './expressions.ts';
import type { KnownDifference, Occurrence, Outcome } from './known-difference.ts';
import { listKeys } from './named-items.ts';
import { identify, normaliseValue } from './normalise.ts';
import { isReturned } from './numbers.ts';
import { endsAtFullSize } from './pages.ts';
import type { JudgedRequest } from './request.ts';
import { tables } from './tables.ts';

const api = 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference';
const guide = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide';

/** Known differences of queries, scans and SELECT statements. */
export const knownReads: readonly KnownDifference[] = [
  {
    reason: 'a query by a key without a sort key finds one item at most and cannot be continued',
    reference: 'dynalite test/query.js',
    matches: ({ path, left, right, request }) =>
      path === 'outcome' &&
      request?.operation === 'Query' &&
      String(left).startsWith('400 ValidationException: The provided exclusive start key is invalid: ') &&
      right === '200' &&
      Object.keys(request.body['ExclusiveStartKey'] ?? {}).length === 1,
  },
  {
    reason: 'a page that has as many items as was asked for has a last key, be it where the range ends or not',
    reference: `${api}/API_Query.html#DDB-Query-request-Limit`,
    matches: (occurrence) =>
      occurrence.path === 'LastEvaluatedKey' &&
      occurrence.right === undefined &&
      isFull(occurrence) &&
      isAtBound(occurrence, occurrence.left),
  },
  {
    reason: 'a page may begin where the range ends; it is empty',
    reference: `${api}/API_Query.html#DDB-Query-request-ExclusiveStartKey`,
    matches: (occurrence) =>
      occurrence.path === 'outcome' &&
      occurrence.left === '200' &&
      occurrence.right ===
        '400 ValidationException: The provided starting key does not match the range key predicate' &&
      isAtBound(occurrence, occurrence.request?.body['ExclusiveStartKey']),
  },
  {
    reason: 'statements tell the last key beside the token',
    reference: `${api}/API_ExecuteStatement.html#DDB-ExecuteStatement-response-LastEvaluatedKey`,
    matches: ({ path, right, request, exchange }) =>
      path === 'LastEvaluatedKey' &&
      right === undefined &&
      request?.operation === 'ExecuteStatement' &&
      exchange?.right.body['NextToken'] !== undefined,
  },
  {
    reason: 'which items are in a segment of a scan is left open',
    reference: `${guide}/Scan.html#Scan.ParallelScan`,
    matches: ({ path, request }) =>
      request?.operation === 'Scan' &&
      Number(request.body['TotalSegments']) > 1 &&
      /^(Items|Count|ScannedCounts?|ConsumedCapacity)\b/.test(path),
  },
  {
    reason: 'the filter of a scan sees of an item what the index shows; DynamoDB Local lets it see all',
    reference: `${guide}/GSI.html#GSI.Projections; for queries the same is an error`,
    matches: ({ path, request }) =>
      (path === 'Items' || path === 'Count') && request?.operation === 'Scan' && filtersHidden(request),
  },
  {
    reason: 'numbers that are equal are one key, in whatever notation',
    reference: `${guide}/HowItWorks.NamingRulesDataTypes.html#HowItWorks.DataTypes.Number`,
    matches: ({ path, left, right, request }) =>
      path === 'outcome' &&
      right === '200' &&
      (left === '400 ValidationException: Provided list of item keys contains duplicates' ||
        left === '400 ValidationException: Transaction request cannot include multiple operations on one item') &&
      request !== undefined &&
      hasEqual(listKeys(request)),
  },
  {
    reason: 'a page of a query ends at 1 MB of what is read; DynamoDB Local counts only what its filter finds',
    reference: `${guide}/Query.FilterExpression.html`,
    matches: ({ path, request, exchange }) =>
      request?.operation === 'Query' &&
      request.body['FilterExpression'] !== undefined &&
      /^(Items|Count|ScannedCount|LastEvaluatedKey|ConsumedCapacity)\b/.test(path) &&
      exchange !== undefined &&
      endsBefore(exchange, request.body['Limit']),
  },
  {
    reason: 'a page that ends at 1 MB has a last key; DynamoDB Local looks whether more follows',
    reference: 'dynalite test/query.js, "should return LastEvaluatedKey if just over limit"',
    matches: ({ path, right, request, exchange }) =>
      (path === 'LastEvaluatedKey' || path === 'NextToken') &&
      right === undefined &&
      request !== undefined &&
      exchange !== undefined &&
      endsAtFullSize(request, exchange.left, exchange.state),
  },
  {
    reason: 'a page of an index ends at 1 MB of what the index shows; DynamoDB Local counts the items whole',
    reference: `${guide}/GSI.html#GSI.ThroughputConsiderations.Reads`,
    matches: ({ path, request, exchange }) =>
      /^(Items|Count|ScannedCount|LastEvaluatedKey|ConsumedCapacity)\b/.test(path) &&
      request !== undefined &&
      exchange !== undefined &&
      visibleIn(request) !== undefined &&
      endsBefore({ left: exchange.right, right: exchange.left }, request.body['Limit']),
  },
  {
    reason: 'values for expressions that are not there are refused, be there none',
    reference: 'dynalite test/scan.js, "ExpressionAttributeValues but no expressions"',
    matches: ({ path, left, right, request }) => {
      const member = /^400 \w+: (ExpressionAttribute(Names|Values)) can only be specified when/.exec(String(left))?.[1];
      if (path !== 'outcome' || right !== '200' || member === undefined) return false;
      return JSON.stringify(request?.body[member]) === '{}';
    },
  },
  {
    reason: 'statements have no placeholders for names',
    reference: `${guide}/ql-reference.select.html`,
    matches: ({ path, right, request, exchange }) => {
      const at = /^Responses\[(\d+)\]/.exec(path)?.[1];
      const response: unknown = at === undefined ? right : listOf(exchange?.right.body['Responses'])[Number(at)];
      return (
        (path === 'outcome' || at !== undefined) &&
        JSON.stringify(response).includes('An expression attribute name used in the document path is not defined') &&
        /"Statement":"[^"]*\\"#/.test(JSON.stringify(request?.body).replaceAll(/\\"(?!#)/g, ''))
      );
    },
  },
];

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Whether a filter uses attributes that an index does not project. */
function filtersHidden(request: JudgedRequest): boolean {
  const { body } = request;
  const visible = visibleIn(request);
  return visible !== undefined && namesIn(body['FilterExpression'], body).some((name) => !visible.has(name));
}

/** The attributes in the index of a query or scan; undefined for all, or without an index. */
function visibleIn({ body }: JudgedRequest): ReadonlySet<string> | undefined {
  const table = tables.find(({ name }) => name === body['TableName']);
  const index = table?.indexes.find(({ name }) => name === body['IndexName']);
  return table === undefined || index === undefined ? undefined : visibleNames(table, index);
}

/**
 * Whether two keys are equal, and one of the equal keys has a number in another notation than the one that DynamoDB
 * returns. DynamoDB Local compares the numbers of some keys as they were written, and returns those of puts.
 */
function hasEqual(keys: readonly unknown[]): boolean {
  const groups = Map.groupBy(keys, identify);
  return [...groups.values()].some((equal) => equal.length > 1 && equal.some(hasOtherNotation));
}

function hasOtherNotation(key: unknown): boolean {
  const numbers = [...JSON.stringify(normaliseValue(key)).matchAll(/"N":"([^"]*)"/g)].map(([, number]) => number ?? '');
  return numbers.some((number) => !isReturned(number));
}

/** Whether the left page was full, and the right one continues after its end. */
function endsBefore({ left, right }: Pick<Outcome, 'left' | 'right'>, limit: unknown): boolean {
  const [ours, theirs] = [left.body, right.body];
  if (ours['LastEvaluatedKey'] === undefined || ours['ScannedCount'] === limit) return false;
  const items = Array.isArray(ours['Items']) ? ours['Items'] : [];
  const others = Array.isArray(theirs['Items']) ? theirs['Items'].slice(0, items.length) : [];
  return Number(ours['ScannedCount']) < Number(theirs['ScannedCount']) && identify(items) === identify(others);
}

function isFull({ request, exchange }: Occurrence): boolean {
  return request?.operation === 'Query' && exchange?.left.body['ScannedCount'] === request.body['Limit'];
}

/** Whether one attribute of a key equals a bound of the query's range. */
function isAtBound({ request }: Occurrence, key: unknown): boolean {
  if (request?.operation !== 'Query' || !/BETWEEN|<=|>=/i.test(String(request.body['KeyConditionExpression']))) {
    return false;
  }
  const bounds = new Set(Object.values(request.body['ExpressionAttributeValues'] ?? {}).map(identify));
  // The hash key is always among the values.
  return Object.values(key ?? {}).filter((value) => bounds.has(identify(value))).length > 1;
}
