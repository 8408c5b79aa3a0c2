import type { KnownDifference, Occurrence } from './known-difference.ts';
import { isObject } from './normalise.ts';
import { areThere, readViolations, valuesAt, type Violation } from './violations.ts';

const api = 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference';

/** Known differences of requests that are refused for their form, before any table is looked at. */
export const knownRefusals: readonly KnownDifference[] = [
  {
    reason: 'values of the wrong JSON type are refused before all else',
    reference: 'dynalite test/*.js, "serializations"',
    matches: (occurrence) => isUnreadable(occurrence) && occurrence.right !== '200',
  },
  {
    reason: 'DynamoDB Local takes scalars for texts and booleans, and texts for numbers and booleans',
    reference: 'dynalite test/*.js, "serializations"',
    matches: (occurrence) =>
      isUnreadable(occurrence) && takenScalar.test(String(occurrence.left)) && occurrence.right === '200',
  },
  {
    reason: 'DynamoDB Local fails with what it does not expect',
    reference: 'dynalite test/*.js, "validations"',
    matches: ({ path, left, right, request }) =>
      path === 'outcome' &&
      request?.mistaken === true &&
      String(left).startsWith('400 ValidationException: ') &&
      isFailure(right),
  },
  {
    reason: 'DynamoDB Local fails with integers of more than 32 bits, where AWS documents no largest one',
    reference: `${api}/API_Query.html#DDB-Query-request-Limit`,
    matches: ({ path, right, request }) =>
      path === 'outcome' && isFailure(right) && Object.values(request?.body ?? {}).some(isLargeInteger),
  },
  {
    reason: 'members outside of their constraints are refused before all else',
    reference: 'dynamodb-conformance tests/tier3/validation-ordering',
    matches: (occurrence) => occurrence.right !== '200' && violationsOf(occurrence) !== undefined,
  },
  {
    reason: 'DynamoDB Local takes any text for what is to be told beside the answer',
    reference: 'dynamodb-conformance tests/tier3/validation-ordering; dynalite test/*.js',
    matches: (occurrence) =>
      occurrence.right === '200' &&
      violationsOf(occurrence)?.every(({ path, constraint }) => isWish.test(path) && isOneOf.test(constraint)) === true,
  },
  {
    reason: 'DynamoDB Local takes an empty text for none where some texts only are right',
    reference: 'dynalite test/*.js, "validations"',
    matches: (occurrence) =>
      occurrence.right === '200' &&
      violationsOf(occurrence)?.every(
        ({ path, constraint }) =>
          isOneOf.test(constraint) && valuesAt(path, occurrence.request?.body ?? {}).includes(''),
      ) === true,
  },
  {
    reason: 'DynamoDB Local takes empty lists where one member is the least',
    reference: `${api}/API_GetItem.html#DDB-GetItem-request-AttributesToGet, ${api}/API_BatchStatementRequest.html`,
    matches: (occurrence) =>
      occurrence.right === '200' &&
      violationsOf(occurrence)?.every(({ path, constraint }) => isList.test(path) && isNotEmpty.test(constraint)) ===
        true,
  },
];

const takenScalar =
  /^400 SerializationException: (\w+_VALUE cannot be converted to \w+|Unexpected token received from parser)$/;

const isWish = /(^|\.)return(Values|ConsumedCapacity|ItemCollectionMetrics|ValuesOnConditionCheckFailure)$/;
const isOneOf = /^Member must satisfy enum value set: /;
const isList = /(^|\.)(attributesToGet|parameters)$/;
const isNotEmpty = /^Member must have length greater than or equal to 1$/;

const largestInteger = 2 ** 31 - 1;
const isLargeInteger = (value: unknown) => typeof value === 'number' && Math.abs(value) > largestInteger;

const isFailure = (outcome: unknown) => String(outcome).startsWith('500 InternalFailure: ');

/** The left engine cannot read a request that was spoiled. */
function isUnreadable({ path, left, request }: Occurrence): boolean {
  return path === 'outcome' && request?.mistaken === true && String(left).startsWith('400 SerializationException: ');
}

/** The constraints for which the left engine refuses a request; undefined unless the request violates them all. */
function violationsOf({ path, left, request }: Occurrence): Violation[] | undefined {
  if (path !== 'outcome' || !isObject(request?.body)) return undefined;
  const message = /^400 ValidationException: (.*)$/s.exec(String(left))?.[1];
  const found = message === undefined ? undefined : readViolations(message);
  return found !== undefined && areThere(found, request.body) ? found : undefined;
}
