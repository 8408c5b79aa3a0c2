import { clock } from '../clock.ts';
import type { AnonymousContext } from '../domain/values/context.ts';
import type { TaskStep, Worker } from '../domain/values/worker.ts';
import type { Table } from '../store/batches/table.ts';
import { advanceWork, deleteWork, getWork, type Task, type Work, type WorkKey } from '../store/entities/work.ts';
import type { Plan } from '../store/items/plan.ts';
import { leaseMs } from './lease.ts';
import { workers } from './workers.ts';

/** The result of a step: more steps follow, it was the last one, or the task was gone. */
export type Outcome = 'moved' | 'done' | 'absent';

/**
 * The steps of a task. Each is planned while the previous one is being written. Every step changes the revision of the
 * task, on which the next one has a condition (optimistic lock): so no step is written too early or twice.
 */
export class PlannedSteps {
  readonly #context: AnonymousContext;
  readonly #key: WorkKey;
  /** The task as the caller has read it. */
  #given: Work | undefined;
  #steps: AsyncGenerator<TaskStep> | undefined;
  #ahead: Promise<TaskStep | undefined> | undefined;
  #work: Work | undefined;
  #outcome: Outcome = 'absent';

  constructor(context: AnonymousContext, given: Work) {
    this.#context = context;
    this.#key = given.key;
    this.#given = given;
  }

  /** The task as the last plan found it. */
  get work(): Work | undefined {
    return this.#work;
  }

  /** The result of the last plan. */
  get outcome(): Outcome {
    return this.#outcome;
  }

  /**
   * Plans the next step.
   *
   * @param isRetry Whether the last plan met a conflict: the plans made ahead are discarded and made again.
   */
  async next(latest: Table, isRetry: boolean): Promise<Plan> {
    const step = (isRetry ? undefined : await this.#ahead) ?? (await this.#begin(latest, isRetry));
    this.#ahead = undefined;
    const work = this.#work;
    if (step === undefined || work === undefined) return [];
    const { writes, position } = step;
    this.#outcome = position === undefined ? 'done' : 'moved';
    if (position === undefined) return [...writes, deleteWork(work)];
    // The task as the next step will find it.
    const { failures: _failures, ...moved } = work;
    this.#work = { ...moved, position, rev: work.rev + 1, leasedUntil: clock.now() + leaseMs };
    this.#planAhead();
    return [...writes, advanceWork(work, position, clock.now() + leaseMs)];
  }

  /** Discards the plans that were made ahead. */
  async drop(): Promise<void> {
    this.#ahead = undefined;
    await this.#steps?.return(undefined).catch(() => undefined);
    this.#steps = undefined;
  }

  async #begin(latest: Table, isRetry: boolean): Promise<TaskStep | undefined> {
    await this.drop();
    this.#outcome = 'absent';
    this.#work = this.#given ?? (await getWork(latest.latest(), this.#key));
    this.#given = undefined;
    if (this.#work === undefined) return undefined;
    const worker = workers[this.#work.task.kind] as Worker<Task>;
    this.#steps = stepsOf(worker(this.#context, latest, this.#work, isRetry));
    const { value } = await this.#steps.next();
    return value as TaskStep;
  }

  #planAhead(): void {
    // If planning ahead fails, the step is planned anew in its turn, and throws then.
    this.#ahead = this.#steps?.next().then(
      ({ value, done }) => (done === true ? undefined : value),
      () => undefined,
    );
  }
}

async function* stepsOf(steps: ReturnType<Worker>): AsyncGenerator<TaskStep> {
  if (Symbol.asyncIterator in steps) yield* steps;
  else yield await steps;
}
