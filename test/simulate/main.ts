import { parseArgs } from 'node:util';

import { type ActionKind, makeHistory, type Step, weights } from './actions.ts';
import { type FaultKind, faultKinds } from './faults.ts';
import { Random } from './random.ts';
import { shorten } from './shorten.ts';
import { simulate, type Verdict } from './simulate.ts';

const help = `npm run simulate -- [options]     goes through random histories in a simulated deployment

  --seed <text>        of the first history (default: the time); a flaw names the seed that shows it again
  --operations <n>     so many operations (default: 20000)
  --length <n>         of one history (default: 400)
  --only <kinds>       faults that may happen, separated by commas (default: all; "none")
  --without <kinds>    faults that may not, and things that clients do not do
  --keep-going         goes on after a history that shows a flaw; flaws are then only listed
  --help               this text

Faults: ${faultKinds.join(', ')}.
Clients: ${Object.keys(weights).join(', ')}.
SIMULATE_LOG=ERROR shows what the service logs. Ends with 1 when a history showed a flaw.`;

interface Plan {
  readonly seed: string;
  readonly operations: number;
  readonly length: number;
  readonly kinds: ReadonlySet<FaultKind>;
  readonly chosen: Readonly<Partial<Record<ActionKind, number>>>;
  readonly keepsGoing: boolean;
}

/** Attempts to shorten a history. */
const mostAttempts = 150;

async function main(): Promise<void> {
  const plan = readPlan();
  if (plan === undefined) return console.log(help);
  const totals = new Map<string, number>();
  let [operations, histories, failed] = [0, 0, 0];
  while (operations < plan.operations) {
    const seed = histories === 0 ? plan.seed : `${plan.seed}.${histories}`;
    const length = Math.min(plan.length, plan.operations - operations);
    const history = makeHistory(new Random(seed).fork('history'), length, plan.chosen);
    const { flaws, counts } = await simulate(history, { seed, kinds: plan.kinds });
    for (const [kind, count] of counts) totals.set(kind, (totals.get(kind) ?? 0) + count);
    operations += length;
    histories += 1;
    if (flaws.length === 0) continue;
    failed += 1;
    console.log(`seed ${seed}:\n  ${flaws.slice(0, 5).join('\n  ')}`);
    if (plan.keepsGoing) continue;
    await showShortest(history, seed, plan, flaws);
    break;
  }
  console.log(`${operations} operations in ${histories} histories from seed ${plan.seed}, ${failed} with flaws`);
  console.log(describe(totals));
  if (failed > 0) process.exitCode = 1;
}

/** Prints a history that is as short as some attempts make it, and the faults that it takes. */
async function showShortest(
  history: readonly Step[],
  seed: string,
  plan: Plan,
  flaws: readonly string[],
): Promise<void> {
  const wanted = kindOfFlaw(flaws);
  const fails = async (steps: readonly Step[], kinds: ReadonlySet<FaultKind>) =>
    kindOfFlaw((await simulate(steps, { seed, kinds })).flaws) === wanted;
  const taken = new Set(plan.kinds);
  for (const kind of plan.kinds) {
    taken.delete(kind);
    if (!(await fails(history, taken))) taken.add(kind);
  }
  const shortest = await shorten(history, (steps) => fails(steps, taken), mostAttempts);
  const { flaws: left } = await simulate(shortest, { seed, kinds: taken });
  console.log(`the shortest history found, with ${[...taken].join(', ') || 'no faults'}:`);
  for (const step of shortest) console.log(`  ${JSON.stringify(step)},`);
  console.log(left.slice(0, 5).join('\n'));
}

/** What two flaws of one cause have in common: their words without names and numbers. */
export function kindOfFlaw([flaw]: Verdict['flaws']): string | undefined {
  return flaw?.replaceAll(/\{.*\}|[\w:#~/.-]*\d[\w:#~/.-]*/gs, '').slice(0, 60);
}

function describe(totals: ReadonlyMap<string, number>): string {
  return Array.from(totals, ([kind, count]) => `${kind} ${count}`)
    .sort()
    .join(', ');
}

function readPlan(): Plan | undefined {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Date.now()) },
      operations: { type: 'string', default: '20000' },
      length: { type: 'string', default: '400' },
      only: { type: 'string' },
      without: { type: 'string', default: '' },
      'keep-going': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const without = new Set(values.without.split(','));
  const only = values.only === undefined ? faultKinds : values.only.split(',');
  const entries = Object.entries(weights).filter(([kind]) => !without.has(kind));
  return {
    seed: values.seed,
    operations: Number(values.operations),
    length: Number(values.length),
    kinds: new Set(faultKinds.filter((kind) => only.includes(kind) && !without.has(kind))),
    chosen: Object.fromEntries(entries),
    keepsGoing: values['keep-going'],
  };
}

await main();
