import { apiMemoryGb, billedMs, type Price } from '../table/prices/operation-price.ts';
import { perUse } from '../table/prices/price-list.ts';
import { SpotLimit, type Units } from './limits.ts';
import type { Recording } from './record-traces.ts';
import { mapSpots, type Share, type Spot } from './spots.ts';

/** The load of a step, and what became of it. */
export interface Step {
  readonly reads: number;
  readonly writes: number;
  /** Served a second, in the first minute and after half an hour. */
  readonly first: Served;
  readonly later: Served;
  /** The spot with the least to spare: its load by what it gives. */
  readonly hottest: { readonly name: string; readonly load: number };
  /** Units of the table a second, indexes included. */
  readonly units: Units;
  /** Functions that run at the same time. */
  readonly functions: number;
  /** Cost of the served requests a second, in USD. */
  readonly price: Price;
}

/** Quotas of an AWS account; absent: raised as far as the load asks for. */
export interface Quotas {
  /** Requests a second at the gateway. */
  readonly gateway?: number;
  readonly functions?: number;
}

/** Lambda starts at most this many functions a second. */
const startsPerSecond = 100;

interface Served {
  readonly reads: number;
  readonly writes: number;
  /** The part of the background's requests that keeps up. */
  readonly background: number;
  /** The part of what starting functions read that they get at once. */
  readonly starts: number;
}

interface Stream {
  readonly kind: 'read' | 'write' | 'background' | 'start';
  /** Requests a second of all reads or writes. */
  readonly share: number;
  readonly shares: readonly Share[];
  readonly billedMs: number;
  /** The part that is served. */
  served: number;
}

const minutesPerStep = 30;
const iterations = 80;

/** The processor time of a request in milliseconds, beside its trips to the table. */
const cpuMs = 1.5;

/** Replays recorded requests at growing rates: half an hour of virtual time for each step, minute by minute. */
export class Simulation {
  readonly #streams: readonly Stream[];
  readonly #limits: readonly SpotLimit[];
  readonly #spots: readonly Spot[];

  readonly #quotas: Quotas;
  /** Functions that have been started, and those that start in a second now. */
  #started = 0;
  #starting = 0;

