import { knownCosts } from './known-costs.ts';
import type { KnownDifference, Occurrence } from './known-difference.ts';
import { knownMessages } from './known-messages.ts';
import { knownOrders } from './known-order.ts';
import { knownParts } from './known-parts.ts';
import { knownReads } from './known-reads.ts';
import { knownRefusals } from './known-refusals.ts';
import { knownWrites } from './known-writes.ts';
import { isObject } from './normalise.ts';
import { canonicalNumber, isReturned } from './numbers.ts';

const api = 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference';
const guide = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide';

/** All known differences. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    reason: 'numbers come back in one notation, not as they were written',
    reference: `${guide}/HowItWorks.NamingRulesDataTypes.html#HowItWorks.DataTypes.Number`,
    matches: ({ path, left, right }) =>
      /\.(N|NS\[\d+\])$/.test(path) &&
      typeof left === 'string' &&
      typeof right === 'string' &&
      isReturned(left) &&
      canonicalNumber(left) === canonicalNumber(right),
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
    reason: 'inserting what is there is a DuplicateItemException',
    reference: `${api}/API_ExecuteStatement.html#API_ExecuteStatement_Errors`,
    matches: ({ path, left, right }) =>
      path === 'outcome' &&
      left === '400 DuplicateItemException: Duplicate primary key exists in table' &&
      right === '400 DuplicateItem: Duplicate primary key exists in table',
  },
  {
    reason: 'DynamoDB Local leaves the content of empty maps out of stream records and of items in refusals',
    reference: `${api}/API_streams_AttributeValue.html, ${api}/API_BatchStatementError.html`,
    matches: ({ path, left, right }) =>
      /^(record \d+|Responses\[\d+\]\.Error\.Item)\..*\.M$/.test(path) &&
      isObject(left) &&
      Object.keys(left).length === 0 &&
      right === undefined,
  },
  ...knownRefusals,
  ...knownCosts,
  ...knownReads,
  ...knownWrites,
  ...knownMessages,
  ...knownOrders,
  ...knownParts,
];

/** The known difference that explains a difference; undefined for an unknown one. */
export function explain(occurrence: Occurrence): KnownDifference | undefined {
  return knownDifferences.find((candidate) => candidate.matches(occurrence));
}
