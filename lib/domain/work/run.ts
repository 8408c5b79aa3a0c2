import { isUnavailable } from '../../errors.ts';
import { log } from '../../log.ts';
import { getRule } from '../../store/entities/rule.ts';
import { deleteWork, getWork, listDueWork, postponeWork, type Work } from '../../store/entities/work.ts';
import type { Key } from '../../store/keys/key-parts.ts';
import type { Plan } from '../../store/plan.ts';
import type { Table } from '../../store/table.ts';
import type { AnonymousContext } from '../context.ts';
import { failRule, isOfRule, repairDelay, stuckFor } from '../rules/engine/verdict.ts';
import { type Outcome, PlannedSteps } from './planned-steps.ts';

/** How long a task waits after its first failure; twice as long after each further one, in milliseconds. */
const delays = { first: 60_000, longest: 3_600_000 };

/** A task that has moved within this time is somebody else's at present, in milliseconds. */
const recently = 30_000;

/** Tasks that are done at once. */
const parallel = 4;

/**
 * Does the next step of a task: what it does to the catalogue and how far the task has come are one plan, so whoever runs
 * it, and however often, each step happens once.
 *
 * @throws What the step throws, unless it is something that the rule of the task is to show.
 */
async function runStep({ store, now }: AnonymousContext, planned: PlannedSteps): Promise<Outcome> {
  try {
    let again = false;
    await store.write(
      async (latest) => {
        const plan = await planned.next(latest, again);
        again = true;
        return plan;
      },
      { inBackground: true },
    );
    return planned.outcome;
  } catch (error) {
    const { work } = planned;
    if (work === undefined || !('ruleId' in work.task) || !isOfRule(error)) throw error;
    const { key, task } = work;
    await store.write((latest) => refuse({ store, now }, latest, { key, ruleId: task.ruleId }, error));
    return 'done';
  }
}

/** The rule of a task cannot be placed: it says so, and the task ends. */
async function refuse(
  { now }: AnonymousContext,
  latest: Table,
  { key, ruleId }: { readonly key: Key; readonly ruleId: string },
  error: Error,
): Promise<Plan> {
  const table = latest.latest();
  const [work, rule] = [await getWork(table, key), await getRule(table, ruleId)];
  if (work === undefined) return [];
  if (rule === undefined) return [deleteWork(work)];
  const again = work.task.kind === 'repair' ? [stuckFor(ruleId, now, repairDelay.next)] : [];
  return [...failRule(rule, error, now), ...again, deleteWork(work)];
}

/**
 * Does the steps of a task, one at least, while there is time. When one fails the task is put off.
 *
 * @param until In milliseconds since 1970.
 * @returns How many steps were done.
 */
export async function runWork(context: AnonymousContext, key: Key, until: number): Promise<number> {
  let steps = 0;
  const planned = new PlannedSteps(context, key);
  try {
    for (let outcome: Outcome = 'moved'; outcome === 'moved' && (steps === 0 || Date.now() < until);) {
      outcome = await runStep(context, planned);
      if (outcome !== 'absent') steps += 1;
    }
  } catch (error) {
    await putOff(context, key, error);
  } finally {
    await planned.drop();
  }
  return steps;
}

async function putOff({ store }: AnonymousContext, key: Key, error: unknown): Promise<void> {
  await store.write(async (latest) => {
    const work = await getWork(latest.latest(), key);
    if (work === undefined) return [];
    const { task, failures = 0 } = work;
    if (isUnavailable(error)) log.warn('a step of a task has to wait', { task, because: error.message });
    else log.error('a step of a task failed', { task, failures: failures + 1, error: error as Error });
    return postponeWork(work, Date.now() + Math.min(delays.longest, delays.first * 2 ** failures));
  });
}

/** What a run over the notes has done. */
export interface WorkRun {
  readonly tasks: number;
  readonly steps: number;
}

/**
 * Does what is due: tasks whose time has come, and those that were left by a process that died. Safe to run twice at
 * once. Costs a read a shard when nothing is due.
 *
 * @param budget How long it may take, in milliseconds; what is not done then is left to the next run.
 */
export async function runDueWork(context: AnonymousContext, budget = 40_000): Promise<WorkRun> {
  const until = Date.now() + budget;
  let run: WorkRun = { tasks: 0, steps: 0 };
  let chunk: Work[] = [];
  const work = async () => {
    const steps = await Promise.all(chunk.map(({ key }) => runWork(context, key, until)));
    run = { tasks: run.tasks + chunk.length, steps: run.steps + steps.reduce((sum, one) => sum + one, 0) };
    chunk = [];
  };
  for await (const due of listDueWork(context.store.table.latest(), context.now)) {
    if (Date.now() > until) break;
    if (due.movedAt !== undefined && due.movedAt > context.now - recently) continue;
    chunk.push(due);
    if (chunk.length === parallel) await work();
  }
  await work();
  return run;
}
