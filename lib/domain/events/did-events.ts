import { isDeepStrictEqual } from 'node:util';

import type { EventType } from '../../contract/schemas/event.ts';
import type { Did } from '../../store/entities/did.ts';
import type { ChangeOf } from '../../store/stream/change.ts';
import { columns } from '../values/did-columns.ts';
import { aboutDid, type EventDraft, messageDate } from './draft.ts';
import type { Facts } from './facts.ts';
import { eventsOfReplicas } from './replica-events.ts';

const creations: Readonly<Record<Did['type'], EventType>> = {
  FILE: 'CREATE_FILE',
  DATASET: 'CREATE_DTS',
  CONTAINER: 'CREATE_CNT',
};

/**
 * What happened to a DID itself and to the replicas of a file. The size of a dataset is no event: it follows from what is
 * attached to it. That of a container does not, since closing it counts all below (spec/dids.md 2.4).
 */
export function eventsOfDid({ before, after }: ChangeOf<'did'>, facts: Facts): EventDraft[] {
  const replicas = eventsOfReplicas(before, after, facts);
  if (after === undefined) {
    return before === undefined ? [] : [...replicas, aboutDid('ERASE', before, { account: before.account })];
  }
  const created = before === undefined ? [creation(after)] : [];
  return [...created, ...eventsOfMetadata(before, after), ...eventsOfStatus(before, after), ...replicas];
}

function creation(did: Did): EventDraft {
  const { account, type, bytes, adler32 = null, md5 = null, guid = null } = did;
  const file = type === 'FILE' ? { bytes: bytes ?? null, adler32, md5, guid } : {};
  return aboutDid(creations[type], did, { account, expired_at: messageDate(did.expiredAt), ...file });
}

function eventsOfStatus(before: Did | undefined, after: Did): EventDraft[] {
  const [was, is] = [before?.open ?? after.type !== 'FILE', after.open ?? false];
  if (after.type === 'FILE' || was === is) return [];
  const { bytes = null, length = null, events = null, eventsCounted } = after;
  return is
    ? [aboutDid('OPEN', after)]
    : [aboutDid('CLOSE', after, { bytes, length, events: eventsCounted === true ? events : null })];
}

function eventsOfMetadata(before: Did | undefined, after: Did): EventDraft[] {
  const present = metadataOf(after);
  const old = before === undefined ? saidByCreation(after, present) : metadataOf(before);
  // That time is the one of the event that says so.
  if (before?.open !== after.open) for (const metadata of [old, present]) metadata.delete('closed_at');
  const set = [...present].filter(([key, value]) => !isDeepStrictEqual(value, old.get(key)));
  const gone = [...old.keys()].filter((key) => !present.has(key));
  return [
    ...(set.length === 0 ? [] : [aboutDid('SET_METADATA', after, { meta: Object.fromEntries(set) })]),
    ...(gone.length === 0 ? [] : [aboutDid('DELETE_METADATA', after, { keys: gone })]),
  ];
}

const creationKeys = new Set(['account', 'expired_at', 'bytes', 'adler32', 'md5', 'guid']);

function saidByCreation({ type }: Did, metadata: ReadonlyMap<string, unknown>): Map<string, unknown> {
  const said = [...metadata].filter(([key]) => creationKeys.has(key));
  return new Map<string, unknown>(type === 'CONTAINER' ? [...said, ['bytes', 0], ['length', 0]] : said);
}

/** Everything that was said about a DID, by the keys of its metadata; what nobody has said is missing. */
function metadataOf(did: Did): Map<string, unknown> {
  const [isFile, isContainer] = [did.type === 'FILE', did.type === 'CONTAINER'];
  const own = {
    account: did.account,
    monotonic: did.monotonic === true ? true : undefined,
    expired_at: messageDate(did.expiredAt) ?? undefined,
    closed_at: messageDate(did.closedAt) ?? undefined,
    bytes: isFile || isContainer ? did.bytes : undefined,
    length: isContainer ? did.length : undefined,
    events: isFile ? did.events : undefined,
    adler32: did.adler32,
    md5: did.md5,
    guid: did.guid,
    availability: did.availability,
    is_archive: did.isArchive,
    constituent: did.constituent,
  };
  const dates = Object.entries(did.columns).map(([key, value]) => [key, isDate(key) ? dateOf(value) : value] as const);
  const all = [...Object.entries(own), ...dates, ...Object.entries(did.meta)];
  return new Map(all.filter(([, value]) => value !== undefined));
}

const isDate = (key: string) => Object.hasOwn(columns, key) && columns[key]?.kind === 'date';
const dateOf = (value: unknown) => (value === null ? null : messageDate(Number(value)));
