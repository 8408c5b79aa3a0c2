import type { KnownDifference, Occurrence } from './known-difference.ts';
import { knownMessages } from './known-messages.ts';
import { knownOrders } from './known-order.ts';
import { knownReads } from './known-reads.ts';
import { knownWrites } from './known-writes.ts';
import { isObject } from './normalise.ts';
import { canonicalNumber } from './numbers.ts';
import { tables } from './tables.ts';

const api = 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference';
const guide = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide';

const isTransaction = ({ request }: Occurrence) => request?.operation.startsWith('Transact') ?? false;
const isCapacity = ({ path }: Occurrence) => path.includes('ConsumedCapacity') && path.endsWith('CapacityUnits');

/** All known differences. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    reason: 'numbers come back in one notation, not as they were written',
    reference: `${guide}/HowItWorks.NamingRulesDataTypes.html#HowItWorks.DataTypes.Number`,
    matches: ({ path, left, right }) =>
      /\.(N|NS\[\d+\])$/.test(path) &&
      typeof left === 'string' &&
      typeof right === 'string' &&
      /^-?(0|[1-9]\d*)(\.\d*[1-9])?$|E/.test(left) &&
      canonicalNumber(left) === canonicalNumber(right),
  },
  {
    reason: 'a read that finds nothing costs the least that a read costs, not nothing',
    reference: `${guide}/CapacityUnitCalculations.html; dynalite test/query.js`,
    matches: (occurrence) => isCapacity(occurrence) && costsOfNothing(occurrence),
  },
  {
    reason: 'transactions tell their read and write units',
    reference: `${api}/API_ConsumedCapacity.html`,
    matches: (occurrence) =>
      isTransaction(occurrence) &&
      /\.(Read|Write)CapacityUnits$/.test(occurrence.path) &&
      occurrence.right === undefined,
  },
  {
    reason: 'deleting what is not there costs what any small write costs: 1 unit',
    reference: `${guide}/CapacityUnitCalculations.html`,
    matches: (occurrence) => isCapacity(occurrence) && costsOfDeletes(occurrence),
  },
  {
    reason:
      'a transaction costs two units for each KB of an item, be the item there or not, and of one that is checked',
    reference: `${guide}/transaction-apis.html#transaction-capacity-handling`,
    matches: (occurrence) =>
      isCapacity(occurrence) &&
      occurrence.request?.operation === 'TransactWriteItems' &&
      Number(occurrence.left) > Number(occurrence.right),
  },
  {
    reason:
      'a write costs nothing in an index that lacks the item before and after; DynamoDB Local counts halves of keys',
    reference: `${guide}/GSI.html#GSI.ThroughputConsiderations.Writes`,
    matches: (occurrence) =>
      isCapacity(occurrence) &&
      occurrence.request?.operation === 'PutItem' &&
      Number(occurrence.right) - Number(occurrence.left) === 1 &&
      hasHalfKey(occurrence.request.body['Item']),
  },
  {
    reason: 'DynamoDB Local adds up sizes a little otherwise than AWS documents, which shows near multiples of 4 KB',
    reference: `${guide}/CapacityUnitCalculations.html#ItemSizeCalculations.Items`,
    matches: (occurrence) =>
      isCapacity(occurrence) &&
      ['Query', 'Scan'].includes(occurrence.request?.operation ?? '') &&
      Math.abs(Number(occurrence.left) - Number(occurrence.right)) === unitOf(occurrence) &&
      Number(occurrence.right) >= 20 * unitOf(occurrence),
  },
  {
    reason: 'an answer to a statement that is refused names the table only where it got as far as its item',
    reference: `${api}/API_BatchStatementResponse.html`,
    matches: ({ path, left, right, exchange }) => {
      const at = /^Responses\[(\d+)\]\.TableName$/.exec(path)?.[1];
      const responses = exchange?.left.body['Responses'];
      if (at === undefined || left !== undefined || right === undefined || !Array.isArray(responses)) return false;
      return isObject(responses[Number(at)]?.['Error']);
    },
  },
  {
    reason: 'statements tell what they cost',
    reference: `${api}/API_ExecuteStatement.html`,
    matches: ({ path, right, request }) =>
      path === 'ConsumedCapacity' && right === undefined && (request?.operation.endsWith('ExecuteStatement') ?? false),
  },
  {
    reason: 'inserting what is there is a DuplicateItemException',
    reference: `${api}/API_ExecuteStatement.html#API_ExecuteStatement_Errors`,
    matches: ({ path, left, right }) =>
      path === 'outcome' &&
      String(left).startsWith('400 DuplicateItemException: ') &&
      String(right).startsWith('400 DuplicateItem: '),
  },
  {
    reason: 'capacity is told only when it was asked for',
    reference: `${api}/API_DeleteItem.html`,
    matches: ({ path, left, request }) =>
      path === 'ConsumedCapacity' &&
      left === undefined &&
      ['NONE', undefined].includes(request?.body['ReturnConsumedCapacity'] as string | undefined),
  },
  {
    reason: 'sizes of item collections are told',
    reference: `${api}/API_ItemCollectionMetrics.html`,
    matches: ({ path, left, right }) =>
      path.startsWith('ItemCollectionMetrics') && right === undefined && left !== undefined,
  },
  {
    reason: 'values of the wrong JSON type are refused before all else',
    reference: 'dynalite test/*.js, "serializations"',
    matches: ({ path, left, right }) =>
      path === 'outcome' && String(left).startsWith('400 SerializationException: ') && right !== '200',
  },
  {
    reason: 'DynamoDB Local takes scalars for texts and booleans, and texts for numbers and booleans',
    reference: 'dynalite test/*.js, "serializations"',
    matches: ({ path, left, right }) => path === 'outcome' && takenScalar.test(String(left)) && right === '200',
  },
  {
    reason: 'DynamoDB Local fails with what it does not expect',
    reference: 'dynalite test/*.js, "validations"',
    matches: ({ path, left, right }) =>
      path === 'outcome' && String(left).startsWith('400 ') && String(right).startsWith('500 InternalFailure: '),
  },
  {
    reason: 'members outside of their constraints are refused before all else',
    reference: 'dynamodb-conformance tests/tier3/validation-ordering',
    matches: ({ path, left, right }) => path === 'outcome' && brokenConstraint.test(String(left)) && right !== '200',
  },
  {
    reason: 'DynamoDB Local takes any text for what is to be told beside the answer',
    reference: 'dynamodb-conformance tests/tier3/validation-ordering; dynalite test/*.js',
    matches: ({ path, left, right }) => path === 'outcome' && brokenWish.test(String(left)) && right === '200',
  },
  {
    reason: 'a read of an index costs what is projected, not the whole item',
    reference: `${guide}/GSI.html#GSI.ThroughputConsiderations.Reads`,
    matches: (occurrence) =>
      isCapacity(occurrence) &&
      occurrence.request?.body['IndexName'] !== undefined &&
      Number(occurrence.left) < Number(occurrence.right),
  },
  {
    reason: 'DynamoDB Local leaves the content of empty maps out of stream records',
    reference: `${api}/API_streams_AttributeValue.html`,
    matches: ({ path, left, right }) =>
      /^record \d+\..*\.M$/.test(path) && isObject(left) && Object.keys(left).length === 0 && right === undefined,
  },
  ...knownReads,
  ...knownWrites,
  ...knownMessages,
  ...knownOrders,
];

const brokenConstraint =
  /^400 ValidationException: [1-9]\d* validation errors? detected: .*(satisfy enum value set|must not be null|length (less|greater) than)/s;

const takenScalar =
  /^400 SerializationException: (\w+_VALUE cannot be converted to \w+|Unexpected token received from parser)$/;

const brokenWish =
  /^400 ValidationException: 1 validation error detected: Value '[^']*' at '(\w+\.)*return(Values|ConsumedCapacity|ItemCollectionMetrics|ValuesOnConditionCheckFailure)' failed to satisfy constraint: Member must satisfy enum value set/;

function costsOfNothing({ left, right, request }: Occurrence): boolean {
  if (typeof left !== 'number' || typeof right !== 'number') return false;
  if (request?.operation === 'Query' || request?.operation === 'Scan') {
    return right === 0 && (left === 0.5 || left === 1);
  }
  return request?.operation === 'BatchGetItem' && left > right && Number.isInteger((left - right) * 2);
}

/** Whether an item has one of both keys of an index only. */
function hasHalfKey(item: unknown): boolean {
  if (!isObject(item)) return false;
  const indexes = tables.flatMap((table) => table.indexes.filter(({ local }) => !local));
  return indexes.some(({ hash, range }) => Object.hasOwn(item, hash.name) !== Object.hasOwn(item, range.name));
}

/** What reading 4 KB costs. */
const unitOf = ({ request }: Occurrence) => (request?.body['ConsistentRead'] === true ? 1 : 0.5);

function costsOfDeletes({ left, right, request }: Occurrence): boolean {
  const deletes = JSON.stringify(request?.body).match(/"DeleteRequest":/g)?.length ?? 0;
  const excess = Number(right) - Number(left);
  return request?.operation === 'BatchWriteItem' && excess > 0 && excess <= deletes;
}
