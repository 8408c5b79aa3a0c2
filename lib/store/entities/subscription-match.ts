import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { failedDidOf, subscriptionKeys } from '../keys/subscription-keys.ts';

/** How long it is remembered that a DID was matched, in milliseconds: the stream tells of nothing that is older than a day. */
const kept = 3 * 86_400_000;

/** A DID that has been new since a time, in milliseconds since 1970. */
export interface NewDidKey extends DidKey {
  readonly since: number;
}

/** The write that says that a DID was matched against a subscription; of two the second one is told so. */
export function insertMatch(subscriptionId: string, did: NewDidKey, now: number, onExists: () => Error): Insert {
  const key = subscriptionKeys.matched(subscriptionId, did, did.since);
  return { kind: 'insert', item: { ...key, ttl: Math.ceil((now + kept) / 1000) }, onExists };
}

/** A DID for which a subscription could not make its rules, however often it was tried; dates in milliseconds since 1970. */
export interface MatchFailure {
  readonly did: DidKey;
  readonly didType: DidType;
  /** The rules that are missing, by the places of their templates; absent: all. */
  readonly templates?: readonly number[];
  /** Rucio's class and message. */
  readonly exception: string;
  readonly message: string;
  readonly attempts: number;
  readonly failedAt: number;
}

/** What a subscription could not do for a DID. */
export async function getMatchFailure(table: Table, id: string, did: DidKey): Promise<MatchFailure | undefined> {
  const item = await table.get(subscriptionKeys.failure(id, did));
  return item === undefined ? undefined : fromItem(item);
}

/** What a subscription could not do, by DID; `slice` by them. */
export async function* listMatchFailures(
  table: Table,
  id: string,
  { after, pageSize }: Slice<DidKey> = {},
): AsyncGenerator<MatchFailure> {
  const start = after === undefined ? undefined : subscriptionKeys.failure(id, after).SK;
  for await (const item of table.query({ pk: subscriptionKeys.failures(id), after: start, pageSize })) {
    yield fromItem(item);
  }
}

/** The write that keeps a failure, in place of the former one of its DID. */
export function putMatchFailure(id: string, failure: MatchFailure, former: MatchFailure | undefined): Insert | Change {
  const { did, ...set } = failure;
  const key = subscriptionKeys.failure(id, did);
  const onRace = () => new LostRace('the failure of a subscription was written meanwhile');
  if (former === undefined) return { kind: 'insert', item: { ...key, ...set }, onExists: onRace };
  return {
    kind: 'change',
    key,
    patch: { set, ...(set.templates ? {} : { remove: ['templates'] }) },
    onMismatch: onRace,
  };
}

/** The write that forgets a failure: the rules are there now. */
export function deleteMatchFailure(id: string, { did }: MatchFailure): Change {
  const onMismatch = () => new LostRace('the failure of a subscription was written meanwhile');
  return { kind: 'change', key: subscriptionKeys.failure(id, did), patch: { delete: true }, onMismatch };
}

function fromItem(item: Item): MatchFailure {
  const { PK, SK, batch: _batch, gone: _gone, ...attributes } = item;
  return { ...attributes, did: failedDidOf({ PK, SK }) } as unknown as MatchFailure;
}
