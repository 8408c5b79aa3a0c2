import { isTooLargeWithEntries } from './costs.ts';
import type { Exchange } from './exchange.ts';
import type { KnownDifference, Occurrence } from './known-difference.ts';
import { sameMistake } from './known-messages.ts';
import { identify, isObject } from './normalise.ts';
import type { Body } from './request.ts';
import { keyNames, tables } from './tables.ts';

const api = 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference';

const isTransaction = ({ request }: Occurrence) => request?.operation === 'TransactWriteItems';
const isOfTransaction = ({ request }: Occurrence) => request?.operation.startsWith('Transact') === true;
const isUpdate = ({ request }: Occurrence) => request?.operation === 'UpdateItem';

/** Parts of messages about writes that do not match the keys of their table. */
const ofKeys =
  /^Invalid attribute value type$|Type mismatch for |Cannot update attribute |for a key attribute cannot contain an empty/;

/** The message and the reasons of a cancelled transaction. */
const isOfCancellation = ({ path }: Occurrence) => path === 'message' || path.startsWith('CancellationReasons');

/** An update without SET and ADD. */
const onlyRemoves = /"UpdateExpression":"(?![^"]*\b(SET|ADD)\b)[^"]*"/i;

/** Known differences of writes. */
export const knownWrites: readonly KnownDifference[] = [
  {
    reason: 'an update that only removes attributes makes no item',
    reference: `${api}/API_UpdateItem.html; DynamoDB Local makes one with nothing but its key`,
    matches: ({ path, left, right, request }) =>
      (path === 'Attributes' || path.startsWith('item ')) &&
      left === undefined &&
      isKeyOnly(right) &&
      onlyRemoves.test(JSON.stringify(request?.body)),
  },
  {
    reason: 'a batch that is refused has changed nothing; DynamoDB Local carries out the statements before the repeat',
    reference: `${api}/API_BatchExecuteStatement.html`,
    matches: ({ path, request, exchange }) =>
      path.startsWith('item ') &&
      request?.operation === 'BatchExecuteStatement' &&
      exchange?.left.message === 'Provided list of item keys contains duplicates' &&
      exchange.effects.every(({ before, left }) => identify(before) === identify(left)),
  },
  {
    reason: 'of an attribute that was changed in part that part is returned; DynamoDB Local returns more of some',
    reference: 'scylla test/alternator/test_returnvalues.py',
    matches: ({ path, left, right, request }) =>
      (left === undefined || (Array.isArray(left) && Array.isArray(right) && left.length < right.length)) &&
      /^Attributes\.\w+\.[ML]|\bItems?(\[\d+\])?\.\w+\.[ML]/.test(path) &&
      (String(request?.body['ReturnValues']).startsWith('UPDATED_') ||
        /RETURNING MODIFIED/.test(JSON.stringify(request?.body))),
  },
  {
    reason: 'where there is no item, REMOVE may name places in maps and lists',
    reference: 'dynamodb-conformance tests/tier1/updateItem/basic.test.ts, "REMOVE on non-existent nested path"',
    matches: (occurrence) =>
      occurrence.path === 'outcome' &&
      (isUpdate(occurrence) || isTransaction(occurrence)) &&
      occurrence.left === '200' &&
      occurrence.right ===
        '400 ValidationException: The document path provided in the update expression is invalid for update' &&
      /"UpdateExpression":"[^"]*\bREMOVE\b/.test(JSON.stringify(occurrence.request?.body)),
  },
  {
    reason: 'an item has 400 KB with its entries in local indexes; DynamoDB Local does not count all of them',
    reference: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-items',
    matches: ({ path, right, exchange }) =>
      path === 'outcome' &&
      right === '200' &&
      /Item size (to update )?has exceeded the maximum allowed size/.test(JSON.stringify(exchange?.left)) &&
      exchange?.effects.some(({ table, right: item }) => isTooLargeWithEntries({ table, item })) === true,
  },
  {
    reason: 'an action that an item does not allow cancels the transaction, with the reason ValidationError',
    reference: `${api}/API_TransactWriteItems.html#API_TransactWriteItems_Errors`,
    matches: (occurrence) =>
      occurrence.path === 'outcome' && isOfTransaction(occurrence) && isCancelledInstead(occurrence),
  },
  {
    reason: 'a transaction of reads that is cancelled tells the reasons of all parts',
    reference: 'dynamodb-conformance tests/tier3/error-messages/transactGetItems.test.ts',
    matches: (occurrence) =>
      occurrence.request?.operation === 'TransactGetItems' &&
      isOfCancellation(occurrence) &&
      occurrence.exchange !== undefined &&
      occurrence.exchange.right.body['CancellationReasons'] === undefined &&
      isReasonOf(occurrence.exchange),
  },
  {
    reason: 'a part that does not suit its table cancels the transaction before any condition is tried',
    reference: `${api}/API_TransactWriteItems.html#API_TransactWriteItems_Errors`,
    matches: (occurrence) => isTransaction(occurrence) && isOfCancellation(occurrence) && isCancelledByKeys(occurrence),
  },
];

function isKeyOnly(item: unknown): boolean {
  if (!isObject(item)) return false;
  const names = Object.keys(item).sort().join();
  return tables.some((table) => keyNames(table, false).sort().join() === names);
}

function reasonsOf(body: Body | undefined): readonly Body[] {
  const reasons = body?.['CancellationReasons'];
  return Array.isArray(reasons) ? reasons.filter(isObject) : [];
}

/** The left engine cancels for a mistake for which the right one refuses the request. */
function isCancelledInstead({ exchange }: Occurrence): boolean {
  return exchange?.right.error === 'ValidationException' && isReasonOf(exchange);
}

/** The right engine's message is one of the left one's reasons. */
function isReasonOf({ left, right }: Exchange): boolean {
  return reasonsOf(left.body).some(
    ({ Code, Message }) => Code === 'ValidationError' && isSameOrOther(String(Message), right.message ?? ''),
  );
}

/** If several parts do not match the keys of their tables, each of them may be reported. */
function isSameOrOther(left: string, right: string): boolean {
  return sameMistake(left, right) || (ofKeys.test(left) && ofKeys.test(right));
}

/**
 * The left engine reports one part that does not match its table; the right one reports only that, or checks further.
 */
function isCancelledByKeys({ exchange }: Occurrence): boolean {
  const [only, ...others] = reasonsOf(exchange?.left.body).filter(({ Code }) => Code !== 'None');
  if (only === undefined || others.length > 0 || !ofKeys.test(String(only['Message']))) return false;
  return reasonsOf(exchange?.right.body).some(({ Code }) => Code !== 'None');
}
