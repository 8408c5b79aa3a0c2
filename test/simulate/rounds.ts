import { repetitions } from '../support/volume.ts';
import { historyOf } from './actions.ts';
import { type FaultKind, faultKinds } from './faults.ts';
import { simulate } from './simulate.ts';

/** Fixed: other seeds may find flaws that are still open. */
export const seed = process.env['SIMULATE_SEED'] || '1';

/** All kinds of fault. */
export const kinds: ReadonlySet<FaultKind> = new Set(faultKinds);

const total = repetitions(25_000);
const length = 500;

/** Number of test files that share the histories and run in parallel. */
const files = 2;

/** Counts of events in all histories of this file, by kind. */
const totals = new Map<string, number>();

/** The seeds of the histories of one file. */
export function seedsOf(file: number): string[] {
  const all = Array.from({ length: Math.ceil(total / length) }, (_value, index) => `${seed}.${index}`);
  return all.filter((_name, index) => index % files === file);
}

/** Runs the history of a seed and answers its flaws. */
export async function judgeHistory(name: string): Promise<readonly string[]> {
  const { flaws, counts } = await simulate(historyOf(name, length), { seed: name, kinds });
  for (const [kind, count] of counts) totals.set(kind, (totals.get(kind) ?? 0) + count);
  return flaws;
}

/** Describes the counts so far, and how to repeat the run. */
export function describeTotals(): string {
  const counts = Array.from(totals, ([kind, count]) => `${kind} ${count}`).sort();
  return `SIMULATE_SEED=${seed}: ${counts.join(', ')}`;
}