  constructor({ operations, background, start }: Recording, quotas: Quotas = {}) {
    this.#quotas = quotas;
    const flat = operations.flatMap(({ operation, traces }, group) =>
      traces.map((trace) => ({ operation, trace, group, share: operation.share / traces.length })),
    );
    // Two processes that start read the same.
    const others = [...background, start, start];
    const all = [...flat.map(({ trace }) => trace), ...others];
    const { spots, shares } = mapSpots(all, [
      ...flat.map(({ group }) => group),
      ...background.map(() => -1),
      ...[start, start].map(() => -2),
    ]);
    this.#spots = spots;
    this.#limits = spots.map((spot) => new SpotLimit(spot));
    this.#streams = all.map(({ trips }, index): Stream => {
      const found = flat[index];
      const isStart = index >= flat.length + background.length;
      const kind = isStart ? 'start' : found === undefined ? 'background' : found.operation.isWrite ? 'write' : 'read';
      const share = found?.share ?? (isStart ? 0.5 : 1);
      return { kind, share, shares: shares[index] ?? [], billedMs: billedMs({ waves: trips, cpuMs }), served: 1 };
    });
  }

  /** Half an hour at some rates a second. */
  step(reads: number, writes: number): Step {
    const served: Served[] = [];
    let load: Units[] = [];
    const asked = this.#functions(reads, writes, () => 1);
    for (let minute = 0; minute < minutesPerStep; minute += 1) {
      this.#starting = Math.min(startsPerSecond, Math.max(0, asked - this.#started) / 10);
      this.#started = Math.min(Math.max(this.#started, asked), this.#started + 60 * this.#starting);
      load = this.#settle(reads, writes);
      served.push(this.#served(reads, writes));
      if (minute < minutesPerStep - 1) this.#pass(load);
    }
    const hottest = this.#hottest(reads, writes);
    this.#pass(load);
    const units = this.#spots
      .flatMap(({ kind }, at) => (kind === 'whole' ? [load[at] ?? none] : []))
      .reduce((sum, { rru, wru }) => ({ rru: sum.rru + rru, wru: sum.wru + wru }), none);
    const functions = this.#functions(reads, writes, (stream) => stream.served);
    const empty = { reads: 0, writes: 0, background: 0, starts: 0 };
    const later = served.at(-1) ?? empty;
    const price = {
      table: units.rru * perUse.readUnit + units.wru * perUse.writeUnit,
      lambda: functions * apiMemoryGb * perUse.gigabyteSecond + (later.reads + later.writes) * perUse.invocation,
      gateway: (later.reads + later.writes) * perUse.gatewayRequest,
    };
    return { reads, writes, first: served[0] ?? empty, later, hottest, units, functions, price };
  }

  #pass(load: readonly Units[]): void {
    for (const [at, limit] of this.#limits.entries()) limit.pass(load[at] ?? none);
  }

  #functions(reads: number, writes: number, partOf: (stream: Stream) => number): number {
    return this.#streams.reduce((sum, stream) => {
      if (stream.kind !== 'read' && stream.kind !== 'write') return sum;
      return sum + (partOf(stream) * this.#rateOf(stream, reads, writes) * stream.billedMs) / 1_000;
    }, 0);
  }

  #rateOf({ kind, share }: Stream, reads: number, writes: number): number {
    return share * { read: reads, write: writes, background: writes, start: this.#starting }[kind];
  }

  /** Finds which part of each stream is served so that no spot is over its limit. @returns The load of each spot. */
  #settle(reads: number, writes: number): Units[] {
    let load: Units[] = [];
    for (let count = 0; count < iterations; count += 1) {
      load = this.#load(reads, writes, (stream) => stream.served);
      const usage = load.map((units, at) => usageOf(units, this.#limits[at]?.units ?? none));
      const outer = this.#usageOfQuotas(reads, writes);
      for (const stream of this.#streams) {
        const isRequest = stream.kind === 'read' || stream.kind === 'write';
        let worst = isRequest ? outer : 0.01;
        for (const { spot, rru, wru } of stream.shares) {
          const { reading = 0, writing = 0 } = usage[spot] ?? {};
          worst = Math.max(worst, rru > 0 ? reading : 0, wru > 0 ? writing : 0);
        }
        stream.served = Math.min(1, stream.served * worst ** -0.5);
      }
    }
    return load;
  }

  #load(reads: number, writes: number, partOf: (stream: Stream) => number): Units[] {
    const load = this.#spots.map(() => ({ rru: 0, wru: 0 }));
    for (const stream of this.#streams) {
      const rate = partOf(stream) * this.#rateOf(stream, reads, writes);
      for (const { spot, rru, wru } of stream.shares) {
        const sum = load[spot];
        if (sum === undefined) continue;
        sum.rru += rate * rru;
        sum.wru += rate * wru;
      }
    }
    return load;
  }

  /** How far the quotas of the account are used by the requests that are served. */
  #usageOfQuotas(reads: number, writes: number): number {
    const { gateway = Number.POSITIVE_INFINITY, functions = Number.POSITIVE_INFINITY } = this.#quotas;
    const served = this.#served(reads, writes);
    const running = this.#functions(reads, writes, (stream) => stream.served);
    return Math.max(0.01, (served.reads + served.writes) / gateway, running / functions);
  }

  #served(reads: number, writes: number): Served {
    const part = (kind: Stream['kind']) => {
      const own = this.#streams.filter((stream) => stream.kind === kind);
      const total = own.reduce((sum, { share }) => sum + share, 0);
      return own.reduce((sum, { served, share }) => sum + served * share, 0) / Math.max(total, 1e-9);
    };
    return {
      reads: reads * part('read'),
      writes: writes * part('write'),
      background: part('background'),
      starts: part('start'),
    };
  }

  #hottest(reads: number, writes: number): Step['hottest'] {
    // The requested load, not the served one.
    const asked = this.#load(reads, writes, () => 1);
    let hottest = { name: '', load: 0 };
    for (const [at, { name, kind }] of this.#spots.entries()) {
      const { reading, writing } = usageOf(asked[at] ?? none, this.#limits[at]?.units ?? none);
      const load = Math.max(reading, writing);
      if (kind !== 'whole' && load > hottest.load) hottest = { name, load };
    }
    return hottest;
  }
}

const none: Units = { rru: 0, wru: 0 };

const usageOf = (load: Units, limit: Units) => ({ reading: load.rru / limit.rru, writing: load.wru / limit.wru });
