import type { Input } from '../../local/engine/src/testing/faults.ts';
import type { Decide, CallFault } from './instance.ts';
import type { Random } from './random.ts';
import type { SimulatedTable } from './table.ts';

/** Faults of a simulation. */
export const faultKinds = [
  /** A request to the table or its answer is lost, or the answer is a 500 although the request was carried out. */
  'lost request',
  'lost answer',
  'server error',
  /** One request is throttled, or all writes of one partition for some seconds. */
  'throttle',
  'throttled partition',
  /** Requests that overlap at an item conflict. */
  'conflict',
  /** An instance dies, or is frozen for seconds to hours, while it works. */
  'death',
  'freeze',
  'delay',
  /** Secondary indexes are seconds behind. */
  'index lag',
  /** The stream is delivered twice. */
  'redelivery',
  /** Some shards of the stream are hours later than others. */
  'shard delay',
  /** The whole stream is minutes late, in half of the histories. */
  'stream lag',
  /** The answer to a client is lost. */
  'lost reply',
  /** Clocks of instances differ by up to a millisecond, as with Amazon Time Sync. */
  'clock skew',
  /** Clocks are set forward or back by seconds to hours, or stand still. */
  'clock jump',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Probability of each fault for a request to the table. */
const rates: Readonly<Partial<Record<FaultKind, number>>> = {
  'lost request': 0.0015,
  'lost answer': 0.004,
  'server error': 0.001,
  throttle: 0.003,
  'throttled partition': 0.0003,
  death: 0.001,
  freeze: 0.0012,
  delay: 0.004,
  'index lag': 0.0006,
  'clock jump': 0.002,
};

/** Injects the faults that a seed decides, and counts them. */
export class FaultInjector {
  readonly #kinds: ReadonlySet<FaultKind>;
  readonly #table: SimulatedTable;
  readonly #counts: Map<string, number>;
  /** False: no faults. */
  isOn = true;

  constructor(kinds: ReadonlySet<FaultKind>, table: SimulatedTable, counts: Map<string, number>) {
    this.#kinds = kinds;
    this.#table = table;
    this.#counts = counts;
  }

  has(kind: FaultKind): boolean {
    return this.isOn && this.#kinds.has(kind);
  }

  count(kind: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  /** Decides whether a fault of a kind occurs now, and counts it. */
  occurs(kind: FaultKind, share: number, random: Random): boolean {
    const occurs = random.chance(share) && this.has(kind);
    if (occurs) this.count(kind);
    return occurs;
  }

  /** Decides the faults of one invocation. */
  decideBy(random: Random): Decide {
    return (operation, input) => {
      const kind = this.#draw(random);
      if (kind === undefined) return undefined;
      this.count(kind);
      return this.#makeFault(kind, random, operation, input);
    };
  }

  /** Draws the same number of random numbers whatever kinds are on, so that one kind does not shift the others. */
  #draw(random: Random): FaultKind | undefined {
    let left = random.next();
    for (const [kind, rate] of Object.entries(rates) as [FaultKind, number][]) {
      left -= rate;
      if (left < 0) return this.has(kind) ? kind : undefined;
    }
    return undefined;
  }

  #makeFault(kind: FaultKind, random: Random, operation: string, input: Input): CallFault | undefined {
    switch (kind) {
      case 'lost request':
        return { kind: 'lose request' };
      case 'lost answer':
        return { kind: 'lose answer' };
      case 'server error':
      case 'throttle':
        return { kind };
      case 'throttled partition':
        this.#table.throttlePartition(operation, input, random.between(500, 20_000));
        return undefined;
      case 'death':
        return { kind: random.chance(0.5) ? 'die before' : 'die after' };
      case 'freeze': {
        const kinds = ['freeze before', 'freeze after'] as const;
        return { kind: random.pick(kinds), milliseconds: 10 ** random.between(3, 7) };
      }
      case 'delay':
        return { kind: 'delay', milliseconds: 10 ** random.between(1, 3.3) };
      case 'clock jump': {
        const [sign, milliseconds] = [random.chance(0.6) ? -1 : 1, Math.round(10 ** random.between(2, 7))];
        return random.chance(0.2) ? { kind: 'clock stop' } : { kind, milliseconds: sign * milliseconds };
      }
      case 'index lag':
        this.#table.lag(random.between(100, 5_000), random.between(1_000, 20_000));
        return undefined;
      default:
        return undefined;
    }
  }
}
