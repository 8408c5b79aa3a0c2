import { clock } from '../clock.ts';
import { isRuleError, planNextRepair, planRuleFailure, truncateError } from '../domain/locks/rule-errors.ts';
import type { AnonymousContext } from '../domain/values/context.ts';
import { isUnavailable } from '../errors.ts';
import { log } from '../log.ts';
import { splitIntoChunks } from '../rows/split-into-chunks.ts';
import type { Table } from '../store/batches/table.ts';
import { changeRule } from '../store/entities/rule-writes.ts';
import { getRule } from '../store/entities/rule.ts';
import { deleteWork, getWork, listDueWork, postponeWork, type Work, type WorkKey } from '../store/entities/work.ts';
import { ItemTooLarge } from '../store/items/item-too-large.ts';
import { isContention, type Plan } from '../store/items/plan.ts';
import { endLease, isLeased, takeLease } from './lease.ts';
import { type Outcome, PlannedSteps } from './planned-steps.ts';
import { runLanes } from './run-lanes.ts';

/** Exponential backoff of a task that fails. */
const retryDelaysMs = { first: 60_000, longest: 3_600_000 };

/** A task that progressed within this time is assumed to run elsewhere. */
const idleBeforeTakeoverMs = 30_000;

/** Due tasks read in one batch. */
const tasksPerRead = 100;

/** After this many consecutive failures the error is recorded on the rule. */
const failuresBeforeReport = 4;

/**
 * Runs the next step of a task. Its changes and the new checkpoint of the task are one plan, so each step takes effect
 * once, even if several processes run it.
 *
 * @throws What the step throws, unless it is an error that is recorded on the rule of the task.
 */
async function runStep({ store, now }: AnonymousContext, planned: PlannedSteps): Promise<Outcome> {
  try {
    let isRetry = false;
    await store.write(
      async (latest) => {
        const plan = await planned.next(latest, isRetry);
        isRetry = true;
        return plan;
      },
      { inBackground: true },
    );
    return planned.outcome;
  } catch (error) {
    const { work } = planned;
    if (work === undefined || !('ruleId' in work.task) || !isRuleError(error)) throw error;
    const { key, task } = work;
    await store.write((latest) => recordRuleError({ store, now }, latest, { key, ruleId: task.ruleId }, error));
    return 'done';
  }
}

/** The rule of a task cannot be placed: records the error on the rule, and ends the task. */
async function recordRuleError(
  { now }: AnonymousContext,
  latest: Table,
  { key, ruleId }: { readonly key: WorkKey; readonly ruleId: string },
  error: Error,
): Promise<Plan> {
  const table = latest.latest();
  const [work, rule] = [await getWork(table, key), await getRule(table, ruleId)];
  if (work === undefined) return [];
  if (rule === undefined) return [deleteWork(work)];
  const next = work.task.kind === 'repair' ? planNextRepair(rule, now) : undefined;
  return [...planRuleFailure(rule, error, now, next), deleteWork(work)];
}

/**
 * Runs the steps of a task, at least one, until a deadline; see {@link runTask}.
 *
 * @param until In milliseconds since 1970.
 * @returns How many steps were done.
 */
export async function runTaskOfKey(context: AnonymousContext, key: WorkKey, until: number): Promise<number> {
  const work = await getWork(context.store.table.latest(), key);
  return work === undefined ? 0 : runTask(context, work, until);
}

/**
 * Runs the steps of a task, at least one, until a deadline. It takes a lease first, so that no other process runs the
 * task, and a task that crashes its process is not retried at once. If a step fails, the task is postponed.
 *
 * @param work The task as it was read.
 * @param until In milliseconds since 1970.
 * @returns How many steps were done.
 * @throws If the lease cannot be taken, or the task cannot be postponed.
 */
