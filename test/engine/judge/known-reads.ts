import type { KnownDifference, Occurrence } from './known-difference.ts';
import { identify } from './normalise.ts';

const api = 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference';
const guide = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide';

/** Known differences of queries, scans and statements that read. */
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
    reason: 'what a scan of a local index reads from the table costs, for each item, whatever its filter finds',
    reference: `${guide}/LSI.html#LSI.ThroughputConsiderations.Reads; ${api}/API_Scan.html, FilterExpression`,
    matches: ({ path, left, right, request }) =>
      path.startsWith('ConsumedCapacity') &&
      path.endsWith('CapacityUnits') &&
      request?.operation === 'Scan' &&
      request.body['IndexName'] === 'byRank' &&
      Number(left) > Number(right),
  },
  {
    reason: 'the filter of a scan sees of an item what the index shows; DynamoDB Local lets it see all',
    reference: `${guide}/GSI.html#GSI.Projections; for queries the same is an error`,
    matches: ({ path, request }) =>
      (path === 'Items' || path === 'Count') &&
      request?.operation === 'Scan' &&
      ['byRank', 'GSI2'].includes(String(request.body['IndexName'])) &&
      request.body['FilterExpression'] !== undefined,
  },
  {
    reason: 'numbers that are equal are one key, in whatever notation',
    reference: `${guide}/HowItWorks.NamingRulesDataTypes.html#HowItWorks.DataTypes.Number`,
    matches: ({ path, left, right, request }) =>
      path === 'outcome' &&
      right === '200' &&
      left === '400 ValidationException: Provided list of item keys contains duplicates' &&
      request?.operation === 'BatchGetItem' &&
      Object.values(request.body['RequestItems'] ?? {}).some(({ Keys }: { Keys: unknown[] }) => hasEqual(Keys)),
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
    matches: ({ path, left, right, request }) =>
      path === 'outcome' &&
      left === '200' &&
      String(right).includes('An expression attribute name used in the document path is not defined') &&
      String(request?.body['Statement']).includes('"#'),
  },
];

const hasEqual = (keys: readonly unknown[]) => new Set(keys.map(identify)).size < keys.length;

function isFull({ request, exchange }: Occurrence): boolean {
  return request?.operation === 'Query' && exchange?.left.body['ScannedCount'] === request.body['Limit'];
}

/** Whether a key has for one of its attributes a value that bounds the range of the query. */
function isAtBound({ request }: Occurrence, key: unknown): boolean {
  if (request?.operation !== 'Query' || !/BETWEEN|<=|>=/i.test(String(request.body['KeyConditionExpression']))) {
    return false;
  }
  const bounds = new Set(Object.values(request.body['ExpressionAttributeValues'] ?? {}).map(identify));
  // The hash key is always among the values.
  return Object.values(key ?? {}).filter((value) => bounds.has(identify(value))).length > 1;
}
