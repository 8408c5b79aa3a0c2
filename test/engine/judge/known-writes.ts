import type { KnownDifference, Occurrence } from './known-difference.ts';
import { sameMistake } from './known-messages.ts';
import { isObject } from './normalise.ts';
import type { Body } from './request.ts';
import { keyNames, tables } from './tables.ts';

const api = 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference';
const guide = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide';

const isTransaction = ({ request }: Occurrence) => request?.operation === 'TransactWriteItems';
const isUpdate = ({ request }: Occurrence) => request?.operation === 'UpdateItem';

/** Parts of messages that tell that a write does not suit the keys of its table. */
const ofKeys = /Type mismatch for |Cannot update attribute |for a key attribute cannot contain an empty/;

/** The message and the reasons of a cancelled transaction. */
const isOfCancellation = ({ path }: Occurrence) => path === 'message' || path.startsWith('CancellationReasons');

/** Bytes near the largest size of an item. */
const nearlyLargestBytes = 409_000;

/** Known differences of writes. */
export const knownWrites: readonly KnownDifference[] = [
  {
    reason: 'an update that only removes attributes makes no item',
    reference: `${api}/API_UpdateItem.html; DynamoDB Local makes one with nothing but its key`,
    matches: ({ path, left, right, request }) =>
      path === 'Attributes' && left === undefined && request?.operation === 'UpdateItem' && isKeyOnly(right),
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
    reason: 'an update in a transaction must have an expression',
    reference: `${api}/API_Update.html`,
    matches: ({ path, left, right, request }) =>
      path === 'outcome' &&
      request?.operation === 'TransactWriteItems' &&
      right === '200' &&
      /^400 \w+: 1 validation error detected: Value null at '[^']*\.update\.updateExpression' failed [^;]*$/.test(
        String(left),
      ),
  },
  {
    reason: 'DynamoDB Local counts more bytes for a number than AWS documents: items of almost 400 KB are too large',
    reference: `${guide}/CapacityUnitCalculations.html#ItemSizeCalculations.Items`,
    matches: ({ path, left, right, request }) =>
      path === 'outcome' &&
      left === '200' &&
      /: Item size (to update )?has exceeded the maximum allowed size$/.test(String(right)) &&
      JSON.stringify(request?.body).length > nearlyLargestBytes,
  },
  {
    reason: 'an action that an item does not allow cancels the transaction, with the reason ValidationError',
    reference: `${api}/API_TransactWriteItems.html#API_TransactWriteItems_Errors`,
    matches: (occurrence) =>
      occurrence.path === 'outcome' && isTransaction(occurrence) && isCancelledInstead(occurrence),
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
  const { left, right } = exchange ?? {};
  if (right?.error !== 'ValidationException') return false;
  return reasonsOf(left?.body).some(
    ({ Code, Message }) => Code === 'ValidationError' && isSameOrOther(String(Message), right.message ?? ''),
  );
}

/** Where several parts do not suit the keys of their tables any of them may be told. */
function isSameOrOther(left: string, right: string): boolean {
  return sameMistake(left, right) || (ofKeys.test(left) && ofKeys.test(right));
}

/** The left engine tells of one part that it does not suit its table; the right one tells only that, or looks further. */
function isCancelledByKeys({ exchange }: Occurrence): boolean {
  const [only, ...others] = reasonsOf(exchange?.left.body).filter(({ Code }) => Code !== 'None');
  if (only === undefined || others.length > 0 || !ofKeys.test(String(only['Message']))) return false;
  return reasonsOf(exchange?.right.body).some(({ Code }) => Code !== 'None');
}
