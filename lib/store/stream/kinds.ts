import { toAccount } from '../entities/account.ts';
import { toDatasetLock } from '../entities/dataset-lock.ts';
import { toDid } from '../entities/did-item.ts';
import { isFreeIndexNote } from '../entities/did-metadata.ts';
import { toEdge } from '../entities/edge.ts';
import { ownSource } from '../entities/rse-usage.ts';
import { toRse } from '../entities/rse.ts';
import { toRule } from '../entities/rule.ts';
import { toScope } from '../entities/scope.ts';
import { toSubscription } from '../entities/subscription.ts';
import { toTransfer } from '../entities/transfer.ts';
import { toWork } from '../entities/work.ts';
import { type Item, stagedPrefix } from '../items/item.ts';
import { accountItems, accountOf, accountUsageOf } from '../keys/account-keys.ts';
import { didItems } from '../keys/did-keys.ts';
import { hasPrefix, type Key, type KeyPrefix } from '../keys/key-parts.ts';
import { isUsageDifference, rseItems, rseOf, usageOf } from '../keys/rse-keys.ts';
import { ruleItems } from '../keys/rule-keys.ts';
import { scopeItems } from '../keys/scope-keys.ts';
import { subscriptionItems } from '../keys/subscription-keys.ts';
import type { ChangedEntities, EntityChange, TableChange } from './change.ts';

/** A change of an item: its committed state before and after; undefined where the item does not exist. */
export interface Images {
  /** The id of the stream record. */
  readonly id: string;
  readonly at: number;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** Converts a change of an item to the form that reactions get; undefined if it is not for them. */
export type ReadChange = (images: Images) => TableChange | undefined;

/** A kind of item whose changes reactions get. */
interface ItemKind<C = TableChange> {
  /** How the keys of the items begin. */
  readonly items: KeyPrefix;
  readonly read: (images: Images) => C | undefined;
}

/** The entities whose changes reactions get. The compiler reports a member of `ChangedEntities` that is missing here. */
const entities: { readonly [K in keyof ChangedEntities]: ItemKind<EntityChange<K>> } = {
  did: entityKind('did', didItems.did, toDid),
  edge: entityKind('edge', didItems.edge, toEdge),
  datasetLock: entityKind('datasetLock', ruleItems.datasetLock, toDatasetLock),
  rule: entityKind('rule', ruleItems.rule, toRule),
  transfer: entityKind('transfer', ruleItems.transfer, toTransfer),
  account: entityKind('account', accountItems.account, toAccount),
  scope: entityKind('scope', scopeItems.scope, toScope),
  rse: entityKind('rse', rseItems.rse, toRse),
  subscription: entityKind('subscription', subscriptionItems.subscription, toSubscription),
};

/** All kinds of items whose changes are delivered. Other items produce no change. */
const kinds: readonly ItemKind[] = [
  ...Object.values(entities),
  {
    items: ruleItems.work,
    read: ({ after }) => (after === undefined ? undefined : { kind: 'work', after: toWork(after) }),
  },
  {
    items: accountItems.usage,
    read: ({ before, after }) => (before === undefined ? readAccountUsage(after) : undefined),
  },
  { items: rseItems.usage, read: ({ before, after }) => (before === undefined ? readRseUsage(after) : undefined) },
];

/** How the keys of the items begin whose changes are delivered. */
export const deliveredItems: readonly KeyPrefix[] = kinds.map(({ items }) => items);

/** The reader of the changes of an item; undefined for items whose changes are not delivered. */
export function findReader(key: Key): ReadChange | undefined {
  return kinds.find(({ items }) => hasPrefix(key, items))?.read;
}

function entityKind<K extends keyof ChangedEntities>(
  kind: K,
  items: KeyPrefix,
  toEntity: (item: Item) => ChangedEntities[K] | undefined,
): ItemKind<EntityChange<K>> {
  return { items, read: (images) => readEntityChange(kind, toEntity, images) };
}

function readEntityChange<K extends keyof ChangedEntities>(
  kind: K,
  toEntity: (item: Item) => ChangedEntities[K] | undefined,
  images: Images,
): EntityChange<K> | undefined {
  const before = images.before === undefined ? undefined : toEntity(images.before);
  const after = images.after === undefined ? undefined : toEntity(images.after);
  if (before === undefined && after === undefined) return undefined;
  const { id, at } = images;
  return {
    kind,
    id,
    at,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

function readAccountUsage(item: Item | undefined): TableChange | undefined {
  if (item === undefined) return undefined;
  const { rseId, difference } = accountUsageOf(item);
  return difference ? { kind: 'accountUsage', account: accountOf(item), rseId } : undefined;
}

function readRseUsage(item: Item | undefined): TableChange | undefined {
  if (item === undefined || !isUsageDifference(item) || usageOf(item).source !== ownSource) return undefined;
  return { kind: 'rseUsage', rseId: rseOf(item) };
}

const bookkeeping = new Set('batch gone rev indexRev shrinks nestings indexed foldedAt'.split(' '));

const isBookkeeping = (attribute: string) =>
  bookkeeping.has(attribute) || isFreeIndexNote(attribute) || attribute.startsWith(stagedPrefix);

/** The content of an item: without stamps, staged changes and their counters. */
export function contentOf(item: Item): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).filter(([attribute]) => !isBookkeeping(attribute)));
}
