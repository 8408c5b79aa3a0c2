/**
 * Random requests. `FUZZ_SEED` sets the seed. A failure prints its seed and the smallest request that
 * still fails.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';

import { groups } from '../../lib/contract/index.ts';
import type { Route } from '../../lib/contract/route.ts';
import { baseUrl } from '../support/run.ts';
import { patience, volumeOf, seedFrom } from '../support/volume.ts';
import { findViolation } from './generated/answers.ts';
import { makeCatalogue } from './generated/catalogue.ts';
import { type GeneratedRequest, type Material, requestsTo } from './generated/requests.ts';
import { send } from './generated/wire.ts';

const total = volumeOf('generatedRequests');
const seed = seedFrom('FUZZ_SEED');
const routes: [string, Route][] = groups.flatMap((group) => Object.entries<Route>(group.routes));

/** Hashing a password takes about 50 ms: these routes get a quarter of the others' requests. */
const slow = new Set(['logIn', 'addAccountIdentity', 'addUserPass']);
const weight = ([id]: readonly [string, Route]) => (slow.has(id) ? 0.25 : 1);
const share = total / routes.reduce((sum, route) => sum + weight(route), 0);

const statuses = new Map<string, Map<number, number>>();
let material: Material;
let started = 0;

beforeAll(async () => {
  material = await makeCatalogue(seed);
  started = performance.now();
});

afterAll(() => {
  const seconds = (performance.now() - started) / 1000;
  const counts = [...statuses.values()].flatMap((byStatus) => Array.from(byStatus));
  const sum = (test: (status: number) => boolean) =>
    counts.reduce((count, [status, more]) => (test(status) ? count + more : count), 0);
  const unanswered = routes.map(([id]) => id).filter((id) => !isSuccessful(id));
  console.log(
    `${sum(() => true)} requests to ${routes.length} routes in ${seconds.toFixed(1)} s, ${sum((status) => status < 400)} ` +
      `of them successful, FUZZ_SEED=${seed}; no success: ${unanswered.join(', ') || 'none'}`,
  );
});

describe(`generated requests (FUZZ_SEED=${seed})`, () => {
  it.concurrent.each(routes.map(([id, route], index) => [id, route, seed + index] as const))(
    '%s answers no 5xx, and only what the contract declares',
    async (id, route, ownSeed) => {
      const runs = Math.max(1, Math.round(share * weight([id, route])));
      await fc.assert(
        fc.asyncProperty(requestsTo(route, material), (request) => check(id, request)),
        { numRuns: runs, seed: ownSeed },
      );
    },
    patience(300_000),
  );
});

async function check(id: string, request: GeneratedRequest): Promise<void> {
  const answer = await send(await baseUrl(), request);
  const byStatus = statuses.get(id) ?? new Map<number, number>();
  statuses.set(id, byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1));
  const flaw = findViolation(request, answer);
  if (flaw !== undefined) throw new Error(`${flaw}\n${answer.status} ${answer.text.slice(0, 1000)}`);
}

function isSuccessful(id: string): boolean {
  return [...(statuses.get(id)?.keys() ?? [])].some((status) => status < 400);
}
