import { expect, it } from 'vitest';

import { patience, volumeOf } from '../support/volume.ts';
import { type ActionKind, historyOf } from './actions.ts';
import { labelOf } from './labels.ts';
import { simulate } from './simulate.ts';

/** The clients with many kinds of action, and those that make what these act on. */
const chosen: Partial<Record<ActionKind, number>> = {
  attach: 10,
  fill: 5,
  rule: 3,
  move: 8,
  expiring: 25,
  replication: 40,
  opendata: 20,
  dirac: 10,
};
const total = volumeOf('simulatedActions');
const length = Math.min(500, total);
const histories = Math.ceil(total / length);

/** How often something must be tried to succeed once. */
const enough = 10;

/** Actions that are no single request of which the reply is known. */
const unanswered = new Set([
  'move',
  'replication reap',
  'replication copy',
  'replication stray',
  'replication recount',
  'operate restore',
  'expiring delete expired',
]);

it(
  'nothing is tried in vain: each kind of action succeeds now and then',
  async () => {
    const [tried, succeeded] = [new Map<string, number>(), new Set<string>()];
    for (let index = 0; index < histories; index += 1) {
      const seed = `kinds ${index}`;
      const steps = historyOf(seed, length, chosen);
      const { flaws, counts } = await simulate(steps, { seed, kinds: new Set() });
      expect(flaws).toEqual([]);
      for (const label of steps.map(({ action }) => labelOf(action))) tried.set(label, (tried.get(label) ?? 0) + 1);
      for (const kind of counts.keys()) succeeded.add(kind.replace('success of ', ''));
    }
    const inVain = [...tried].filter(
      ([label, times]) => times >= enough && !succeeded.has(label) && !unanswered.has(label),
    );
    expect(inVain).toEqual([]);
    expect(tried.size).toBeGreaterThan(40);
  },
  patience(120_000),
);
