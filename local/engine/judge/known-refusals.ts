import type { KnownDifference, Occurrence } from './known-difference.ts';
import { isObject } from './normalise.ts';
import type { Body } from './request.ts';
import { areThere, readViolations, valuesAt, type Violation } from './violations.ts';

const api = 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference';

/** A violation of a constraint that DynamoDB Local accepts. */
interface Taken {
  readonly reason: string;
  readonly reference: string;
  readonly takes: (violation: Violation, body: Body) => boolean;
}

const taken: readonly Taken[] = [
  {
    reason: 'DynamoDB Local takes any text for what is to be told beside the answer',
    reference: 'dynamodb-conformance tests/tier3/validation-ordering; dynalite test/*.js',
    takes: ({ path, constraint }) => isWish.test(path) && isOneOf.test(constraint),
  },
  {
    reason: 'DynamoDB Local takes an empty text for none where some texts only are right',
    reference: 'dynalite test/*.js, "validations"',
    takes: ({ path, constraint }, body) => isOneOf.test(constraint) && valuesAt(path, body).includes(''),
  },
  {
    reason: 'DynamoDB Local takes empty lists where one member is the least, and empty tokens',
    reference:
      `${api}/API_GetItem.html#DDB-GetItem-request-AttributesToGet, ${api}/API_BatchStatementRequest.html, ` +
      `${api}/API_TransactWriteItems.html#DDB-TransactWriteItems-request-ClientRequestToken`,
    takes: ({ path, constraint }) => mayBeEmpty.test(path) && isNotEmpty.test(constraint),
  },
  {
    reason: 'an update in a transaction must have an expression',
    reference: `${api}/API_Update.html`,
    takes: ({ path, constraint }) =>
      path.endsWith('.update.updateExpression') && constraint === 'Member must not be null',
  },
];

/** Known differences of requests that are refused for their form, before any table is read. */
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
    reason: 'values are read before statements; DynamoDB Local reads those of statements only that are well formed',
    reference: `dynamodb-conformance tests/tier3/validation-ordering, of expressions; ${api}/API_BatchStatementRequest.html`,
    matches: ({ path, left, right, request, exchange }) => {
      const responses = exchange?.right.body['Responses'];
      if (path !== 'outcome' || request?.operation !== 'BatchExecuteStatement' || !Array.isArray(responses))
        return false;
      return right === '200' && isOfValue.test(String(left)) && responses.some(isMalformed);
    },
  },
  {
    reason: 'members outside of their constraints are refused before all else',
    reference: 'dynamodb-conformance tests/tier3/validation-ordering',
    matches: (occurrence) => occurrence.right !== '200' && violationsOf(occurrence) !== undefined,
  },
  ...taken.map(({ reason, reference, takes }) => ({
    reason,
    reference,
    matches: (occurrence: Occurrence) => {
      const [first, ...others] = occurrence.right === '200' ? (violationsOf(occurrence) ?? []) : [];
      const body = occurrence.request?.body ?? {};
      if (first === undefined || !takes(first, body)) return false;
      return others.every((other) => taken.some((one) => one.takes(other, body)));
    },
  })),
];

const takenScalar =
  /^400 SerializationException: (\w+_VALUE cannot be converted to \w+|Unexpected token received from parser)$/;

const isWish = /(^|\.)return(Values|ConsumedCapacity|ItemCollectionMetrics|ValuesOnConditionCheckFailure)$/;
const isOneOf = /^Member must satisfy enum value set: /;
const mayBeEmpty = /(^|\.)(attributesToGet|parameters)$|^clientRequestToken$/;
const isNotEmpty = /^Member must have length greater than or equal to 1$/;

const maxInteger = 2 ** 31 - 1;
const isLargeInteger = (value: unknown) => typeof value === 'number' && Math.abs(value) > maxInteger;

const isOfValue =
  /^400 ValidationException: (Supplied AttributeValue |One or more parameter values were invalid: |The parameter cannot be converted |Attempting to store |Number (over|under)flow)/;
const isMalformed = (response: unknown) =>
  isObject(response) &&
  isObject(response['Error']) &&
  String(response['Error']['Message']).startsWith("Statement wasn't well formed, can't be processed: ");

const isFailure = (outcome: unknown) => String(outcome).startsWith('500 InternalFailure: ');

/** The left engine cannot parse a request with a mistake. */
function isUnreadable({ path, left, request }: Occurrence): boolean {
  return path === 'outcome' && request?.mistaken === true && String(left).startsWith('400 SerializationException: ');
}

/** The constraints for which the left engine refuses a request; undefined unless the request violates all of them. */
function violationsOf({ path, left, request }: Occurrence): Violation[] | undefined {
  if (path !== 'outcome' || !isObject(request?.body)) return undefined;
  const message = /^400 ValidationException: (.*)$/s.exec(String(left))?.[1];
  const found = message === undefined ? undefined : readViolations(message);
  return found !== undefined && areThere(found, request.body) ? found : undefined;
}
