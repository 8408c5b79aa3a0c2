import { latestEffectMs } from '../batches/commit.ts';

/*
 * Positions in the log of events. It has one lane, or several under load: entries of different lanes are read in the order of their
 * times, but one may come after later ones of other lanes were read. So a position is one in each lane.
 */

/** A position in the log: after the event of an index in the entry of a time in milliseconds. */
export interface EventPlace {
  readonly at: number;
  /** -1: before the first. */
  readonly index: number;
  /** The lane of the entry; absent: the first one. */
  readonly lane?: number;
  /** The time up to which each lane was read, by its number; absent: of the first lane `at`, of others not known. */
  readonly lanes?: readonly number[];
}

/** A position in one lane. */
export interface LanePlace {
  readonly at: number;
  readonly index: number;
}

/** The index after every event of an entry. */
export const wholeEntry = Number.MAX_SAFE_INTEGER;

/** The end of a log by the last entries of its lanes, up to a time. */
export function endOf(times: ReadonlyMap<number, number>, until: number): EventPlace {
  const count = Math.max(...times.keys()) + 1;
  const lanes = Array.from({ length: count }, (_none, lane) => Math.min(until, times.get(lane) ?? 0));
  return { at: until, index: wholeEntry, lanes };
}

/** The numbers of the lanes that a position knows. */
export function lanesOf({ lanes = [0] }: EventPlace): number[] {
  return lanes.map((_time, lane) => lane);
}

/** The time up to which a position has read a lane that it knows. */
export function timeIn({ at, lanes }: EventPlace, lane: number): number {
  return lanes?.[lane] ?? at;
}

/** Where reading a lane begins after a position. */
export function startIn({ at, index, lane: own = 0, lanes }: EventPlace, lane: number): LanePlace {
  if (index === -1) return { at, index };
  if (index !== wholeEntry && lane === own) return { at, index };
  const known = (lanes === undefined && lane === 0 ? at : lanes?.[lane]) ?? 0;
  // Nothing is appended later with an earlier time: a plan that takes effect after the position was reached began not longer ago.
  const earliest = at - latestEffectMs;
  return known < earliest ? { at: earliest, index: -1 } : { at: known, index: wholeEntry };
}

/** Whether something may be between two positions. */
export function isBefore(place: EventPlace, end: EventPlace): boolean {
  return lanesOf(end).some((lane) => {
    const { at, index } = startIn(place, lane);
    const until = timeIn(end, lane);
    return at < until || (at === until && index < wholeEntry);
  });
}
