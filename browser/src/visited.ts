import { session } from './api/session.ts';

/** A place that the reader was at, or a search. */
export interface Visit {
  readonly label: string;
  readonly url: string;
}

const maxVisits = 12;

/** Lists in the storage of this browser, for each account apart. */
type Kind = 'places' | 'searches';
const keyOf = (kind: Kind) => `dapple-${kind}-${session()?.account ?? ''}`;

/** The last places or searches of the reader, the latest first. */
export function listVisits(kind: Kind): readonly Visit[] {
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(kind)) ?? '[]') as unknown;
    return Array.isArray(stored) ? stored.filter(isVisit) : [];
  } catch {
    return [];
  }
}

/** Stores a place or a search. */
export function rememberVisit(kind: Kind, visit: Visit): void {
  const others = listVisits(kind).filter(({ label }) => label !== visit.label);
  try {
    localStorage.setItem(keyOf(kind), JSON.stringify([visit, ...others].slice(0, maxVisits)));
  } catch {
    // A full or forbidden storage: nothing is stored.
  }
}

/** Forgets all places or searches. */
export function forgetVisits(kind: Kind): void {
  localStorage.removeItem(keyOf(kind));
}

/** Addresses of other pages are none: what is stored becomes a link. */
function isVisit(entry: unknown): entry is Visit {
  if (typeof entry !== 'object' || entry === null) return false;
  const { label, url } = entry as Partial<Record<keyof Visit, unknown>>;
  return typeof label === 'string' && typeof url === 'string' && url.startsWith('#/');
}
