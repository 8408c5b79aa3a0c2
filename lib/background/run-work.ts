import { cutError, failRule, isOfRule, repairDelay, stuckFor } from '../domain/locks/verdict.ts';
import { chunksOf } from '../domain/values/chunks.ts';
import type { AnonymousContext } from '../domain/values/context.ts';
import { isUnavailable } from '../errors.ts';
import { log } from '../log.ts';
import type { Table } from '../store/batches/table.ts';
import { changeRule, getRule } from '../store/entities/rule.ts';
import { deleteWork, getWork, listDueWork, postponeWork, type Work } from '../store/entities/work.ts';
import { Collision, LostRace, type Plan } from '../store/items/plan.ts';
import type { Key } from '../store/keys/key-parts.ts';
import { runLanes } from './lanes.ts';
import { endLease, isLeased, takeLease } from './lease.ts';
import { type Outcome, PlannedSteps } from './planned-steps.ts';

/** How long a task waits after its first failure; twice as long after each further one, in milliseconds. */
const delays = { first: 60_000, longest: 3_600_000 };

/** A task that has moved within this time is somebody else's at present, in milliseconds. */
const recently = 30_000;

/** Tasks that are read at once when they are due. */
const notesAtOnce = 100;

/** So many failures in a row are said to the owner of the rule. */
const tellsAfter = 4;

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
 * Does the steps of a task, one at least, while there is time; see {@link runNote}.
 *
 * @param until In milliseconds since 1970.
 * @returns How many steps were done.
 */
export async function runWork(context: AnonymousContext, key: Key, until: number): Promise<number> {
  const work = await getWork(context.store.table.latest(), key);
  return work === undefined ? 0 : runNote(context, work, until);
}

/**
 * Does the steps of a task, one at least, while there is time. The note is taken before, so that nobody else is at it, and
 * a process that dies of it does not come back to it at once. When a step fails the task is put off.
 *
 * @param work The note as it was read.
 * @param until In milliseconds since 1970.
 * @returns How many steps were done.
 * @throws When the note can be neither taken nor put off.
 */
export async function runNote(context: AnonymousContext, work: Work, until: number): Promise<number> {
  const taken = await takeLease(context, work);
  if (taken === undefined) return 0;
  let steps = 0;
  const planned = new PlannedSteps(context, taken);
  try {
    let outcome: Outcome = 'moved';
    while (outcome === 'moved' && (steps === 0 || Date.now() < until)) {
      outcome = await runStep(context, planned);
      if (outcome !== 'absent') steps += 1;
    }
    if (outcome === 'moved' && planned.work !== undefined) await endLease(context, planned.work);
  } catch (error) {
    await putOff(context, work.key, error);
  } finally {
    await planned.drop();
  }
  return steps;
}

async function putOff({ store }: AnonymousContext, key: Key, error: unknown): Promise<void> {
  await store.write(async (latest) => {
    const table = latest.latest();
    const work = await getWork(table, key);
    if (work === undefined) return [];
    const { task, failures = 1 } = work;
    if (isUnavailable(error)) log.warn('a step of a task has to wait', { task, because: error.message });
    else log.error('a step of a task failed', { task, failures, error: error as Error });
    // Who meets others is not wrong, and comes back soon.
    const delay = isContention(error) ? delays.first : Math.min(delays.longest, delays.first * 2 ** (failures - 1));
    const told = failures >= tellsAfter && error instanceof Error ? await tellOwner(table, work, error) : [];
    return [...postponeWork(work, Date.now() + delay), ...told];
  });
}

function isContention(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof LostRace || cause instanceof Collision;
}

/** Tasks that say what keeps them from their end, and take it back at last. */
const telling: ReadonlySet<string> = new Set(['inject', 'spread', 'repair', 'remove']);

/** The write that has a rule say why what is to be done about it does not get done. */
async function tellOwner(table: Table, { task }: Work, { message }: Error): Promise<Plan> {
  const rule = 'ruleId' in task && telling.has(task.kind) ? await getRule(table, task.ruleId) : undefined;
  const error = cutError(message);
  return rule === undefined || rule.error === error ? [] : [changeRule(rule.id, { set: { error } })];
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
 * @throws AggregateError when some could be neither done nor put off; the others are done by then.
 */
export async function runDueWork(context: AnonymousContext, budget = 40_000): Promise<WorkRun> {
  const until = Date.now() + budget;
  let run: WorkRun = { tasks: 0, steps: 0 };
  const isFree = (work: Work) =>
    !isLeased(work, context.now) && (work.movedAt === undefined || work.movedAt <= context.now - recently);
  for await (const chunk of chunksOf(listDueWork(context.store.table.latest(), context.now), notesAtOnce)) {
    await runLanes(chunk.filter(isFree), async (work) => {
      if (Date.now() > until) return;
      const steps = await runNote(context, work, until);
      run = { tasks: run.tasks + 1, steps: run.steps + steps };
    });
    if (Date.now() > until) break;
  }
  return run;
}
