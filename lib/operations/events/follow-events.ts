import { setTimeout as sleep } from 'node:timers/promises';

import { clock } from '../../clock.ts';
import type { EventMessage, EventQuery } from '../../contract/schemas/event.ts';
import { readOption } from '../../domain/config/read-option.ts';
import { EventFilter, formatPlace, parsePlace } from '../../domain/events/event-filter.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { type EventPlace, isBefore } from '../../store/entities/event-place.ts';
import { endOfEvents, listEvents } from '../../store/entities/event.ts';
import { admitReader } from './admit-reader.ts';
import { callAtEnd, countStream, type Leavable } from './bound-streams.ts';

/** Bounds of the interval at which the log is polled: it starts at the minimum after each event and doubles. */
const [minPauseMs, maxPauseMs] = [250, 1_000];

/** The answer ends this long before its deadline. */
const deadlineMarginMs = 5_000;

/** The clock of a writer may be this far behind ours. */
const maxClockSkewMs = 60_000;

/** The events that a reader asks for, and from when to when. */
export interface Following {
  readonly wish: EventQuery;
  /** The position of the last event that the reader has seen. */
  readonly lastEventId: string | undefined;
  /** When the answer must end, in milliseconds since 1970; undefined: at the end of the log. */
  readonly deadline: number | undefined;
}

/**
 * The events of the catalogue, batch by batch as they were appended to the log, and an empty list after each poll without
 * events. The position to continue from is sent at the start and after each poll with events, also if all were filtered
 * out, so that a reader loses none. Ends before the deadline; the reader then sends the next request.
 *
 * Costs one read of one unit per second, and the reads of new events.
 *
 * @throws ValueError (400) when `lastEventId` is malformed, or its events have expired; ResourceTemporaryUnavailable (429) when
 *   the account has too many streams open, or all have.
 */
export async function followEvents(context: Context, following: Following): Promise<Leavable<EventMessage[]>> {
  const end = countStream(context.issuer.account);
  try {
    return callAtEnd(await open(context, following), end);
  } catch (error) {
    end();
    throw error;
  }
}

async function open(
  { store, issuer, now }: Context,
  { wish, lastEventId, deadline }: Following,
): Promise<AsyncGenerator<EventMessage[]>> {
  const { table } = store;
  const kept = (await readOption(table, 'events', 'kept_hours')) * 3_600_000;
  const start = await startOf(table, { wish, lastEventId, oldest: now - kept, newest: now - maxClockSkewMs });
  const end = wish.follow && deadline !== undefined ? deadline - deadlineMarginMs : undefined;
  if (end !== undefined) await admitReader(store, { account: issuer.account, now, end });
  return follow(table, new EventFilter(wish), start, end);
}

interface Start {
  readonly wish: EventQuery;
  readonly lastEventId: string | undefined;
  readonly oldest: number;
  /** The position of an empty log. */
  readonly newest: number;
}

/** The position after which a reader starts. */
async function startOf(table: Table, { wish, lastEventId, oldest, newest }: Start): Promise<EventPlace> {
  const isNew = lastEventId === undefined || lastEventId === '';
  if (isNew && wish.since !== undefined) return { at: Math.max(wish.since, oldest), index: -1 };
  const end = await endOfEvents(table);
  // An empty log has a position as well: a reader whose answer ends before the first event continues there.
  if (isNew) return end ?? { at: newest, index: 0 };
  const place = parsePlace(lastEventId);
  // A position in the future is from before the table was restored to an earlier time.
  if (place === undefined || place.at > (end?.at ?? newest + maxClockSkewMs))
    return fail('ValueError', `'${lastEventId}' is no id of an event`);
  return place.at < oldest ? fail('ValueError', `The events after ${lastEventId} are not kept any more`) : place;
}

async function* follow(
  table: Table,
  filter: EventFilter,
  start: EventPlace,
  until: number | undefined,
): AsyncGenerator<EventMessage[]> {
  let place = start;
  if (start.index >= 0) yield [{ place: formatPlace(start) }];
  for (let pause = minPauseMs; ; pause = Math.min(2 * pause, maxPauseMs)) {
    const end = await endOfEvents(table, place);
    if (end !== undefined && isBefore(place, end)) {
      for await (const events of listEvents(table, place, end)) {
        const lines = events.flatMap((event) => filter.lineOf(event) ?? []);
        if (lines.length > 0) yield lines;
      }
      place = end;
      yield [{ place: formatPlace(end) }];
      pause = minPauseMs;
    }
    if (until === undefined || clock.now() + pause > until) return;
    yield [];
    await sleep(pause);
  }
}
