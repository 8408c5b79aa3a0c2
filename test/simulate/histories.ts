import { parentPort, Worker, workerData } from 'node:worker_threads';

import { historyOf } from './actions.ts';
import { drawConditions } from './conditions.ts';
import type { Plan } from './plan.ts';
import { simulate } from './simulate.ts';

/** The result of one history. */
export interface Report {
  readonly seed: string;
  readonly length: number;
  readonly flaws: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
}

/** The part of a plan that one worker runs. Seeds do not depend on the number of workers. */
export interface WorkerShare {
  readonly plan: Plan;
  readonly worker: number;
}

/** Runs the histories of a worker in order, until `onReport` answers false. */
export async function runHistories(
  { plan, worker }: WorkerShare,
  onReport: (report: Report) => boolean,
): Promise<void> {
  for (let index = worker; index * plan.length < plan.operations && Date.now() < plan.until; index += plan.workers) {
    const seed = index === 0 ? plan.seed : `${plan.seed}.${index}`;
    const length = Math.min(plan.length, plan.operations - index * plan.length);
    if (!onReport(await runHistory(seed, length, plan))) return;
  }
}

async function runHistory(seed: string, length: number, plan: Plan): Promise<Report> {
  const { chosen, kinds, isSmall } = drawConditions(seed, plan);
  const steps = historyOf(seed, length, chosen);
  const run = (mutation: string | undefined) => simulate(steps, { seed, kinds, variant: { mutation, isSmall } });
  const { flaws, counts } = await run(plan.mutation);
  if (flaws.length === 0 || plan.mutation === undefined) return { seed, length, flaws, counts };
  // A flaw that the service shows without the mutation, too, was not caused by it.
  const { flaws: own } = await run(undefined);
  return { seed, length, flaws: own.length === 0 ? flaws : [], counts };
}

/** Runs the histories in a thread, which is terminated when `onReport` answers false. */
export function runHistoriesInThread(share: WorkerShare, onReport: (report: Report) => boolean): Promise<void> {
  return new Promise((done, fail) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: share });
    thread.on('message', (report: Report) => {
      if (!onReport(report)) void thread.terminate();
    });
    thread.on('error', fail);
    thread.on('exit', () => done());
  });
}

const port = parentPort;
if (port !== null && workerData !== null) {
  await runHistories(workerData as WorkerShare, (report) => {
    port.postMessage(report);
    return true;
  });
}
