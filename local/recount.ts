import type { Recounted } from '../lib/background/recount-usage.ts';
import type { LocalEngine } from './open-engine.ts';
import { toggle, type Values } from './option.ts';
import { describeTable, openEngineOf, runProgram } from './programs.ts';
import { dataOption, helpOption, rseOption } from './shared-options.ts';

const options = {
  rse: rseOption,
  repair: toggle('--repair', 'puts right what is wrong'),
  data: dataOption('the data of a local server, which must not run'),
  help: helpOption,
};

async function main(values: Values<typeof options>): Promise<void> {
  const engine = openEngineOf(values.data);
  try {
    const outcome = await recount(engine, values);
    for (const line of describe(outcome)) console.log(line);
    if (outcome.missing.length > 0 || outcome.counts.wrong > 0 || outcome.counts.restless > 0) process.exitCode = 1;
  } finally {
    engine?.close();
  }
}

/** The result of a recount. */
interface Outcome {
  /** Number of sums by verdict. */
  readonly counts: Readonly<Record<Recounted['verdict'], number>>;
  readonly rses: number;
  /** Requested RSEs that do not exist. */
  readonly missing: readonly string[];
}

/** Recounts, and reports each wrong sum as soon as it is known. */
async function recount(
  engine: LocalEngine | undefined,
  { rse: wanted, repair }: { readonly rse?: readonly string[] | undefined; readonly repair: boolean },
): Promise<Outcome> {
  const { openStore } = await import('../lib/store/open-store.ts');
  const { recountUsage } = await import('../lib/background/recount-usage.ts');
  const counts = { right: 0, wrong: 0, repaired: 0, restless: 0 };
  const rses = new Set<string>();
  const limits = { repair, ...(wanted === undefined ? {} : { rses: wanted }) };
  for await (const found of recountUsage(openStore(engine?.client), limits)) {
    counts[found.verdict] += 1;
    rses.add(found.rse);
    if (found.verdict !== 'right') console.log(describeSum(found));
  }
  return { counts, rses: rses.size, missing: (wanted ?? []).filter((name) => !rses.has(name)) };
}

function describeSum({ verdict, rse, account, recorded, counted }: Recounted): string {
  const [before, after] = [recorded, counted].map(({ bytes, files }) => `${bytes} bytes in ${files} files`);
  return `${verdict}: ${account === undefined ? rse : `${account} on ${rse}`}: recorded ${before}, counted ${after}`;
}

function describe({ counts, rses, missing }: Outcome): string[] {
  const lines = missing.map((name) => `There is no RSE ${name}.`);
  if (rses === 0) return lines.length > 0 ? lines : ['There are no RSEs, so there is nothing to count.'];
  const sums = (count: number, what: string) => `${count} ${count === 1 ? 'sum' : 'sums'} of usage ${what}`;
  if (counts.right > 0) {
    const where = `on ${rses} ${rses === 1 ? 'RSE' : 'RSEs'}`;
    lines.push(`${sums(counts.right, `${where}: recorded as the replicas and locks add up to`)}. That is right.`);
  }
  if (counts.repaired > 0) lines.push(`${sums(counts.repaired, 'put right')}.`);
  if (counts.wrong > 0) lines.push(`${sums(counts.wrong, 'wrong')}: put right by \`--repair\`.`);
  if (counts.restless > 0) lines.push(`${sums(counts.restless, 'changed during every count')}: count again later.`);
  return lines;
}

await runProgram({
  usage: 'npm run recount -- [options]',
  summary: 'counts usage anew and compares it with what is recorded',
  options,
  notes: [describeTable('read and write', 'Ends with 1 when something is wrong and was not repaired.')],
  run: main,
});
