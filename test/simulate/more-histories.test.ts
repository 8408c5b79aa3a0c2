/** Random histories that leave out some actions and faults, for a second worker. */
import { afterAll, describe, expect, it } from 'vitest';

import { patience } from '../support/volume.ts';
import { describeTotals, judgeHistory, seed, seedsOf } from './rounds.ts';

afterAll(() => console.log(describeTotals()));

describe(`a simulated deployment (SIMULATE_SEED=${seed})`, () => {
  it.each(seedsOf(1))(
    'answers honestly and keeps all that it has acknowledged, seed %s',
    async (name) => {
      expect(await judgeHistory(name, true)).toEqual([]);
    },
    patience(120_000),
  );
});
