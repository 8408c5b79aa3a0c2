import type { Step } from './actions.ts';
import { historyOf } from './actions.ts';
import { drawConditions } from './conditions.ts';
import type { FaultKind } from './faults.ts';
import { runHistories, runHistoriesInThread, type Report } from './histories.ts';
import { help, type Plan, readPlan } from './plan.ts';
import { shorten } from './shorten.ts';
import { simulate, type Verdict } from './simulate.ts';

/** Attempts to shorten a history. */
const maxAttempts = 150;

/** Seeds that are printed for each kind of flaw. */
const maxSeedsPerFlaw = 10;

/** The results of all histories. */
class Summary {
  operations = 0;
  histories = 0;
  readonly failed: Report[] = [];
  readonly #plan: Plan;
  readonly #began = performance.now();
  readonly #totals = new Map<string, number>();

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** Adds a history; answers whether to go on. */
  onReport(report: Report): boolean {
    const wasEnough = !this.#wantsMore;
    if (wasEnough) return false;
    for (const [kind, count] of report.counts) this.#totals.set(kind, (this.#totals.get(kind) ?? 0) + count);
    this.operations += report.length;
    this.histories += 1;
    if (report.flaws.length > 0) {
      this.failed.push(report);
      console.log(`seed ${report.seed}:\n  ${report.flaws.slice(0, 5).join('\n  ')}`);
    }
    return this.#wantsMore;
  }

  get #wantsMore(): boolean {
    return this.failed.length === 0 || this.#plan.keepsGoing;
  }

  show(): void {
    const seconds = Math.round((performance.now() - this.#began) / 1_000);
    const { seed, workers } = this.#plan;
    console.log(
      `${this.operations} operations in ${this.histories} histories from seed ${seed}, ${this.failed.length} with flaws; ` +
        `${seconds} s, ${workers} at once`,
    );
    console.log(
      Array.from(this.#totals, ([kind, count]) => `${kind} ${count}`)
        .sort()
        .join(', '),
    );
    const kinds = Map.groupBy(this.failed, ({ flaws }) => kindOfFlaw(flaws));
    for (const [kind, reports] of kinds) {
      const seeds = reports.slice(0, maxSeedsPerFlaw).map(({ seed: name }) => name);
      console.log(`${reports.length} times "${kind ?? ''}": seeds ${seeds.join(', ')}`);
    }
  }
}

async function main(): Promise<void> {
  const plan = readPlan();
  if (plan === undefined) return console.log(help);
  const summary = new Summary(plan);
  const onReport = (report: Report) => summary.onReport(report);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      summary.show();
      process.exit(summary.failed.length === 0 ? 0 : 1);
    });
  }
  if (plan.workers === 1) await runHistories({ plan, worker: 0 }, onReport);
  else {
    const workers = Array.from({ length: plan.workers }, (_value, worker) =>
      runHistoriesInThread({ plan, worker }, onReport),
    );
    await Promise.all(workers);
  }
  const [first] = summary.failed;
  const hasDefect = plan.mutation !== undefined;
  if (first !== undefined && !plan.keepsGoing && !hasDefect) await showShortest(first, plan);
  summary.show();
  if (summary.failed.length > 0 !== hasDefect) process.exitCode = 1;
}

/** Shortens a history and the faults that it needs, and prints it as a regression. */
async function showShortest({ seed, length, flaws }: Report, plan: Plan): Promise<void> {
  const { chosen, kinds: all, isSmall } = drawConditions(seed, plan);
  const history = historyOf(seed, length, chosen);
  const wanted = kindOfFlaw(flaws);
  const fails = async (steps: readonly Step[], kinds: ReadonlySet<FaultKind>) =>
    kindOfFlaw((await simulate(steps, { seed, kinds, variant: { isSmall } })).flaws) === wanted;
  const taken = new Set(all);
  for (const kind of all) {
    taken.delete(kind);
    if (!(await fails(history, taken))) taken.add(kind);
  }
  const shortest = await shorten(history, (steps) => fails(steps, taken), maxAttempts);
  const { flaws: left } = await simulate(shortest, { seed, kinds: taken, variant: { isSmall } });
  console.log(`the shortest history found, as regressions.ts has them:\n  {\n    what: ${JSON.stringify(wanted)},`);
  console.log(
    `    seed: '${seed}',\n    kinds: ${JSON.stringify([...taken])},${isSmall ? '\n    isSmall: true,' : ''}\n    steps: [`,
  );
  for (const step of shortest) console.log(`      ${JSON.stringify(step)},`);
  console.log('    ],\n  },');
  console.log(left.slice(0, 5).join('\n'));
}

/** The text of a flaw without names and numbers, which flaws of one cause share. */
function kindOfFlaw([flaw]: Verdict['flaws']): string | undefined {
  return flaw?.replaceAll(/\{.*\}|[\w:#~/.-]*\d[\w:#~/.-]*/gs, '').slice(0, 60);
}

await main();
