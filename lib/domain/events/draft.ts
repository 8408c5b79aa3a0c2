import type { DidKey } from '../../contract/schemas/did.ts';
import type { CatalogueEvent, EventType } from '../../contract/schemas/event.ts';
import { formatDid } from '../values/format-did.ts';

/** What an event says, before it has an envelope. */
export interface EventDraft {
  readonly type: EventType;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** What tells it from the others of its change, where those are not the same whenever they are looked up. */
  readonly key?: string;
}

/** An event about a DID, or about what hangs on it; its data begins with scope and name. */
export function aboutDid(
  type: EventType,
  { scope, name }: DidKey,
  data: EventDraft['data'] = {},
  key?: string,
): EventDraft {
  const draft = { type, subject: formatDid({ scope, name }), data: { scope, name, ...data } };
  return key === undefined ? draft : { ...draft, key };
}

/** The record of the stream that an event follows from. */
interface Origin {
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/**
 * Puts the events of a change into their envelopes. Their ids follow from the record of the stream and their places, so
 * that an event that is made again has the id that it had.
 */
export function toEvents({ id, at }: Origin, drafts: readonly EventDraft[]): CatalogueEvent[] {
  return drafts.map(({ type, subject, data, key }, index) => ({
    specversion: '1.0',
    id: `${id}.${key ?? index}`,
    source: '/dapple',
    type,
    subject,
    time: new Date(at).toISOString(),
    datacontenttype: 'application/json',
    data,
  }));
}

/** A time in milliseconds as Rucio's messages say it, `2026-11-21 12:21:38.123000`; null where there is none. */
export function messageDate(ms: number | null | undefined): string | null {
  if (ms === null || ms === undefined) return null;
  const [date, time = ''] = new Date(ms).toISOString().replace('Z', '').split('T');
  return `${date} ${time.endsWith('.000') ? time.slice(0, -4) : `${time}000`}`;
}
