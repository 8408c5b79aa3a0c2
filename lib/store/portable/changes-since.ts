import { createHash } from 'node:crypto';

import type { DidKey } from '../../contract/schemas/did.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import { toDeletedDid } from '../entities/deleted-did.ts';
import { changedAt, isHidden, makeDidItem, makeFormerItem } from '../entities/did-item.ts';
import { endOfFormer } from '../entities/former-child.ts';
import { toAttributes } from '../items/attribute-values.ts';
import type { Item } from '../items/item.ts';
import { accountItems } from '../keys/account-keys.ts';
import { childOf, didItems, didKeys, didNotes, historyOf, parentOf } from '../keys/did-keys.ts';
import { hasPrefix, type Key, textOfKey } from '../keys/key-parts.ts';
import { rseItems } from '../keys/rse-keys.ts';
import { ruleItems } from '../keys/rule-keys.ts';
import type { Store } from '../open-store.ts';
import { findReader } from '../stream/kinds.ts';
import type { StreamRecord } from '../stream/record.ts';
import { scanItems } from './scan-items.ts';

/*
 * The changes since a time, as a table shows them: for a table whose stream was lost, as after a restore. Each item that was changed
 * since then is told as a new one, with its present state, which is what reactions need: they read the present state and do what is
 * missing. Detachments and deleted DIDs are told from the notes about them.
 */

/** The items that are looked up together. */
const itemsPerLookup = 100;

/** A change that was found. */
interface Found {
  readonly key: Key;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly before?: Item;
  readonly after?: Item;
  /** The change is told unless this item exists: what was deleted was made anew. */
  readonly unless?: Key;
}

/**
 * The changes since a time as records of the stream. Reads the whole table.
 *
 * @param since In milliseconds since 1970.
 */
export async function* findChangesSince(store: Store, since: number): AsyncGenerator<StreamRecord> {
  for await (const found of splitIntoChunks(findAll(store, since), itemsPerLookup)) {
    const successors = await store.table.latest().getMany(found.flatMap(({ unless }) => unless ?? []));
    const present = new Set(successors.filter((item) => !isHidden(item)).map(textOfKey));
    for (const change of found) {
      if (change.unless === undefined || !present.has(textOfKey(change.unless))) yield toRecord(change);
    }
  }
}

async function* findAll(store: Store, since: number): AsyncGenerator<Found> {
  for await (const item of scanItems(store)) {
    const found = findChange(item, since);
    if (found !== undefined && found.at >= since) yield found;
  }
}

function findChange(item: Item, since: number): Found | undefined {
  if (hasPrefix(item, didNotes.history)) {
    const { at, child } = historyOf(item);
    return findDetachment(item, at, child);
  }
  if (hasPrefix(item, didNotes.former)) {
    return findDetachment({ ...item, createdAt: 0 }, endOfFormer(item), childOf(item));
  }
  if (hasPrefix(item, didNotes.deleted)) return findDeletion(item);
  // The schedule finds tasks.
  if (findReader(item) === undefined || hasPrefix(item, ruleItems.work)) return undefined;
  if (hasPrefix(item, accountItems.usage) || hasPrefix(item, rseItems.usage)) return findNew(item, since);
  if (!hasPrefix(item, didItems.did)) return findNew(item, lastTime(item) ?? since);
  const at = changedAt(item);
  const newSince = Number(item['newAt'] ?? item['createdAt']);
  // A DID that is not new must not be new to subscriptions.
  return newSince >= since ? findNew(item, at) : { ...findNew(item, at), before: makeFormerItem(item, since) };
}

function findNew(item: Item, at: number): Found {
  const { PK, SK } = item;
  return { key: { PK, SK }, at, after: item };
}

/** When an item was last changed; undefined if it does not say so. */
function lastTime({ createdAt, updatedAt }: Item): number | undefined {
  const times = [createdAt, updatedAt].filter((time) => typeof time === 'number');
  return times.length === 0 ? undefined : Math.max(...times);
}

function findDetachment(item: Item, at: number, child: DidKey): Found {
  const key = didKeys.child(parentOf(item), child);
  return { key, at, before: { ...item, ...key }, unless: key };
}

function findDeletion(item: Item): Found {
  const { deletedAt, ...did } = toDeletedDid(item);
  const before = makeDidItem(did.type === 'FILE' ? { ...did, meta: {}, replicas: new Map() } : { ...did, meta: {} });
  const { PK, SK } = before;
  return { key: { PK, SK }, at: deletedAt, before, unless: { PK, SK } };
}

/**
 * The same change has the same id whenever it is found. One that is found in another state has another id: some changes, such as
 * those of locks, leave the time of an item as it is, and who hears of events drops those whose id is known.
 */
function toRecord({ key, at, before, after }: Found): StreamRecord {
  const id = createHash('sha256')
    .update(`${textOfKey(key)}\n${at}\n${textOfState(after)}`)
    .digest('hex')
    .slice(0, 32);
  const image = (name: string, item: Item | undefined) => (item === undefined ? {} : { [name]: toImage(item) });
  return {
    eventID: id,
    eventName: before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY',
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(at / 1000),
      Keys: toImage(key),
      SequenceNumber: id,
      ...image('OldImage', before),
      ...image('NewImage', after),
    },
  };
}

/** The state of an item as a text that does not depend on the order of its attributes. */
function textOfState(item: Item | undefined): string {
  return item === undefined ? '' : JSON.stringify(toImage(item), sortMembers);
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function toImage(item: Key | Item): never {
  const { batch: _batch, ...attributes } = item as Item;
  return toAttributes(attributes) as never;
}
