import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { compareAnswers } from './compare.ts';
import { readFixture } from './fixtures.ts';
import { pendingDifferences } from './pending-differences.ts';
import { replay } from './replay.ts';
import { scenarios } from './scenarios/index.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess(['--in-memory']);
});
afterAll(() => server.stop());

/** Pending differences that have hidden a difference. */
const needed = new Set<string>();

describe('the answers of a real Rucio', () => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'is what Dapple answers, or the difference has its reason: %s',
    async (_name, scenario) => {
      const recorded = await readFixture(scenario);
      const differences: string[] = [];
      for await (const { step, answer } of replay(scenario, server.url)) {
        const expected = recorded.get(step.name);
        const findings = expected === undefined ? ['never recorded'] : compareAnswers(step, expected.answer, answer);
        if (findings.length === 0) continue;
        const entry = pendingDifferences.find(
          ({ steps }) => steps.test(`${scenario.name}: ${step.name}`) || steps.test(step.path),
        );
        if (entry === undefined) differences.push(`${step.name} (${step.method} ${step.path}): ${findings.join('; ')}`);
        else needed.add(entry.steps.source);
      }
      expect(differences).toEqual([]);
    },
    120_000,
  );

  it('needs every pending difference', () => {
    expect([...needed].toSorted()).toEqual(pendingDifferences.map(({ steps }) => steps.source).toSorted());
  });
});
