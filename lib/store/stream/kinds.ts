import { toAccount } from '../entities/account.ts';
import { toDatasetLock } from '../entities/dataset-lock.ts';
import { toDid } from '../entities/did.ts';
import { toEdge } from '../entities/edge.ts';
import { ownSource } from '../entities/rse-usage.ts';
import { toRse } from '../entities/rse.ts';
import { toRule } from '../entities/rule.ts';
import { toScope } from '../entities/scope.ts';
import { toSubscription } from '../entities/subscription.ts';
import { toTransfer } from '../entities/transfer.ts';
import { toWork } from '../entities/work.ts';
import { type Item, stagedPrefix } from '../items/item.ts';
import { accountOf, accountUsageOf } from '../keys/account-keys.ts';
import type { Key } from '../keys/key-parts.ts';
import { isUsageDifference, rseOf, usageOf } from '../keys/rse-keys.ts';
import type { TableChange } from './change.ts';

/** What an item was and is to everybody who reads it; undefined where it was not or is not there. */
interface Images {
  /** The record that tells it. */
  readonly id: string;
  readonly at: number;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** Reads what images of an item say, if they say anything. */
export type Read = (images: Images) => TableChange | undefined;

/**
 * The kinds of items that are told of, by the beginning of partition key and sort key. What is not here is nobody's
 * concern.
 */
const kinds: readonly (readonly [pk: string, sk: string, read: Read])[] = [
  ['S#', '', (images) => present('did', toDid, images)],
  ['D#', 'CHILD#', (images) => present('edge', toEdge, images)],
  ['D#', 'LOCK#', (images) => present('datasetLock', toDatasetLock, images)],
  ['RULE#', 'RULE', (images) => present('rule', toRule, images)],
  ['TRANSFERS#', '', (images) => present('transfer', toTransfer, images)],
  ['A#', 'ACCOUNT', (images) => present('account', toAccount, images)],
  ['SCOPES', '', (images) => present('scope', toScope, images)],
  ['RSES', 'RSE#', (images) => present('rse', toRse, images)],
  ['SUBSCRIPTIONS', '', (images) => present('subscription', toSubscription, images)],
  ['WORK#', '', ({ after }) => (after === undefined ? undefined : { kind: 'work', after: toWork(after) })],
  ['A#', 'USAGE#', ({ before, after }) => (before === undefined ? accountUsage(after) : undefined)],
  ['R#', 'USAGE#', ({ before, after }) => (before === undefined ? rseUsage(after) : undefined)],
];

/** The reader of the items of a key; undefined for those that nobody is told of. */
export function readerOf({ PK, SK }: Key): Read | undefined {
  return kinds.find(([pk, sk]) => PK.startsWith(pk) && SK.startsWith(sk))?.[2];
}

function present(kind: TableChange['kind'], read: (item: Item) => unknown, images: Images): TableChange | undefined {
  const before = images.before === undefined ? undefined : read(images.before);
  const after = images.after === undefined ? undefined : read(images.after);
  if (before === undefined && after === undefined) return undefined;
  const { id, at } = images;
  const change = {
    kind,
    id,
    at,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
  return change as unknown as TableChange;
}

function accountUsage(item: Item | undefined): TableChange | undefined {
  if (item === undefined) return undefined;
  const { rseId, difference } = accountUsageOf(item);
  return difference ? { kind: 'accountUsage', account: accountOf(item), rseId } : undefined;
}

function rseUsage(item: Item | undefined): TableChange | undefined {
  if (item === undefined || !isUsageDifference(item) || usageOf(item).source !== ownSource) return undefined;
  return { kind: 'rseUsage', rseId: rseOf(item) };
}

const bookkeeping = new Set('batch gone rev indexRev shrinks nestings indexed foldedAt'.split(' '));

/** An image without what only says how it came about: stamps, changes under way, and what counts them. */
export function contentOf(item: Item): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(item).filter(([attribute]) => !bookkeeping.has(attribute) && !attribute.startsWith(stagedPrefix)),
  );
}
