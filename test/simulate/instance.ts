import type { Input } from '../../local/engine/src/testing/faults.ts';
import { type Answer, ConnectionLost } from '../../local/engine/src/transport.ts';
import type { Evaluate, ServiceModule } from './bundle.ts';
import { type GlobalsOwner, makeInstanceGlobals, runInInstance } from './instance-globals.ts';
import { MachineClocks } from './machine-clocks.ts';
import type { Random } from './random.ts';
import type { Event, Scheduler } from './scheduler.ts';
import type { SimulatedStorage } from './storage.ts';
import type { SimulatedTable } from './table.ts';

/** A fault at a request to the table, or at the instance that sends it. */
export type CallFault =
  | { readonly kind: 'lose request' | 'lose answer' | 'server error' | 'throttle' | 'conflict' }
  | { readonly kind: 'die before' | 'die after' }
  | { readonly kind: 'freeze before' | 'freeze after' | 'delay' | 'clock jump'; readonly milliseconds: number }
  | { readonly kind: 'clock stop' };

/** Decides the fault at a request; undefined: none. */
export type Decide = (operation: string, input: Input) => CallFault | undefined;

/** The instance died during an invocation; how far it came is unknown. */
export class InstanceDied extends Error {
  constructor() {
    super('the instance died');
  }
}

/** Parts that instances share. */
export interface SharedEnvironment {
  readonly scheduler: Scheduler;
  readonly table: SimulatedTable;
  readonly storage: SimulatedStorage;
  readonly evaluate: Evaluate;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * An instance of the service as Lambda runs it: its own memory and clock, one invocation at a time, frozen in between with
 * its unfinished work.
 */
export class Instance implements GlobalsOwner {
  readonly scheduler: Scheduler;
  readonly clocks: MachineClocks;
  readonly send: GlobalsOwner['send'];
  readonly fetch: GlobalsOwner['fetch'];
  readonly environment: Readonly<Record<string, string>>;
  random: Random;
  isGone = false;
  /** The faults at its requests. */
  decide: Decide = () => undefined;
  readonly #table: SimulatedTable;
  /** The table that it knows: one that replaces it has nothing of its requests. */
  readonly #epoch: number;
  readonly #kept: Event[] = [];
  readonly #service: ServiceModule;
  #state: 'idle' | 'busy' | 'frozen' = 'busy';
  #endIt: (() => void) | undefined;

  constructor({ scheduler, table, storage, evaluate, environment }: SharedEnvironment, random: Random, skew: number) {
    this.scheduler = scheduler;
    this.clocks = new MachineClocks(scheduler, skew);
    this.random = random;
    this.environment = environment;
    this.#table = table;
    this.#epoch = table.epoch;
    this.send = (operation, input) => this.#send(operation, input);
    this.fetch = (url, { method, headers = {} }) => {
      const { random: own } = this;
      const fate = this.decide('fetch', {});
      return new Promise((resolve, reject) => {
        if (fate?.kind === 'die before') return this.die();
        // It is not frozen before: what a process sends when it thaws nobody can take back.
        if (fate?.kind === 'freeze after') this.freeze(fate.milliseconds);
        scheduler.after(latency(own), () => {
          const answer = (found: Response) => scheduler.after(latency(own), () => resolve(found), this);
          storage.answer({ method, url, headers }, own).then(answer, reject);
        });
      });
    };
    this.#service = runInInstance(this, () => evaluate(makeInstanceGlobals(this)));
    this.#state = 'idle';
  }

  get isHeld(): boolean {
    return this.#state !== 'busy';
  }

  get isIdle(): boolean {
    return this.#state === 'idle' && !this.isGone;
  }

  keep(event: Event): void {
    this.#kept.push(event);
  }

  /**
   * Invokes it.
   *
   * @param random The source of random numbers during the invocation.
   * @throws What `work` throws; {@link InstanceDied}.
   */
  async invoke<T>(
    random: Random,
    decide: Decide,
    work: (service: ServiceModule, instance: Instance) => Promise<T>,
  ): Promise<T> {
    this.random = random;
    this.decide = decide;
    this.#continue();
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#endIt = () => reject(new InstanceDied());
        runInInstance(this, () => work(this.#service, this)).then(resolve, reject);
      });
    } finally {
      if (this.#state === 'busy') this.#state = 'idle';
      this.decide = () => undefined;
    }
  }

  /** Freezes it for a time; its events are delayed until then. */
  freeze(milliseconds: number): void {
    if (this.#state !== 'busy') return;
    this.#state = 'frozen';
    this.scheduler.after(milliseconds, () => {
      this.clocks.sleep(milliseconds);
      if (this.#state === 'frozen') this.#continue();
    });
  }

  /** Ends it. Requests that were sent already still reach the table. */
  die(): void {
    this.isGone = true;
    this.#endIt?.();
  }

  #continue(): void {
    this.#state = 'busy';
    this.scheduler.release(this.#kept.splice(0));
  }

  #send(operation: string, input: Input): Promise<Answer> {
    const fate = this.decide(operation, input);
    const { random } = this;
    const sentAt = this.scheduler.now;
    return new Promise((resolve, reject) => {
      const lose = () => this.scheduler.after(latency(random), () => reject(new ConnectionLost()), this);
      const answer = (found: Answer) => this.scheduler.after(latency(random), () => resolve(found), this);
      const arrive = (then: (found: Answer) => void) => this.#table.carryOut(operation, input, random, then);
      const go = (extra = 0) => {
        this.scheduler.after(latency(random) + extra, () => {
          if (this.#epoch !== this.#table.epoch) return;
          if (fate?.kind === 'lose request') lose();
          else if (fate?.kind === 'throttle') answer(this.#table.throttle(operation, input));
          else if (fate?.kind === 'conflict') answer(this.#table.refuseForConflict(operation, input));
          else if (fate?.kind === 'lose answer') arrive(lose);
          else if (fate?.kind === 'server error') arrive(() => answer(serverError));
          else arrive(answer);
        });
      };
      switch (fate?.kind) {
        case 'die before':
          return this.die();
        case 'die after':
          go();
          return this.die();
        case 'freeze before':
          this.freeze(fate.milliseconds);
          // An event of its own, so that the request is sent after the freeze.
          this.scheduler.after(
            0,
            () => (this.scheduler.now > sentAt + signatureLifetimeMs ? answer(signatureExpired) : go()),
            this,
          );
          return;
        case 'freeze after':
          go();
          return this.freeze(fate.milliseconds);
        case 'delay':
          return go(fate.milliseconds);
        case 'clock jump':
          this.clocks.jump(fate.milliseconds);
          return go();
        case 'clock stop':
          this.clocks.stop();
          return go();
        default:
          return go();
      }
    });
  }
}

const serverError: Answer = {
  status: 500,
  body: JSON.stringify({
    __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError',
    message: 'The request processing has failed because of an unknown error, exception or failure.',
  }),
};

/** AWS refuses requests that were signed longer ago. */
const signatureLifetimeMs = 300_000;

const signatureExpired: Answer = {
  status: 400,
  body: JSON.stringify({
    __type: 'com.amazon.coral.service#InvalidSignatureException',
    message: 'Signature expired: the request is older than 5 min.',
  }),
};

/** Draws the latency of one direction in milliseconds; longer than clocks differ. */
function latency(random: Random): number {
  return random.chance(0.02) ? random.between(10, 80) : random.between(1.5, 4);
}
