/**
 * Random histories in a simulated deployment with all kinds of fault; more-histories.test.ts has the other half.
 * `SIMULATE_SEED` sets the seed. `npm run simulate` runs any number and shortens a history that fails.
 */
import { afterAll, describe, expect, it } from 'vitest';

import { patience } from '../support/volume.ts';
import { historyOf } from './actions.ts';
import { regressions } from './regressions.ts';
import { allKinds, describeTotals, judgeHistory, seed, seedsOf } from './rounds.ts';
import { simulate } from './simulate.ts';

afterAll(() => console.log(describeTotals()));

describe('a history that showed a flaw', () => {
  it.each(regressions)(
    '$what',
    async ({ seed: name, kinds: own, steps, isSmall, isOpen = false }) => {
      const { flaws } = await simulate(steps, { seed: name, kinds: new Set(own), variant: { isSmall } });
      // A flaw that was fixed must not stay marked as open.
      expect(flaws.length > 0, flaws.join('\n')).toBe(isOpen);
    },
    patience(60_000),
  );
});

describe(`a simulated deployment (SIMULATE_SEED=${seed})`, () => {
  it(
    'goes the same way with the same seed, and another way with another',
    async () => {
      const history = historyOf('same', 30);
      const traces = [];
      for (const name of ['one', 'one', 'other'])
        traces.push((await simulate(history, { seed: name, kinds: allKinds })).trace);
      expect(traces[1]).toBe(traces[0]);
      expect(traces[2]).not.toBe(traces[0]);
    },
    patience(60_000),
  );

  it.each(seedsOf(0))(
    'answers honestly and keeps all that it has acknowledged, seed %s',
    async (name) => {
      expect(await judgeHistory(name, false)).toEqual([]);
    },
    patience(120_000),
  );
});
