import type { ActionKind } from './actions.ts';
import type { Plan } from './plan.ts';
import { Random } from './random.ts';

/** The actions of clients, by weight, and the faults that a history may have. */
interface Choice extends Pick<Plan, 'chosen' | 'kinds'> {}

/** The conditions of a history. */
export interface Conditions extends Choice {
  /** Whether the limits of the service are small (small-limits.ts). */
  readonly isSmall: boolean;
}

/** Actions of which each history has at least one: without them there is nothing to change. */
const sources = ['attach', 'fill', 'expiring'] as const;

/** Shares of the actions and of the faults that a history has. */
const [actionShare, faultShare] = [0.5, 0.75];

/**
 * Draws the conditions of a history. With `--swarm` each history leaves out some actions and faults: it then has more of the
 * others, and what would hide a defect is missing in some histories.
 */
export function drawConditions(
  seed: string,
  { swarm, limits, chosen, kinds }: Choice & Pick<Plan, 'swarm' | 'limits'>,
): Conditions {
  const isSmall = limits === 'any' ? new Random(seed).fork('limits').chance(0.5) : limits === 'small';
  if (!swarm) return { chosen, kinds, isSmall };
  const random = new Random(seed).fork('conditions');
  const source = random.pick(sources);
  const entries = Object.entries(chosen) as [ActionKind, number][];
  const kept = entries.filter(([kind]) => random.chance(actionShare) || kind === source);
  return {
    chosen: Object.fromEntries(kept),
    kinds: new Set([...kinds].filter(() => random.chance(faultShare))),
    isSmall,
  };
}
