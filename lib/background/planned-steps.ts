import type { AnonymousContext } from '../domain/values/context.ts';
import type { Step, Worker } from '../domain/values/worker.ts';
import type { Table } from '../store/batches/table.ts';
import { advanceWork, deleteWork, getWork, type Task, type Work } from '../store/entities/work.ts';
import type { Plan } from '../store/items/plan.ts';
import type { Key } from '../store/keys/key-parts.ts';
import { leaseTime } from './lease.ts';
import { workers } from './workers.ts';

/** What a step has come to: there is more to do, it was the last one, or there was none. */
export type Outcome = 'moved' | 'done' | 'absent';

/**
 * The steps of a task, each planned while the one before it is being written. The condition on the note, which each step
 * moves on, keeps a step from being written before its turn, or twice.
 */
export class PlannedSteps {
  readonly #context: AnonymousContext;
  readonly #key: Key;
  /** The note as it was read already. */
  #known: Work | undefined;
  #steps: AsyncGenerator<Step> | undefined;
  #ahead: Promise<Step | undefined> | undefined;
  #work: Work | undefined;
  #outcome: Outcome = 'absent';

  constructor(context: AnonymousContext, known: Work) {
    this.#context = context;
    this.#key = known.key;
    this.#known = known;
  }

  /** The note as the last plan found it. */
  get work(): Work | undefined {
    return this.#work;
  }

  /** What the last plan comes to. */
  get outcome(): Outcome {
    return this.#outcome;
  }

  /**
   * The plan of the next step.
   *
   * @param again The last one was not written, so that everything is to be planned anew.
   */
  async next(latest: Table, again: boolean): Promise<Plan> {
    const step = (again ? undefined : await this.#ahead) ?? (await this.#begin(latest, again));
    this.#ahead = undefined;
    const work = this.#work;
    if (step === undefined || work === undefined) return [];
    const { writes, position } = step;
    this.#outcome = position === undefined ? 'done' : 'moved';
    if (position === undefined) return [...writes, deleteWork(work)];
    // This is how the note will lie there for the next step.
    const { failures: _failures, ...moved } = work;
    this.#work = { ...moved, position, rev: work.rev + 1, leasedUntil: Date.now() + leaseTime };
    this.#planAhead();
    return [...writes, advanceWork(work, position, Date.now() + leaseTime)];
  }

  /** Ends what is being planned. */
  async drop(): Promise<void> {
    this.#ahead = undefined;
    await this.#steps?.return(undefined).catch(() => undefined);
    this.#steps = undefined;
  }

  async #begin(latest: Table, again: boolean): Promise<Step | undefined> {
    await this.drop();
    this.#outcome = 'absent';
    this.#work = this.#known ?? (await getWork(latest.latest(), this.#key));
    this.#known = undefined;
    if (this.#work === undefined) return undefined;
    const worker = workers[this.#work.task.kind] as Worker<Task>;
    this.#steps = stepsOf(worker(this.#context, latest, this.#work, again));
    const { value } = await this.#steps.next();
    return value as Step;
  }

  #planAhead(): void {
    // A step that cannot be planned ahead is planned anew, and then says why.
    this.#ahead = this.#steps?.next().then(
      ({ value, done }) => (done === true ? undefined : value),
      () => undefined,
    );
  }
}

async function* stepsOf(steps: ReturnType<Worker>): AsyncGenerator<Step> {
  if (Symbol.asyncIterator in steps) yield* steps;
  else yield await steps;
}
