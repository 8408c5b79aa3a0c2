import { parseNamed } from '../../lib/json-names.ts';
import { session } from './api/session.ts';

/** A place that the reader was at, or a search. */
export interface Visit {
  readonly label: string;
  readonly url: string;
}

const maxVisits = 12;
/** Searches that the reader has saved are kept longer. */
const maxSaved = 100;

/** Lists in the storage of this browser, for each account apart. */
type Kind = 'places' | 'searches' | 'saved';
const keyOf = (kind: Kind) => `dapple-${kind}-${session()?.account ?? ''}`;

/** The last places or searches of the reader, or the saved ones, the latest first. */
export function listVisits(kind: Kind): readonly Visit[] {
  try {
    const stored = parseNamed(localStorage.getItem(keyOf(kind)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isVisit) : [];
  } catch {
    return [];
  }
}

/** Stores a place or a search; false if the browser stores nothing. */
export function rememberVisit(kind: Kind, visit: Visit): boolean {
  const others = listVisits(kind).filter(({ label }) => label !== visit.label);
  return store(kind, [visit, ...others].slice(0, kind === 'saved' ? maxSaved : maxVisits));
}

/** Forgets one place or search. */
export function forgetVisit(kind: Kind, label: string): void {
  store(
    kind,
    listVisits(kind).filter((visit) => visit.label !== label),
  );
}

function store(kind: Kind, visits: readonly Visit[]): boolean {
  try {
    localStorage.setItem(keyOf(kind), JSON.stringify(visits));
    return true;
  } catch {
    // A full or forbidden storage.
    return false;
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