export async function runTask(context: AnonymousContext, work: Work, until: number): Promise<number> {
  const taken = await takeLease(context, work);
  if (taken === undefined) return 0;
  let steps = 0;
  const planned = new PlannedSteps(context, taken);
  try {
    let outcome: Outcome = 'moved';
    while (outcome === 'moved' && (steps === 0 || clock.now() < until)) {
      outcome = await runStep(context, planned);
      if (outcome !== 'absent') steps += 1;
    }
    if (outcome === 'moved' && planned.work !== undefined) await endLease(context, planned.work);
  } catch (error) {
    await postpone(context, work.key, error);
  } finally {
    await planned.drop();
  }
  return steps;
}

async function postpone(context: AnonymousContext, key: WorkKey, error: unknown): Promise<void> {
  const work = await getWork(context.store.table.latest(), key);
  if (work === undefined) return;
  const { task, failures = 1 } = work;
  if (isUnavailable(error)) log.warn('a step of a task has to wait', { task, because: error.message });
  else log.error('a step of a task failed', { task, failures, error: error as Error });
  // Contention is no fault of the task: no exponential backoff.
  const delayMs = isContention(error)
    ? retryDelaysMs.first
    : Math.min(retryDelaysMs.longest, retryDelaysMs.first * 2 ** (failures - 1));
  const report = failures >= failuresBeforeReport && error instanceof Error ? error : undefined;
  await writePostponement(context, key, { delayMs, report }).catch((refusal: unknown) => {
    if (!(refusal instanceof ItemTooLarge)) throw refusal;
    // The rule has no room for the report.
    return writePostponement(context, key, { delayMs });
  });
}

interface Postponement {
  readonly delayMs: number;
  /** The error of which the owner of the rule is to hear. */
  readonly report?: Error | undefined;
}

async function writePostponement(
  { store }: AnonymousContext,
  key: WorkKey,
  { delayMs, report }: Postponement,
): Promise<void> {
  await store.write(async (latest) => {
    const table = latest.latest();
    const work = await getWork(table, key);
    if (work === undefined) return [];
    const reports = report === undefined ? [] : await reportToOwner(table, work, report);
    return [...postponeWork(work, clock.now() + delayMs), ...reports];
  });
}

/** Tasks whose errors are recorded on the rule; their last step clears the error. */
const reportedKinds: ReadonlySet<string> = new Set(['inject', 'spread', 'repair', 'remove']);

/** The write that records on a rule why its task fails. */
async function reportToOwner(table: Table, { task }: Work, { message }: Error): Promise<Plan> {
  const rule = 'ruleId' in task && reportedKinds.has(task.kind) ? await getRule(table, task.ruleId) : undefined;
  const error = truncateError(message);
  return rule === undefined || rule.error === error ? [] : [changeRule(rule.id, { set: { error } })];
}

/** The result of a run over the due tasks. */
export interface WorkRun {
  readonly tasks: number;
  readonly steps: number;
}

/**
 * Runs the due tasks, including those of a process that crashed. Runs may overlap. Costs a read per shard if nothing is
 * due.
 *
 * @param budgetMs Time limit; the rest is left to the next run.
 * @throws AggregateError if some tasks could neither run nor be postponed; the others have run by then.
 */
export async function runDueWork(context: AnonymousContext, budgetMs = 40_000): Promise<WorkRun> {
  const until = clock.now() + budgetMs;
  let run: WorkRun = { tasks: 0, steps: 0 };
  const isFree = (work: Work) =>
    !isLeased(work, context.now) && (work.movedAt === undefined || work.movedAt <= context.now - idleBeforeTakeoverMs);
  for await (const chunk of splitIntoChunks(listDueWork(context.store.table.latest(), context.now), tasksPerRead)) {
    await runLanes(chunk.filter(isFree), async (work) => {
      if (clock.now() > until) return;
      const steps = await runTask(context, work, until);
      run = { tasks: run.tasks + 1, steps: run.steps + steps };
    });
    if (clock.now() > until) break;
  }
  return run;
}
