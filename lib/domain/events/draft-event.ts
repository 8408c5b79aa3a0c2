import type { DidKey } from '../../contract/schemas/did.ts';
import type { CatalogueEvent, EventType } from '../../contract/schemas/event.ts';
import { formatDid } from '../values/format-did.ts';

/** The content of an event, without its envelope. */
export interface EventDraft {
  readonly type: EventType;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  /**
   * Identifies the event among those of its change. Absent: its position does, as the events of the change are always
   * the same.
   */
  readonly key?: string;
}

/** An event about a DID or something that belongs to it; its data begins with scope and name. */
export function draftDidEvent(
  type: EventType,
  { scope, name }: DidKey,
  data: EventDraft['data'] = {},
  key?: string,
): EventDraft {
  const draft = { type, subject: formatDid({ scope, name }), data: { scope, name, ...data } };
  return key === undefined ? draft : { ...draft, key };
}

/** The stream record that causes an event. */
interface Origin {
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/**
 * Puts the events of a change into their envelopes. An id is made of the stream record and the position, so a repeated
 * event has the same id.
 */
export function toEvents({ id, at }: Origin, drafts: readonly EventDraft[]): CatalogueEvent[] {
  if (drafts.length === 0) return [];
  const time = new Date(at).toISOString();
  return drafts.map(({ type, subject, data, key }, index) => ({
    specversion: '1.0',
    id: `${id}.${key ?? index}`,
    source: '/dapple',
    type,
    subject,
    time,
    datacontenttype: 'application/json',
    data,
  }));
}

/** A time as Rucio's messages write it, `2026-11-21 12:21:38.123000`; null where there is none. */
export function formatMessageDate(ms: number | null | undefined): string | null {
  if (ms === null || ms === undefined) return null;
  const [date, time = ''] = new Date(ms).toISOString().replace('Z', '').split('T');
  return `${date} ${time.endsWith('.000') ? time.slice(0, -4) : `${time}000`}`;
}
