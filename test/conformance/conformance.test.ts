import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { compareAnswers } from './compare.ts';
import { readFixture } from './fixtures.ts';
import { differences as pathDifferences } from './paths/differences.ts';
import { askAll, readAnswers } from './paths/fixture.ts';
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

// Behind the scenarios, on their server: status and class depend on nothing that these leave.
describe('a path', () => {
  const neededReasons = new Set<string>();

  it('is answered as a real Rucio answers it, or the difference has its reason', async () => {
    const recorded = await readAnswers();
    expect(recorded.size).toBeGreaterThan(500);
    const unexplained: string[] = [];
    for await (const { request, answer } of askAll(server.url)) {
      const line = `${request}: ${recorded.get(request) ?? 'never recorded'} -> ${answer}`;
      if (recorded.get(request) === answer) continue;
      const difference = pathDifferences.find(({ lines }) => lines.test(line));
      if (difference === undefined) unexplained.push(line);
      else neededReasons.add(difference.reason);
    }
    expect(unexplained).toEqual([]);
  });

  it('needs every reason', () => {
    expect(pathDifferences.map(({ reason }) => reason).filter((reason) => !neededReasons.has(reason))).toEqual([]);
  });
});
