import { uptime } from 'node:os';

/** The clocks of a machine, in milliseconds. */
export interface TimeSources {
  /** Since 1970. People and programs set it, also back, and it may stand still. */
  readonly wall: () => number;
  /** Since some time. Nobody sets it; it may stand still while the machine sleeps. */
  readonly steady: () => number;
  /** Since the machine was started, the time in which it slept included. */
  readonly uptime: () => number;
}

const machine: TimeSources = {
  wall: () => Date.now(),
  steady: () => performance.now(),
  uptime: () => uptime() * 1_000,
};

/**
 * While the wall clock is behind what was seen, time passes at this rate, so that the wall clock catches up. Deadlines that
 * are judged meanwhile are late, never early.
 */
const slowRate = 0.5;

/** How far ahead of a server's time, if one is known, a time may be and still be believed. */
const maxLeadMs = 600_000;

/** A server tells its time to the second. */
const secondMs = 1_000;

/** Systems tell how long they run to the second or to 10 ms, so it may seem to be up to this much longer. */
const uptimeResolutionMs = 1_000;

/** From this difference on, in milliseconds, the wall clock has stood still or was set back: the steady clock is never fast. */
const standstillMs = 2;

/** A present moment, whose time a later correction of the clock changes. */
export interface Moment {
  /** By the wall clock. */
  readonly wall: number;
  /** By the clocks that nobody sets, if a server told the time before. */
  readonly free?: FreeTime;
  /** By the hybrid clock, if that was ahead of the wall clock; else the latest time that was observed. The moment is not before it. */
  readonly time?: number;
}

/** Readings of the clocks that nobody can set. */
export interface FreeTime {
  readonly steady: number;
  readonly uptime: number;
}

/** The wall clock as a server has corrected it, and the other clocks then. */
interface Comparison {
  readonly time: number;
  readonly free: FreeTime;
}

/** A moment that never passes. */
export const endOfTime: Moment = { wall: Infinity, time: Infinity };

/** Measures a duration. */
export interface Stopwatch {
  /**
   * Milliseconds since it was started, by the clock that ran furthest: the time in which the machine slept counts, and whether
   * somebody set the wall clock back does not.
   */
  elapsed(): number;
}

/**
 * A hybrid logical clock: the wall clock, which never goes below a time that it has shown or that was {@link observe observed},
 * such as the time of a commit. So what follows from a commit is never dated before it, whatever happens to the wall clock.
 *
 * All instants that the catalogue stores, or compares with stored ones, are of this clock. Instants that others outside of the
 * catalogue judge, such as the dates of signatures, are of the wall clock. Durations are of a {@link Stopwatch}, or of this clock
 * where it does no harm that they last longer after the wall clock was set back.
 */
export class HybridClock {
  readonly #sources: TimeSources;
  /** The latest time that was shown or observed. */
  #time = Number.NEGATIVE_INFINITY;
  /** The latest time that was observed. */
  #seen = Number.NEGATIVE_INFINITY;
  /** While the wall clock is behind: since when, by the steady clock, and from which time on the clock runs by itself. */
  #anchor: { readonly time: number; readonly steady: number } | undefined;
  /** Correction of the wall clock, by the time of a server. */
  #correction = 0;
  /** At an answer of a server since which nobody seems to have set the wall clock back. */
  #compared: Comparison | undefined;

  constructor(sources: TimeSources = machine) {
    this.#sources = sources;
  }

  /** The time in milliseconds since 1970; never less than before, unless a server has just corrected the clock. */
  now(): number {
    const wall = this.#sources.wall() + this.#correction;
    const own = wall >= this.#time && this.#anchor === undefined ? wall : this.#runSlowly();
    if (wall >= own) this.#anchor = undefined;
    this.#time = Math.max(wall, own);
    return this.#time;
  }

