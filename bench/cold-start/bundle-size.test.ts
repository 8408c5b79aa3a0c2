import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { budgets } from './budgets.ts';
import { buildBundles } from './bundles.ts';

const folder = await mkdtemp(join(tmpdir(), 'dapple-bundles-'));
afterAll(() => rm(folder, { recursive: true }));

const bundles = await buildBundles(folder);

describe('the bundles of the functions', () => {
  it('have a budget each', () => {
    expect(bundles.map(({ name }) => name)).toEqual(Object.keys(budgets).toSorted());
  });

  it.each(bundles)('$name is within its budget, which is close to its size', ({ name, bytes, parts }) => {
    const budget = (budgets[name] ?? 0) * 1_000;
    const largest = [...parts].slice(0, 8).map(([part, size]) => `${part} ${size}`);
    expect(bytes, largest.join(', ')).toBeLessThanOrEqual(budget);
    expect(bytes, 'lower the budget').toBeGreaterThan(budget * 0.9);
  });

  it.each(bundles)('$name has no code that functions never use', ({ parts }) => {
    const unused = [...parts.keys()].filter((part) =>
      /credential-provider-(?!env)|nested-clients|token-providers|zod-openapi|aws-cdk-lib|^infra\/(?!bundle)|^local|^test/.test(
        part,
      ),
    );
    expect(unused).toEqual([]);
  });

  it('have the client of the event bus only in the functions that use it, and no code that makes the OpenAPI document', () => {
    const holding = (wanted: string) => bundles.filter(({ parts }) => parts.has(wanted)).map(({ name }) => name);
    expect(holding('lib/openapi')).toEqual([]);
    expect(holding('@aws-sdk/client-eventbridge')).toEqual(['consume-stream', 'follow-owed', 'follow-up-stream']);
  });
});
