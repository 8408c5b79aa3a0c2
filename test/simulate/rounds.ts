import { repetitions } from '../support/volume.ts';
import { historyOf } from './actions.ts';
import { type FaultKind, faultKinds } from './faults.ts';
import { simulate } from './simulate.ts';

/** The same each time: other seeds may meet what is still open. */
export const seed = process.env['SIMULATE_SEED'] || '1';

/** Everything goes wrong that can. */
export const kinds: ReadonlySet<FaultKind> = new Set(faultKinds);

const total = repetitions(25_000);
const length = 500;

/** Histories are divided among so many files, which run at the same time. */
const files = 2;

/** What happened in all histories of this file, by kind. */
const totals = new Map<string, number>();

/** The seeds of the histories of one file. */
export function seedsOf(file: number): string[] {
  const all = Array.from({ length: Math.ceil(total / length) }, (_value, index) => `${seed}.${index}`);
  return all.filter((_name, index) => index % files === file);
}

/** Goes through the history of a seed and answers what must not be. */
export async function judgeHistory(name: string): Promise<readonly string[]> {
  const { flaws, counts } = await simulate(historyOf(name, length), { seed: name, kinds });
  for (const [kind, count] of counts) totals.set(kind, (totals.get(kind) ?? 0) + count);
  return flaws;
}

/** Says what happened so far, and how to have it again. */
export function describeTotals(): string {
  const counts = Array.from(totals, ([kind, count]) => `${kind} ${count}`).sort();
  return `SIMULATE_SEED=${seed}: ${counts.join(', ')}`;
}
