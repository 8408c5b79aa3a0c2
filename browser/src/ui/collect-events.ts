import type { CatalogueEvent } from '../api/events.ts';

/** Events of one type in one scope that came shortly after one another. */
export interface Repeated {
  /** The id of the first one, which stays. */
  readonly firstId: string;
  readonly latest: CatalogueEvent;
  readonly count: number;
}

/** Rows kept; older ones are dropped. */
const maxRows = 200;
/** Rows among which a repetition is looked for: what makes events in turns, such as a file and its replica, is folded too. */
const nearRows = 8;
/** Ids kept to tell events that are delivered twice. */
const maxIds = 10_000;
const showMs = 250;

/**
 * Collects events and shows them, the newest first, at most four times a second however many come. An event of the type and
 * the scope of a row shortly before it raises the count of that row.
 */
export function collectEvents(show: (rows: readonly Repeated[]) => void): {
  readonly add: (events: readonly CatalogueEvent[]) => void;
  readonly stop: () => void;
} {
  const seen = new Set<string>();
  let rows: Repeated[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const addOne = (event: CatalogueEvent) => {
    // Events may be delivered twice; the id of the envelope tells.
    if (seen.has(event.id)) return;
    seen.add(event.id);
    if (seen.size > maxIds) seen.delete(seen.values().next().value ?? '');
    const kind = kindOf(event);
    const near = rows.slice(-nearRows).findLastIndex(({ latest }) => kindOf(latest) === kind);
    const same = near + Math.max(rows.length - nearRows, 0);
    const before = near < 0 ? undefined : rows[same];
    if (before === undefined) rows.push({ firstId: event.id, latest: event, count: 1 });
    else {
      rows.splice(same, 1);
      rows.push({ ...before, latest: event, count: before.count + 1 });
    }
  };
  return {
    add: (events) => {
      for (const event of events) addOne(event);
      if (rows.length > maxRows) rows = rows.slice(-maxRows);
      timer ??= setTimeout(() => {
        timer = undefined;
        show(rows.toReversed());
      }, showMs);
    },
    stop: () => clearTimeout(timer),
  };
}

/** What is folded: the same kind of change, in the same scope. */
const kindOf = ({ type, subject }: CatalogueEvent) => `${type} ${subject.split(':', 1)[0]}`;
