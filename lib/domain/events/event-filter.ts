import type { CatalogueEvent, EventLine, EventWish } from '../../contract/schemas/event.ts';
import type { EventPlace, LoggedEvent } from '../../store/entities/event.ts';

/** Says which of the events in the log somebody wants. */
export class EventFilter {
  readonly #types: ReadonlySet<string>;
  readonly #scope: string | undefined;
  readonly #subject: string;

  constructor({ type, scope, subject = '' }: Pick<EventWish, 'type' | 'scope' | 'subject'>) {
    this.#types = new Set(type);
    this.#scope = scope;
    this.#subject = subject;
  }

  /** The line of an event as it goes to a reader; undefined for one that is not wanted. */
  lineOf({ place, text }: LoggedEvent): EventLine | undefined {
    // What counts here are names; the exact numbers go on as they stand in the text.
    const { type, subject, data } = JSON.parse(text) as CatalogueEvent;
    if (this.#types.size > 0 && !this.#types.has(type)) return undefined;
    if (this.#scope !== undefined && data['scope'] !== this.#scope) return undefined;
    return subject.startsWith(this.#subject) ? { place: formatPlace(place), type, text } : undefined;
  }
}

/** A place in the log as readers see it. */
export function formatPlace({ at, index }: EventPlace): string {
  return `${at}.${index}`;
}

/** Reads a place; undefined when it is none. */
export function parsePlace(text: string): EventPlace | undefined {
  // The last place of a millisecond, behind whatever came in it, is the largest number that is exact.
  const [, at, index] = /^(\d{1,15})\.(\d{1,16})$/.exec(text) ?? [];
  return at === undefined || index === undefined || !Number.isSafeInteger(Number(index))
    ? undefined
    : { at: Number(at), index: Number(index) };
}