  /**
   * Takes note of a time that another process, or an earlier life of this one, has issued: `now` never goes below it. A time
   * that is far ahead of what a server says is a mistake, and is not followed.
   *
   * @returns Whether the clock follows it.
   */
  observe(time: number): boolean {
    if (time <= this.now()) {
      this.#seen = Math.max(this.#seen, time);
      return true;
    }
    if (!Number.isFinite(time)) return false;
    if (this.#compared !== undefined && time > this.#sources.wall() + this.#correction + maxLeadMs) return false;
    this.#anchor = undefined;
    this.#time = time;
    this.#seen = time;
    return true;
  }

  /**
   * Compares the wall clock with the time of a server, which it told to the second in an answer, and corrects what is certainly
   * wrong: so the clocks of all processes that ask this server differ by little more than a second. A clock that was ahead goes
   * back, but not below what was observed. If somebody has set the wall clock since an earlier answer, or it has stood still, the
   * steady clock tells how far, as long as the server agrees.
   *
   * @param server In milliseconds since 1970, cut off to the second.
   * @param sent When the request was sent.
   */
  compare(server: number, sent: FreeTime): void {
    const [received, free] = [this.#sources.wall(), this.freeTime()];
    if (!Number.isFinite(server)) return;
    const [least, most] = [server - received, server + secondMs - received + durationOf(sent, free)];
    const former = this.#correction;
    const kept = this.#compared === undefined ? former : timeAt(free, this.#compared) - received;
    const isRight = former >= least && former <= most && kept <= former + standstillMs;
    this.#correction = isRight ? former : Math.round(Math.min(Math.max(kept, least), most));
    if (this.#compared === undefined || !isRight || kept <= former)
      this.#compared = { time: received + this.#correction, free };
    if (this.#correction >= former) return;
    this.#anchor = undefined;
    this.#time = Math.max(this.#seen, Math.min(this.#time, received + this.#correction));
  }

  /** How far the wall clock is behind this one, in milliseconds; negative if a server says that it is ahead. */
  get lead(): number {
    const lead = this.now() - this.#sources.wall();
    return lead > 0 ? lead : this.#correction;
  }

  /** Correction of the clock of the machine, in milliseconds, by the time of a server. */
  get correction(): number {
    return this.#correction;
  }

  /** The clock of the machine as it is. */
  machineTime(): number {
    return this.#sources.wall();
  }

  /** The present moment. */
  moment(): Moment {
    const time = this.now();
    const free = this.#compared === undefined ? {} : { free: this.freeTime() };
    if (this.#anchor === undefined) return { wall: time - this.#correction, time: this.#seen, ...free };
    return { wall: this.#sources.wall(), time, ...free };
  }

  /**
   * The time of an earlier moment by what is known now. Where a server tells the time, it is as long ago as the clocks say that
   * nobody sets, since somebody may have set the wall clock in between.
   */
  timeOf({ wall, free, time = Number.NEGATIVE_INFINITY }: Moment): number {
    if (free === undefined || this.#compared === undefined) return Math.max(time, wall + this.#correction);
    return Math.max(time, timeAt(free, this.#compared));
  }

  /** Present readings of the clocks that nobody can set. */
  freeTime(): FreeTime {
    return { steady: this.#sources.steady(), uptime: this.#sources.uptime() };
  }

  /** The time while the wall clock is behind. */
  #runSlowly(): number {
    const steady = this.#sources.steady();
    this.#anchor ??= { time: this.#time, steady };
    return this.#anchor.time + Math.max(0, Math.floor((steady - this.#anchor.steady) * slowRate));
  }

  /** Starts to measure a duration. */
  stopwatch(): Stopwatch {
    const { wall, steady, uptime: up } = this.#sources;
    const started = [wall(), steady(), up()] as const;
    const slept = () => up() - started[2] - uptimeResolutionMs;
    return { elapsed: () => Math.max(wall() - started[0], steady() - started[1], slept()) };
  }

  /**
   * The wall clock, corrected as far as a server says: for instants that others judge who do not read the catalogue, such as
   * the dates of signatures.
   */
  wallTime(): number {
    return this.#sources.wall() + this.#correction;
  }

  /** Forgets everything, as a new process. */
  restart(): void {
    this.#time = Number.NEGATIVE_INFINITY;
    this.#seen = Number.NEGATIVE_INFINITY;
    this.#anchor = undefined;
    this.#correction = 0;
    this.#compared = undefined;
  }
}

/** How long it took, in milliseconds. A sleep counts beyond the resolution of the uptime. */
function durationOf(from: FreeTime, to: FreeTime): number {
  const [awake, running] = [to.steady - from.steady, to.uptime - from.uptime];
  return Math.abs(running - awake) > uptimeResolutionMs ? running : awake;
}

/** The time when the clocks that nobody sets showed this. */
const timeAt = (free: FreeTime, compared: Comparison) => compared.time + durationOf(compared.free, free);

/** The clock of this process. */
export const clock = new HybridClock();
