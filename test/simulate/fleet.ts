import type { ServiceModule } from './bundle.ts';
import { type Decide, Instance, type SharedEnvironment } from './instance.ts';
import type { Random } from './random.ts';

/** An answer to a client; undefined: none came. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly etag?: string | undefined;
}

/** The longest invocation, as on Lambda. */
export const maxInvocationMs = 300_000;

/** All instances of the service: more are made when all are busy. */
export class Fleet {
  readonly #premises: SharedEnvironment;
  readonly #random: Random;
  readonly #largestSkew: number;
  readonly #instances: Instance[] = [];
  #made = 0;

  constructor(premises: SharedEnvironment, random: Random, largestSkew: number) {
    this.#premises = premises;
    this.#random = random;
    this.#largestSkew = largestSkew;
  }

  /** Number of instances so far. */
  get made(): number {
    return this.#made;
  }

  /** Number of instances that work or are frozen. */
  get busy(): number {
    return this.#instances.filter(({ isIdle, isGone }) => !isIdle && !isGone).length;
  }

  /** Ends all instances, whatever they do. */
  end(): void {
    for (const instance of this.#instances.splice(0)) instance.die();
  }

  /** Sets all clocks right. */
  correctClocks(): void {
    for (const { clocks } of this.#instances) clocks.correct();
  }

  /** Invokes an idle instance. */
  invoke<T>(random: Random, decide: Decide, work: (service: ServiceModule) => Promise<T>): Promise<T> {
    const instance = this.#find(random);
    const limit = this.#premises.scheduler.after(maxInvocationMs, () => instance.die(), instance);
    return instance.invoke(random, decide, work).finally(() => {
      limit.isCancelled = true;
      const at = this.#instances.indexOf(instance);
      if (instance.isGone && at >= 0) this.#instances.splice(at, 1);
    });
  }

  /** An idle instance, or a new one. */
  #find(random: Random): Instance {
    const idle = this.#instances.filter((instance) => instance.isIdle);
    if (idle.length > 0) return random.pick(idle);
    this.#made += 1;
    const own = this.#random.fork(`instance ${this.#made}`);
    const skew = own.between(-this.#largestSkew, this.#largestSkew);
    const instance = new Instance(this.#premises, own, skew);
    this.#instances.push(instance);
    return instance;
  }
}
