import { isTooLargeWithEntries } from './costs.ts';
import type { KnownDifference, Occurrence } from './known-difference.ts';
import { listPut } from './named-items.ts';
import { areThere, readViolations } from './violations.ts';

/** A step of AWS's validation, and the messages of the mistakes that it finds. */
interface Step {
  readonly of: string;
  readonly messages: RegExp;
}

/** The steps in order, for each operation those that apply. */
const steps: readonly Step[] = [
  { of: 'constraints of members', messages: /^[1-9]\d* validation errors? detected: (?!Value '\d+' at 'segment' )/ },
  {
    of: 'members that contradict one another',
    messages: /^ExpressionAttribute(Names|Values) can only|^Can not use both expression|^ConditionalOperator can/,
  },
  { of: 'ReturnValues', messages: /^ReturnValues can only be|^Return values set to invalid value$/ },
  {
    of: 'values',
    messages: new RegExp(
      [
        '^(The provided starting key is invalid: )?(Supplied AttributeValue |One or more parameter values were invalid: An )',
        '^(The provided starting key is invalid: )?(The parameter cannot be converted|A value provided cannot be converted)',
        '^ExpressionAttribute(Names|Values) (contains|must)',
        '^Invalid (KeyCondition|Update|Condition)Expression: The expression can not be empty;$',
        '^(Item|Transaction payload) size (has exceeded the maximum|cannot exceed)|^Nesting Levels',
        '^Attempting to store more than 38 |^Input collection contains duplicates$|^Empty attribute name$',
        '^Too many items|^The (Segment|TotalSegments) parameter',
        '^TransactItems can only contain|^Invalid Request: TransactWriteRequest should contain',
      ].join('|'),
    ),
  },
  { of: 'the condition on the key', messages: /^Either the KeyConditions or KeyConditionExpression parameter must/ },
  { of: 'Select', messages: /^(Cannot|Must) specify the |^ALL_PROJECTED_ATTRIBUTES can be used only/ },
  { of: 'the first expression', messages: /^Invalid (KeyCondition|Update)Expression: |^Statement wasn't well formed/ },
  { of: 'filters and conditions', messages: /^Invalid (Filter|Condition)Expression: / },
  { of: 'projections that are empty', messages: /^Invalid ProjectionExpression: The expression can not be empty;$/ },
  { of: 'projections', messages: /^Invalid ProjectionExpression: / },
  {
    of: 'the terms of the key condition',
    messages: /^(Invalid (condition|operator used) in KeyConditionExpression|KeyConditionExpressions )/,
  },
  { of: 'use of names and values', messages: / unused in expressions: keys: / },
  {
    of: 'table and index',
    messages: /non-existent table$|^Requested resource not found|specified index|^Consistent reads are not supported/,
  },
  {
    of: 'the keys of table and index',
    messages: new RegExp(
      [
        '^Query condition missed|does not match the schema|[Ss]tarting key|does not project|^Invalid attribute value type$',
        'Type mismatch for |a key attribute cannot contain an empty|Condition parameter type|Cannot update attribute',
        'can only contain non-primary key|Select type ALL_ATTRIBUTES is not supported for |Missing the key|^One of the required keys|^Key attributes must be scalars',
        'conditions on the keys is invalid$',
      ].join('|'),
    ),
  },
  {
    of: 'requests that go together',
    messages: /^Transaction request cannot include multiple operations on one item$|^Read and write requests together /,
  },
  { of: 'conditions on the item', messages: /^(The conditional request failed|Transaction cancelled, )/ },
  {
    of: 'what the item does not allow',
    messages: new RegExp(
      [
        '^The document path provided in the update expression is invalid|^An operand in the update expression has an',
        '^The provided expression refers to an attribute that does not exist|^Number (over|under)flow|38 digits$',
        '^Item size to update',
      ].join('|'),
    ),
  },
];

const last = steps.length - 1;

/** The number of the step that finds a mistake; undefined for other messages. */
function stepOf(message: string): number | undefined {
  const found = steps.findIndex(({ messages }) => messages.test(message));
  return found < 0 ? undefined : found;
}

/** Whether AWS reports the first of two mistakes in a request that has both. */
export function isToldFirst(first: string, second: string): boolean {
  const [one, other] = [stepOf(first), stepOf(second)];
  // The constraints come first.
  if (one === 0) return other !== 0;
  return one !== undefined && other !== undefined && one < other;
}

/** Whether two messages are about an update that does not match its item. */
export function areOfItem(left: string, right: string): boolean {
  return stepOf(left) === last && stepOf(right) === last;
}

/** The messages with which both engines refuse a request, or a part of it; undefined if one of them accepts it. */
function refusalsOf({ path, left, right }: Occurrence): readonly [string, string] | undefined {
  if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  if (/(^|\.)message$/i.test(path)) return [left, right];
  if (path !== 'outcome') return undefined;
  const [one, other] = [left, right].map((outcome) => /^400 \w+: (.*)$/s.exec(outcome)?.[1]);
  return one === undefined || other === undefined ? undefined : [one, other];
}

const ofIndexKey =
  /Type mismatch for Index Key|^Invalid attribute value type$|secondary index key .* cannot contain an empty/;

/** Requests with several mistakes, of which each engine reports another one. */
export const knownOrders: readonly KnownDifference[] = [
  {
    reason: 'of several mistakes that is told which AWS looks for first',
    reference:
      'dynalite test/query.js: KeyConditionExpression, FilterExpression, ProjectionExpression; test/updateItem.js; ' +
      'dynamodb-conformance tests/tier3/validation-ordering',
    matches: (occurrence) => {
      const refusals = refusalsOf(occurrence);
      if (refusals === undefined || !isToldFirst(...refusals)) return false;
      const violations = readViolations(refusals[0]);
      return violations === undefined || areThere(violations, occurrence.request?.body ?? {});
    },
  },
  {
    reason: 'all members outside of their constraints are told; DynamoDB Local looks at some of them only',
    reference: 'dynamodb-conformance tests/tier3/validation-ordering',
    matches: (occurrence) => {
      const [left, right] = (refusalsOf(occurrence) ?? []).map(readViolations);
      if (left === undefined || right === undefined || right.length >= left.length) return false;
      const found = new Set(left.map(({ path }) => path));
      return right.every(({ path }) => found.has(path)) && areThere(left, occurrence.request?.body ?? {});
    },
  },
  {
    reason: 'the entries of local indexes are measured with the table, after the expressions',
    reference: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-items',
    matches: (occurrence) => {
      const [left = '', right = ''] = refusalsOf(occurrence) ?? [];
      return (
        right === 'Item size has exceeded the maximum allowed size' &&
        /^Invalid \w+Expression: /.test(left) &&
        occurrence.request?.mistaken === false &&
        listPut(occurrence.request).some(isTooLargeWithEntries)
      );
    },
  },
  {
    reason: 'what makes a scan parallel is looked at before the names and values of its expressions',
    reference: 'dynalite test/scan.js, "missing Segment", "missing TotalSegments", "Segment more than TotalSegments"',
    matches: (occurrence) => {
      const [left = '', right = ''] = refusalsOf(occurrence) ?? [];
      return /^The (Segment|TotalSegments) parameter /.test(left) && /^ExpressionAttribute(Names|Values) /.test(right);
    },
  },
  {
    reason: 'an empty FilterExpression of a scan is one; DynamoDB Local takes it for none',
    reference: 'dynalite test/scan.js, "should return ValidationException for empty FilterExpression"',
    matches: ({ path, right, request }) =>
      path === 'message' &&
      request?.operation === 'Scan' &&
      request.body['FilterExpression'] === '' &&
      right === 'ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null',
  },
  {
    reason: 'of several values that do not suit keys of indexes, or do not in two ways, any may be told',
    reference: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html',
    matches: (occurrence) => {
      const refusals = refusalsOf(occurrence);
      const body = JSON.stringify(occurrence.request?.body);
      return refusals?.every((message) => ofIndexKey.test(message)) === true && /\{"[SB]":""\}/.test(body);
    },
  },
  {
    reason: 'of several things that an item does not allow in an update any may be told',
    reference: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html',
    matches: (occurrence) => {
      const refusals = refusalsOf(occurrence);
      return refusals !== undefined && areOfItem(...refusals);
    },
  },
];
