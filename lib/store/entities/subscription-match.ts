import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { attributesReader, isNumber, listOf, isText, optional } from '../items/read-attributes.ts';
import { failedDidOf, subscriptionKeys } from '../keys/subscription-keys.ts';
import { isDidType } from './did-type.ts';

/** How long the record of a match is kept: the stream delivers nothing that is older than a day. */
const matchLifetimeMs = 3 * 86_400_000;

/** A DID, and since when it is new, in milliseconds since 1970. */
export interface NewDidKey extends DidKey {
  readonly since: number;
}

/** The write that records that a DID was matched against a subscription; it makes the match idempotent. */
export function insertMatch(subscriptionId: string, did: NewDidKey, now: number, onExists: () => Error): Insert {
  const key = subscriptionKeys.matched(subscriptionId, did, did.since);
  return { kind: 'insert', item: { ...key, ttl: Math.ceil((now + matchLifetimeMs) / 1000) }, onExists };
}

/** The write that deletes the record of a match, so that the DID can match again; undefined if there is none. */
export async function planForgettingMatch(table: Table, id: string, did: NewDidKey): Promise<Change | undefined> {
  const key = subscriptionKeys.matched(id, did, did.since);
  if ((await table.get(key)) === undefined) return undefined;
  return {
    kind: 'change',
    key,
    patch: { delete: true },
    onMismatch: () => new LostRace('the match was deleted concurrently'),
  };
}

/** A DID for which a subscription failed to create its rules, after all retries; dates in milliseconds since 1970. */
export interface MatchFailure {
  readonly did: DidKey;
  readonly didType: DidType;
  /** The missing rules, by the positions of their templates; absent: all. */
  readonly templates?: readonly number[];
  /** Rucio's class and message. */
  readonly exception: string;
  readonly message: string;
  readonly attempts: number;
  readonly failedAt: number;
}

/** The failure of a subscription for a DID. */
export async function getMatchFailure(table: Table, id: string, did: DidKey): Promise<MatchFailure | undefined> {
  const item = await table.get(subscriptionKeys.failure(id, did));
  return item === undefined ? undefined : fromItem(item);
}

/** The failures of a subscription, by DID; `slice` by them. */
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

/** The write that inserts a failure, or replaces the former one of its DID. */
export function putMatchFailure(id: string, failure: MatchFailure, former: MatchFailure | undefined): Insert | Change {
  const { did, ...set } = failure;
  const key = subscriptionKeys.failure(id, did);
  const makeRaceError = () => new LostRace('the failure of a subscription was written concurrently');
  if (former === undefined) return { kind: 'insert', item: { ...key, ...set }, onExists: makeRaceError };
  return {
    kind: 'change',
    key,
    patch: { set, ...(set.templates ? {} : { remove: ['templates'] }) },
    onMismatch: makeRaceError,
  };
}

/** The write that deletes a failure after its rules were created. */
export function deleteMatchFailure(id: string, { did }: MatchFailure): Change {
  const onMismatch = () => new LostRace('the failure of a subscription was written concurrently');
  return { kind: 'change', key: subscriptionKeys.failure(id, did), patch: { delete: true }, onMismatch };
}

const readFailure = attributesReader<Omit<MatchFailure, 'did'>>({
  didType: isDidType,
  templates: optional(listOf(isNumber)),
  exception: isText,
  message: isText,
  attempts: isNumber,
  failedAt: isNumber,
});

function fromItem(item: Item): MatchFailure {
  return { ...readFailure(item), did: failedDidOf(item) };
}
