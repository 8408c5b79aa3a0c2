import type { TimeSources } from '../../lib/clock.ts';

/** The clocks of a machine in the hands of a test. */
export class ManualTime implements TimeSources {
  #wall: number;
  #steady = 5_000;
  #uptime = 90_000;

  /** @param wall The time in milliseconds since 1970. */
  constructor(wall: number) {
    this.#wall = wall;
  }

  readonly wall = (): number => this.#wall;
  readonly steady = (): number => this.#steady;
  readonly uptime = (): number => this.#uptime;

  /** Time passes while the machine is awake. */
  pass(milliseconds: number): void {
    this.#steady += milliseconds;
    this.sleep(milliseconds);
  }

  /** The machine sleeps. */
  sleep(milliseconds: number): void {
    this.#wall += milliseconds;
    this.#uptime += milliseconds;
  }

  /** Somebody sets the wall clock. */
  set(wall: number): void {
    this.#wall = wall;
  }
}
