import type { KnownDifference, Occurrence } from './known-difference.ts';
import { areOfItem, isToldFirst } from './known-order.ts';
import { isObject } from './normalise.ts';
import type { Body } from './request.ts';

/** A message of DynamoDB that differs in DynamoDB Local. */
interface Wording {
  readonly reason: string;
  readonly reference: string;
  readonly left: RegExp;
  readonly right: RegExp;
  /** A further condition. */
  readonly appliesTo?: (occurrence: Occurrence) => boolean;
}

const guide = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide';

const wordings: readonly Wording[] = [
  {
    reason: 'a value of ReturnValues that is not for this operation',
    reference: 'dynalite test/putItem.js',
    left: /^ReturnValues can only be ALL_OLD or NONE$/,
    right: /^Return values set to invalid value$/,
  },
  {
    reason: 'overlapping paths: DynamoDB Local names any other path as the second',
    reference: 'dynalite test/updateItem.js',
    left: /^(?<same>Invalid \w+Expression: Two document paths overlap with each other; .*; path one: .*), path two: /,
    right: /^(?<same>Invalid \w+Expression: Two document paths overlap with each other; .*; path one: .*), path two: /,
  },
  {
    reason: 'an attribute of the wrong type for the key of an index',
    reference: 'dynalite test/putItem.js, test/batchWriteItem.js',
    left: /Type mismatch for Index Key \S+ Expected: \w+ Actual: \w+ IndexName: \S+$/,
    right: /^Invalid attribute value type$|Type mismatch for Index Key$/,
  },
  {
    reason: 'a text that is no number',
    reference: 'dynalite test/getItem.js',
    left: /The parameter cannot be converted to a numeric value/,
    right: /A value provided cannot be converted into a number/,
  },
  {
    reason: 'a key that is not that of the table',
    reference: 'dynalite test/getItem.js',
    left: /^The provided key element does not match the schema$/,
    right:
      /^The number of conditions on the keys is invalid$|one or more empty keys$|^Item to put in PutItem cannot be null$|: Type mismatch for key$|^One of the required keys was not given a value$/,
  },
  {
    reason: 'a start key that is not that of the table',
    reference: 'dynalite test/scan.js, test/query.js',
    left: /^The provided starting key is invalid(: The provided key element does not match the schema)?$/,
    right: /^Exclusive Start Key must have same size as table's key schema$|^Type mismatch for attribute to update$/,
  },
  {
    reason: 'a start key with a value of another type than the key of the table or index that is queried',
    reference: 'dynalite test/query.js, "ExclusiveStartKey does not match hash schema"',
    left: /^The provided key element does not match the schema$/,
    right: /^Type mismatch for attribute to update$/,
    appliesTo: ({ request }) => request?.body['ExclusiveStartKey'] !== undefined,
  },
  {
    reason: 'a value of a start key that is none: DynamoDB Local does not say that it belongs to that',
    reference: 'dynalite test/query.js, "bad attribute values in ExclusiveStartKey"',
    left: /^The provided starting key is invalid: (?<same>(?:One or more parameter values were|Supplied Attr).*)$/,
    right: /^(?<same>(?:One or more parameter values were|Supplied Attr).*)$/,
  },
  {
    reason: 'an empty value in a start key: DynamoDB Local says of hash keys besides that a query cannot be restarted',
    reference: 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html',
    left: /^(?<same>The provided starting key is invalid: .* cannot contain an empty (?:string|binary) value\. .*)$/,
    right:
      /^The query can return at most one row and cannot be restarted\. (?<same>The provided starting key is invalid: .*)$/,
  },
  {
    reason: 'empty values in a start key and in the condition: AWS documents no order',
    reference: 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html',
    left: /^The provided starting key is invalid: One or more parameter values are not valid\. .* cannot contain an empty /,
    right: /^One or more parameter values are not valid\. .* cannot contain an empty /,
    appliesTo: ({ request }) =>
      hasEmptyValue(request?.body['ExclusiveStartKey']) && hasEmptyValue(request?.body['ExpressionAttributeValues']),
  },
  {
    reason: 'a value is no step of a path; DynamoDB Local reads it as one, and stumbles over what follows',
    reference: `${guide}/Expressions.Attributes.html; DynamoDB Local takes \`SET a.:v = :v\` for an internal error`,
    left: /^Invalid (?<same>\w+Expression): Syntax error; token: "(?<token>:\w+)", near: "\.\s*\k<token>/,
    right: /^Invalid (?<same>\w+Expression): (Syntax error; |Internal server error$|Incorrect number of operands )/,
  },
  {
    reason: 'a key that is empty',
    reference: 'scylla test/alternator/test_item.py',
    left: /^One or more parameter values were invalid: (?<same>The AttributeValue for a key attribute cannot contain .*)$/,
    right:
      /^One or more parameter values are not valid\. (?<same>The AttributeValue for a key attribute cannot contain .*)$/,
  },
  {
    reason: 'a query for an empty key of an index',
    reference: 'scylla test/alternator/test_item.py, of keys of tables',
    left: /^One or more parameter values are not valid\. The AttributeValue for a key attribute cannot contain an empty/,
    right:
      /^One or more parameter values are not valid\. A value specified for a secondary index key is not supported\. /,
  },
  {
    reason: 'a query without a condition on a key attribute: DynamoDB Local does not name it',
    reference: 'dynalite test/query.js',
    left: /^(?<same>Query condition missed key schema element): \S+$/,
    right: /^(?<same>Query condition missed key schema element)$/,
  },
  {
    reason: 'ADD and DELETE with an operand of the wrong type: DynamoDB Local adds the name of the right types',
    reference: 'scylla test/alternator/test_update_expression.py',
    left: /^(?<same>Invalid UpdateExpression: Incorrect operand type for .*; operator: (?:ADD|DELETE), operand type: \w+)$/,
    right:
      /^(?<same>Invalid UpdateExpression: Incorrect operand type for .*), typeSet: ALLOWED_FOR_(?:ADD|DELETE)_OPERAND$/,
  },
  {
    reason: 'a sum of more than 38 digits',
    reference: 'scylla test/alternator/test_number.py',
    left: /^Number overflow\. Attempting to store a number with magnitude larger than supported range$/,
    right: /^DynamoDB only supports precision up to 38 digits$/,
  },
  {
    reason: 'a segment that is not one of those that there are',
    reference: 'dynalite test/scan.js',
    left: /^The Segment parameter is zero-based and must be less than parameter TotalSegments: /,
    right:
      /^1 validation error detected: Value '\d+' at 'segment' failed to satisfy constraint: Member must have value less/,
  },
  {
    reason: 'a segment below zero: DynamoDB Local says that it is above the largest one',
    reference: 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html#DDB-Scan-request-Segment',
    left: /: Value '(?<same>-\d+)' at 'segment' failed to satisfy constraint: Member must have value greater than or equal to 0$/,
    right:
      /: Value '(?<same>-\d+)' at 'segment' failed to satisfy constraint: Member must have value less than or equal to /,
  },
  {
    reason: 'a SELECT in a batch that may find several items',
    reference: `${guide}/ql-reference.multiplestatements.batching.html`,
    left: /^Select statements within BatchExecuteStatement must specify the primary key in the where clause\.$/,
    right: /^Only single item select is supported$/,
  },
  {
    reason: 'a function that is not known: AWS says where',
    reference: `${guide}/ql-functions.html`,
    left: /^(?<same>Unrecognized function: \w+) at \d+:\d+:\d+$/,
    right: /^(?<same>Unrecognized function: \w+)$/,
  },
  {
    reason: 'a function that is not known beside a BETWEEN with its bounds the wrong way round: AWS documents no order',
    reference: `${guide}/ql-functions.html, ${guide}/ql-operators.html`,
    left: /^The BETWEEN operator requires upper bound to be greater than or equal to lower bound; /,
    right: /^Unrecognized function: \w+$/,
    appliesTo: ({ right, request }) => {
      const statement = JSON.stringify(request?.body);
      return / BETWEEN /i.test(statement) && statement.includes(`${textOf(right).split(' ').at(-1)}(`);
    },
  },
  {
    reason: 'an item without its key',
    reference: 'dynalite test/putItem.js',
    left: /^One or more parameter values were invalid: Missing the key \S+ in the item$/,
    right: /^One of the required keys was not given a value$/,
  },
  {
    reason: 'a table that is not there',
    reference: 'dynalite test/getItem.js',
    left: /^Requested resource not found/,
    right: /^Cannot do operations on a non-existent table$/,
  },
  {
    reason: 'a start key of another partition',
    reference: 'dynalite test/query.js',
    left: /^The provided starting key is outside query boundaries|^The query can return at most one row and cannot be/,
    right: /^The provided starting key does not match the range key predicate$/,
  },
  {
    reason: 'a value without a type, or with several',
    reference: 'dynalite test/putItem.js, test/getItem.js',
    left: /Supplied AttributeValue (is empty|has more than one datatypes set), must contain exactly one of the supported/,
    right: /Supplied AttributeValue |The supplied Item contains a null AttributeValue/i,
  },
  {
    reason: 'a number of more than 38 digits',
    reference: 'dynalite test/putItem.js',
    left: /\bAttempting to store more than 38 significant digits in a Number(?<same>(?: for key \S+)?)$/,
    right: /\bDynamoDB only supports precision up to 38 digits(?<same>(?: for key \S+)?)$/,
  },
  {
    reason: 'a set with a member that is there twice',
    reference: 'dynalite test/putItem.js',
    left: /: Input collection (\[.*\] ?)(?<same>contains duplicates|of type BS contains duplicates)\.( for key \S+)?$/,
    right:
      /: Input collection (\[.*\] ?| ?)(?<same>contains duplicates|of type BS contains duplicates)\.?( for key \S+)?$/,
  },
  {
    reason: 'a set of texts with null in it several times',
    reference: 'dynalite test/putItem.js',
    left: /An string set may not have a null string as a member( for key \S+)?$/,
    right: /Input collection \[.*\bnull\b.*\] contains duplicates( for key \S+)?$/,
  },
  {
    reason: 'a set of numbers with null in it',
    reference: 'dynalite test/putItem.js',
    left: /An number set may not have a null number as a member( for key \S+)?$/,
    right: /A value provided cannot be converted into a number/,
  },
  {
    reason: 'what is wrong in a statement is told in other words',
    reference: `${guide}/ql-reference.html`,
    left: /^Statement wasn't well formed, can't be processed: /,
    right: /^Statement wasn't well formed, can't be processed: /,
    appliesTo: ({ right, request }) => repeatsStatement(textOf(right), request?.body),
  },
  {
    reason: 'a batch without requests, or a scan with half of what makes it parallel',
    reference: 'dynamodb-conformance tests/tier3/error-messages',
    left: /^The (requestItems|Segment|TotalSegments) parameter is required /,
    right:
      /^BatchWriteItem cannot have a null or no requests set$|^BatchGetItem must have some requests set$|^If (total segments|segment) is specified, /i,
  },
  {
    reason: 'DynamoDB Local has no message for a token that comes with another request',
    reference: 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html',
    left: /client token/,
    right: /^$/,
  },
  {
    reason: 'DynamoDB Local ends the message of a failed condition in a transaction with a full stop',
    reference: 'dynamodb-conformance tests/tier3/error-messages/transactWriteItems.test.ts',
    left: /^The conditional request failed$/,
    right: /^The conditional request failed\.$/,
  },
];

