import type { Scheduler } from './scheduler.ts';

/** The clocks of the machine on which an instance runs, in milliseconds. */
export class MachineClocks {
  readonly #scheduler: Scheduler;
  readonly #startedAt: number;
  /** By how much the wall clock is ahead. */
  #lead: number;
  /** Reading of the wall clock while it stands still. */
  #stopped: number | undefined;
  /** How long the machine has slept. */
  #slept = 0;

  constructor(scheduler: Scheduler, lead: number) {
    this.#scheduler = scheduler;
    this.#lead = lead;
    this.#startedAt = scheduler.now;
  }

  /** Since 1970; somebody may set it, and it may stand still. */
  get wall(): number {
    return this.#stopped ?? this.#scheduler.now + this.#lead;
  }

  /** Since the start of the machine; stands still while it sleeps. */
  get steady(): number {
    return this.#scheduler.now - this.#startedAt - this.#slept;
  }

  /** Since the start of the machine, sleep included. */
  get uptime(): number {
    return this.#scheduler.now - this.#startedAt;
  }

  /** When the steady clock began, by the wall clock. */
  get origin(): number {
    return this.wall - this.steady;
  }

  /** Somebody sets the wall clock. */
  jump(milliseconds: number): void {
    this.#stopped = undefined;
    this.#lead += milliseconds;
  }

  /** The wall clock stands still from now on. */
  stop(): void {
    this.#stopped = this.wall;
  }

  /** The wall clock is set right. */
  correct(): void {
    this.#stopped = undefined;
    this.#lead = 0;
  }

  /** The machine has slept so long. */
  sleep(milliseconds: number): void {
    this.#slept += milliseconds;
  }
}
