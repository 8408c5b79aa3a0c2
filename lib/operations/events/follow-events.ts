import { setTimeout as sleep } from 'node:timers/promises';

import type { EventMessage, EventWish } from '../../contract/schemas/event.ts';
import { readOption } from '../../domain/config/options.ts';
import { EventFilter, formatPlace, parsePlace } from '../../domain/events/event-filter.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { endOfEvents, type EventPlace, listEvents } from '../../store/entities/event.ts';

/** Milliseconds between two looks at the log, right after there was something and while nothing happens. */
const [shortestPause, longestPause] = [250, 1_000];

/** Milliseconds before the time of the answer is over in which it ends. */
const margin = 5_000;

/** Milliseconds by which the clock of a writer may be behind ours. */
const skew = 60_000;

/** What a reader wants, and from when to when. */
export interface Following {
  readonly wish: EventWish;
  /** The place of the last event that the reader has seen. */
  readonly lastEventId: string | undefined;
  /** When the answer has to be over, in milliseconds since 1970; undefined: nobody waits for more than there is. */
  readonly deadline: number | undefined;
}

/**
 * The events of the catalogue as they are announced, those together that were announced together; an empty list after each
 * look at the log that has found nothing. The place to go on from is told at the start and after each look that has found
 * something, wanted or not: who was told of no event loses none either. Ends in good time: whoever wants more asks again.
 *
 * Costs a read of one unit a second, and what lies in the log since the last one.
 *
 * @throws ValueError (400) when `lastEventId` is no place, or one whose events are not kept any more.
 */
export async function followEvents(
  { store: { table }, now }: Context,
  { wish, lastEventId, deadline }: Following,
): Promise<AsyncGenerator<EventMessage[]>> {
  const kept = (await readOption(table, 'events', 'kept_hours')) * 3_600_000;
  const start = await startOf(table, { wish, lastEventId, oldest: now - kept, newest: now - skew });
  const end = wish.follow && deadline !== undefined ? deadline - margin : undefined;
  return follow(table, new EventFilter(wish), start, end);
}

interface Start {
  readonly wish: EventWish;
  readonly lastEventId: string | undefined;
  readonly oldest: number;
  /** Where the log begins while nothing is in it. */
  readonly newest: number;
}

/** Behind which place a reader begins. */
async function startOf(table: Table, { wish, lastEventId, oldest, newest }: Start): Promise<EventPlace> {
  const isNew = lastEventId === undefined || lastEventId === '';
  if (isNew && wish.since !== undefined) return { at: Math.max(wish.since, oldest), index: -1 };
  const end = await endOfEvents(table);
  // A place all the same: a reader whose answer ends before the first event goes on from there, and misses none.
  if (isNew) return end ?? { at: newest, index: 0 };
  const place = parsePlace(lastEventId);
  // One that is yet to come was given before the table was set back to an earlier time.
  if (place === undefined || place.at > (end?.at ?? newest + skew))
    return fail('ValueError', `'${lastEventId}' is no id of an event`);
  return place.at < oldest ? fail('ValueError', `The events after ${lastEventId} are not kept any more`) : place;
}

const isBefore = (a: EventPlace, b: EventPlace) => a.at < b.at || (a.at === b.at && a.index < b.index);

async function* follow(
  table: Table,
  filter: EventFilter,
  start: EventPlace,
  until: number | undefined,
): AsyncGenerator<EventMessage[]> {
  let place = start;
  if (start.index >= 0) yield [{ place: formatPlace(start) }];
  for (let pause = shortestPause; ; pause = Math.min(2 * pause, longestPause)) {
    const end = await endOfEvents(table);
    if (end !== undefined && isBefore(place, end)) {
      for await (const events of listEvents(table, place, end)) {
        const lines = events.flatMap((event) => filter.lineOf(event) ?? []);
        if (lines.length > 0) yield lines;
      }
      place = end;
      yield [{ place: formatPlace(end) }];
      pause = shortestPause;
    }
    if (until === undefined || Date.now() + pause > until) return;
    yield [];
    await sleep(pause);
  }
}
