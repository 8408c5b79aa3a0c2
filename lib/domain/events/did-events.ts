import { isDeepStrictEqual } from 'node:util';

import type { EventType } from '../../contract/schemas/event.ts';
import { asCollection, asFile, type Did, type FileDid } from '../../store/entities/did.ts';
import type { ChangeOf } from '../../store/stream/change.ts';
import { metadataColumns } from '../values/metadata-columns.ts';
import { draftDidEvent, type EventDraft, formatMessageDate } from './draft-event.ts';
import type { EventFacts } from './event-facts.ts';
import { eventsOfReplicas } from './replica-events.ts';

const creations: Readonly<Record<Did['type'], EventType>> = {
  FILE: 'CREATE_FILE',
  DATASET: 'CREATE_DTS',
  CONTAINER: 'CREATE_CNT',
};

/**
 * Events of a DID and of the replicas of a file. The size of a dataset makes no event: it follows from the events of its
 * attachments. The size of a container does, since it is counted when the container is closed (spec/dids.md 2.4).
 */
export function eventsOfDid({ before, after }: ChangeOf<'did'>, facts: EventFacts): EventDraft[] {
  const replicas = eventsOfReplicas(asFile(before), asFile(after), facts);
  if (after === undefined) {
    return before === undefined ? [] : [...replicas, draftDidEvent('ERASE', before, { account: before.account })];
  }
  const created = before === undefined ? [creation(after)] : [];
  return [...created, ...eventsOfMetadata(before, after), ...eventsOfStatus(before, after), ...replicas];
}

function creation(did: Did): EventDraft {
  const about = { account: did.account, expired_at: formatMessageDate(did.expiredAt) };
  return draftDidEvent(creations[did.type], did, did.type === 'FILE' ? { ...about, ...contentOf(did) } : about);
}

function contentOf({ bytes, adler32, md5, guid }: FileDid) {
  return { bytes: bytes ?? null, adler32: adler32 ?? null, md5: md5 ?? null, guid: guid ?? null };
}

function eventsOfStatus(before: Did | undefined, after: Did): EventDraft[] {
  if (after.type === 'FILE') return [];
  const [was, is] = [asCollection(before)?.open ?? true, after.open ?? false];
  if (was === is) return [];
  const { bytes = null, length = null, events = null, eventsCounted } = after;
  return is
    ? [draftDidEvent('OPEN', after)]
    : [draftDidEvent('CLOSE', after, { bytes, length, events: eventsCounted === true ? events : null })];
}

function eventsOfMetadata(before: Did | undefined, after: Did): EventDraft[] {
  const present = metadataOf(after);
  const old = before === undefined ? metadataInCreation(after, present) : metadataOf(before);
  // The time of closing is the time of the CLOSE event.
  if (asCollection(before)?.open !== asCollection(after)?.open)
    for (const metadata of [old, present]) metadata.delete('closed_at');
  const set = [...present].filter(([key, value]) => !isSame(value, old.get(key)));
  const removed = [...old.keys()].filter((key) => !present.has(key));
  return [
    ...(set.length === 0 ? [] : [draftDidEvent('SET_METADATA', after, { meta: Object.fromEntries(set) })]),
    ...(removed.length === 0 ? [] : [draftDidEvent('DELETE_METADATA', after, { keys: removed })]),
  ];
}

/** Most values are simple, and the same. */
const isSame = (one: unknown, other: unknown) => one === other || isDeepStrictEqual(one, other);

const creationKeys = new Set(['account', 'expired_at', 'bytes', 'adler32', 'md5', 'guid']);

function metadataInCreation({ type }: Did, metadata: ReadonlyMap<string, unknown>): Map<string, unknown> {
  const said = [...metadata].filter(([key]) => creationKeys.has(key));
  return new Map<string, unknown>(type === 'CONTAINER' ? [...said, ['bytes', 0], ['length', 0]] : said);
}

/** The metadata of a DID that was set, by key. */
function metadataOf(did: Did): Map<string, unknown> {
  const [file, collection] = [asFile(did), asCollection(did)];
  const container = did.type === 'CONTAINER' ? did : undefined;
  const metadata = new Map<string, unknown>();
  const set = (key: string, value: unknown) => {
    if (value !== undefined) metadata.set(key, value);
  };
  set('account', did.account);
  set('monotonic', collection?.monotonic === true ? true : undefined);
  set('expired_at', formatMessageDate(did.expiredAt) ?? undefined);
  set('closed_at', formatMessageDate(did.closedAt) ?? undefined);
  set('bytes', (file ?? container)?.bytes);
  set('length', container?.length);
  set('events', file?.events);
  set('adler32', file?.adler32);
  set('md5', file?.md5);
  set('guid', file?.guid);
  set('availability', file?.availability);
  set('is_archive', did.isArchive);
  set('constituent', did.constituent);
  for (const [key, value] of Object.entries(did.columns)) set(key, isDate(key) ? dateOf(value) : value);
  for (const [key, value] of Object.entries(did.meta)) set(key, value);
  return metadata;
}

const isDate = (key: string) => Object.hasOwn(metadataColumns, key) && metadataColumns[key]?.kind === 'date';
const dateOf = (value: unknown) => (value === null ? null : formatMessageDate(Number(value)));
