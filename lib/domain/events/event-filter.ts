import type { CatalogueEvent, EventLine, EventQuery } from '../../contract/schemas/event.ts';
import { parseNamed } from '../../json-names.ts';
import type { EventPlace } from '../../store/entities/event-place.ts';
import type { LoggedEvent } from '../../store/entities/event.ts';

/** Selects the events of the log that a reader asks for. */
export class EventFilter {
  readonly #types: ReadonlySet<string>;
  readonly #scope: string | undefined;
  readonly #subject: string;

  constructor({ type, scope, subject = '' }: Pick<EventQuery, 'type' | 'scope' | 'subject'>) {
    this.#types = new Set(type);
    this.#scope = scope;
    this.#subject = subject;
  }

  /** The line of an event as a reader gets it; undefined when it is filtered out. */
  lineOf({ place, text }: LoggedEvent): EventLine | undefined {
    // Only names are read here; readers get the text itself, with its exact numbers.
    const { type, subject, data } = parseNamed(text) as CatalogueEvent;
    if (this.#types.size > 0 && !this.#types.has(type)) return undefined;
    if (this.#scope !== undefined && data['scope'] !== this.#scope) return undefined;
    return subject.startsWith(this.#subject) ? { place: formatPlace(place), type, text } : undefined;
  }
}

/** A position in the log as readers see it. */
export function formatPlace({ at, index, lane = 0, lanes }: EventPlace): string {
  const base = `${at}.${index}`;
  return lanes === undefined ? base : `${base}.${lane}.${lanes.map((time) => time.toString(36)).join('-')}`;
}

/** Parses a position in the log; undefined when it is malformed. */
export function parsePlace(text: string): EventPlace | undefined {
  // MAX_SAFE_INTEGER as the index means after every event of that millisecond.
  const [, at, index, lane, lanes] =
    /^(\d{1,15})\.(\d{1,16})(?:\.(\d{1,2})\.([0-9a-z]{1,9}(?:-[0-9a-z]{1,9}){0,63}))?$/.exec(text) ?? [];
  if (at === undefined || index === undefined || !Number.isSafeInteger(Number(index))) return undefined;
  const place = { at: Number(at), index: Number(index) };
  if (lane === undefined || lanes === undefined) return place;
  const times = lanes.split('-').map((time) => Number.parseInt(time, 36));
  return Number(lane) < times.length ? { ...place, lane: Number(lane), lanes: times } : undefined;
}