/** Differences in messages only; the types of the errors are equal. */
export const knownMessages: readonly KnownDifference[] = wordings.map((wording) => ({
  reason: wording.reason,
  reference: wording.reference,
  matches: (occurrence) =>
    /(^|\.)message$/i.test(occurrence.path) &&
    isWordedAs(wording, textOf(occurrence.left), textOf(occurrence.right)) &&
    wording.appliesTo?.(occurrence) !== false,
}));

/** Whether attributes have an empty text or binary. */
function hasEmptyValue(attributes: unknown): boolean {
  return (
    isObject(attributes) && Object.values(attributes).some((value) => /^\{"[SB]":""\}$/.test(JSON.stringify(value)))
  );
}

/** Whether a message only repeats a statement of the request. */
function repeatsStatement(message: string, body: Body | undefined): boolean {
  const { Statement: only, Statements: many } = body ?? {};
  const texts = Array.isArray(many)
    ? many.map((one: unknown) => (isObject(one) ? one['Statement'] : undefined))
    : [only];
  // In normalised messages, lists in braces are sorted.
  const squeeze = (text: unknown) => String(text).replaceAll(/\W/g, '').split('').sort().join('');
  const repeated = message.slice(message.indexOf('processed: ') + 'processed: '.length);
  return texts.some((text) => squeeze(text) === squeeze(repeated));
}

/** Whether both messages have the wording, with equal values for the groups named `same`. */
function isWordedAs(wording: Wording, left: string, right: string): boolean {
  const [ours, theirs] = [wording.left.exec(left), wording.right.exec(right)];
  if (ours === null || theirs === null) return false;
  return ours.groups?.['same'] === theirs.groups?.['same'];
}

/** Whether two messages report the same mistake, or the left one a mistake that AWS finds first. */
export function sameMistake(left: string, right: string): boolean {
  if (left === right || isToldFirst(left, right) || areOfItem(left, right)) return true;
  return wordings.some((wording) => isWordedAs(wording, left, right));
}

function textOf(message: unknown): string {
  return typeof message === 'string' ? message : '';
}
