import { parentPort, Worker, workerData } from 'node:worker_threads';

import { historyOf } from './actions.ts';
import { chooseMutation } from './bundle.ts';
import type { Plan } from './plan.ts';
import { simulate } from './simulate.ts';

/** What one history has come to. */
export interface Report {
  readonly seed: string;
  readonly length: number;
  readonly flaws: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
}

/** The histories of a plan that one of several workers goes through: each seed is the same with any number of workers. */
export interface Share {
  readonly plan: Plan;
  readonly worker: number;
}

/** Goes through the histories of a share, in their order, for as long as they are wanted. */
export async function goThrough({ plan, worker }: Share, hear: (report: Report) => boolean): Promise<void> {
  for (let index = worker; index * plan.length < plan.operations && Date.now() < plan.until; index += plan.workers) {
    const seed = index === 0 ? plan.seed : `${plan.seed}.${index}`;
    const length = Math.min(plan.length, plan.operations - index * plan.length);
    if (!hear(await goThroughOne(seed, length, plan))) return;
  }
}

async function goThroughOne(seed: string, length: number, plan: Plan): Promise<Report> {
  const steps = historyOf(seed, length, plan.chosen);
  const run = (mutation: string | undefined) => {
    chooseMutation(mutation);
    return simulate(steps, { seed, kinds: plan.kinds });
  };
  const { flaws, counts } = await run(plan.mutation);
  if (flaws.length === 0 || plan.mutation === undefined) return { seed, length, flaws, counts };
  // What the service shows without the defect as well says nothing of the defect.
  const { flaws: own } = await run(undefined);
  return { seed, length, flaws: own.length === 0 ? flaws : [], counts };
}

/** The same in a thread of its own, which is ended once nothing more is wanted. */
export function goThroughApart(share: Share, hear: (report: Report) => boolean): Promise<void> {
  return new Promise((done, fail) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: share });
    thread.on('message', (report: Report) => {
      if (!hear(report)) void thread.terminate();
    });
    thread.on('error', fail);
    thread.on('exit', () => done());
  });
}

const port = parentPort;
if (port !== null && workerData !== null) {
  await goThrough(workerData as Share, (report) => {
    port.postMessage(report);
    return true;
  });
}
