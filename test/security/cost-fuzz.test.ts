/**
 * No request costs more than 100 units for each unit of its size: generated requests to every route, over graphs of all shapes.
 * `COST_SEED` sets the seed.
 *
 * The size of a request: rows and kilobytes of its answer, objects in its body, and for a few that walk the graph for a short
 * answer the existing DIDs and attachments.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { groups } from '../../lib/contract/index.ts';
import type { Route } from '../../lib/contract/route.ts';
import { log } from '../../lib/log.ts';
import { fleetCopies } from '../../lib/store/entities/fleet-version.ts';
import { makeCatalogue } from '../contract/generated/catalogue.ts';
import { type GeneratedRequest, type Material, requestsTo } from '../contract/generated/requests.ts';
import { send } from '../contract/generated/wire.ts';
import { baseUrl } from '../support/run.ts';
import { patience, volumeOf, seedFrom } from '../support/volume.ts';
import { countRses, makeShapes, requestWithoutSource, sizeOf } from './shapes.ts';

const seed = seedFrom('COST_SEED');
const total = volumeOf('costlyRequests');
/** Whether to print the worst request of every route, not only the worst of all. */
const isWhole = total >= 100_000;

/** Left out: they hash passwords, which is slow, and cost no units. */
const slow = new Set(['logIn', 'addAccountIdentity', 'addUserPass']);
const routes: [string, Route][] = groups
  .flatMap((group) => Object.entries<Route>(group.routes))
  .filter(([id]) => !slow.has(id));

/** Routes about DIDs walk the graph: they get more requests than the others. */
const weight = ({ path }: Route) => (path.startsWith('/dids') || path.startsWith('/re') ? 4 : 1);
const share = total / routes.reduce((sum, [, route]) => sum + weight(route), 0);

/**
 * Routes whose answers say little of what they are about: `explain` of a search over all that lies below a scope, a sample
 * of a dataset, the first replica of its files, a new rule that locks its files, the few stuck locks of a rule, what a
 * subscription would match of a scope; and rules that are looked for among all that there are, here also those of other test
 * files.
 */
const walks = new Set([
  'addRules',
  'analyseRule',
  'createSample',
  'createSampleByPath',
  'listReplicationRules',
  'listSubscriptionMatches',
  'moveRule',
  'reduceRule',
  'redirect',
  'searchDids',
  'searchDidsExtended',
]);

/**
 * Routes that cannot succeed here: they need a provider, a certificate or a key, a setting that other test files must not see,
 * the name of a file of the page, or are always refused, as in Rucio.
 */
const unreachable = new Set([
  'addGss',
  'addLifetimeExceptions',
  'addX509',
  'continueOidcLogin',
  'finishOidcLogin',
  'getDocsFile',
  'getPageFile',
  'logInToWebUi',
  'logInWithGss',
  'logInWithProxy',
  'logInWithSsh',
  'logInWithX509',
  'requestOidcLogin',
  'signUrl',
  'signUrlShort',
  'updateLifetimeException',
  'updateProtocolOfHost',
  'updateProtocolOfScheme',
]);

/** Units for each RSE. A request may have to read all of them. */
const unitsPerRse = 1;

/**
 * Cost of a lease beside that: by an expression it looks in four shards of each RSE for what is due, and it looks at
 * each copy that is due. Those that have no source it puts off, which is one write, and its answer does not have them.
 */
const leaseUnits = { perRse: 2, perCopy: 5 };
/** An RSE that is deleted gets 256 marks, which may be taken back; an import may delete some. */
const closing = new Set(['deleteRse', 'importData']);
const unitsPerClosing = 600;

/** A change of an RSE reads and writes each copy of the version of the fleet, in a transaction (docs/adr/0010-rse-fleet.md). */
const unitsPerFleetChange = 3 * fleetCopies;
const changesFleet = new Set([
  'importData',
  ...routes.filter(([, { method, path }]) => method !== 'GET' && path.startsWith('/rses')).map(([id]) => id),
]);

/** Units for each row, kilobyte and named object. */
const maxUnitsPerSize = 100;

interface Worst {
  readonly ratio: number;
  readonly units: number;
  readonly target: string;
}

const worst = new Map<string, Worst>();
const successful = new Set<string>();
let material: Material;
let size = 0;
/** Copies that are requested to one of the RSEs. */
let copies = 0;
let requests = 0;
/** Units of the requests that the server has logged, in their order. */
const logged: { readonly operation: string | undefined; readonly units: number }[] = [];

beforeAll(async () => {
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(log, level).mockImplementation((_message, ...more) => {
      const record = (more[0] ?? {}) as { operation?: string; rru?: number; wru?: number };
      if (record.rru !== undefined) {
        logged.push({ operation: record.operation, units: record.rru + (record.wru ?? 0) });
      }
    });
  }
  material = await makeCatalogue(seed);
  const scope = String(material.words['scope']?.[0]);
  const rses = material.words['rse']?.map(String) ?? [];
  const shapes = await makeShapes(scope, rses);
  ({ size } = shapes);
  copies = shapes.copied.length;
  material = {
    ...material,
    words: {
      ...material.words,
      scope: [scope],
      name: [...shapes.names, 'dataset', 'file.1'],
      rule_id: [...(material.words['rule_id'] ?? []), ...shapes.ruleIds],
      'path /requests/**:scope_name/:rse': shapes.copied.map((name) => `/requests/${scope}/${name}/${rses[1]}`),
    },
  };
}, 120_000);

afterAll(() => {
  vi.restoreAllMocks();
  const list = [...worst].toSorted(([, a], [, b]) => b.ratio - a.ratio).slice(0, isWhole ? worst.size : 8);
  const text = list.map(([id, { ratio, units, target }]) => `${id} ${ratio.toFixed(1)} (${units} units, ${target})`);
  console.log(
    `cost: ${requests} requests to ${routes.length} routes over ${size} DIDs and attachments, COST_SEED=${seed}; worst:\n  ${text.join('\n  ')}`,
  );
});

describe(`the cost of a request (COST_SEED=${seed})`, () => {
  it.each(routes.map(([id, route], index) => [id, route, seed + index] as const))(
    '%s is in proportion to what it is about',
    async (id, route, ownSeed) => {
      await fc.assert(
        fc.asyncProperty(requestsTo(route, material), (request) => check(id, request)),
        { numRuns: Math.max(1, Math.round(share * weight(route))), seed: ownSeed, endOnFailure: true },
      );
    },
    patience(120_000),
  );
});

it('a lease that puts off all copies has a price for each of them', async () => {
  const rse = await requestWithoutSource();
  await check('leaseRequests', {
    method: 'POST',
    target: '/requests/lease',
    headers: { 'X-Rucio-Auth-Token': String(material.tokens[0]) },
    body: JSON.stringify({ holder: 'mover', dst_rse: rse }),
  });
});

it('each route is tried with success, in a whole run', () => {
  const inVain = routes.map(([id]) => id).filter((id) => !successful.has(id) && !unreachable.has(id));
  // A few requests to a route may all be refused.
  const tolerated = total < 1_000 ? 0.7 : 0.5;
  expect(inVain.length).toBeLessThanOrEqual(isWhole ? 0 : routes.length * tolerated);
});

/** DIDs and attachments to walk through; samples add attachments. */
async function measure(): Promise<number> {
  size = await sizeOf(String(material.words['scope']?.[0]));
  return size;
}

async function check(id: string, request: GeneratedRequest): Promise<void> {
  logged.length = 0;
  const url = await baseUrl();
  const { status, text } = await send(url, request);
  if (status < 400) successful.add(id);
  // A streamed answer is logged when it is closed, which is before the next request is answered.
  await send(url, { method: 'GET', target: '/ping', headers: {}, body: undefined });
  requests += 1;
  const units = logged.filter(({ operation }) => operation === id).reduce((sum, record) => sum + record.units, 0);
  const about = 1 + rowsIn(text) + (text.length + (request.body?.length ?? 0)) / 1_024 + namedIn(request.body);
  const ratio = units / about;
  const target = `${request.method} ${request.target.slice(0, 120)}`;
  if (ratio > (worst.get(id)?.ratio ?? 0)) worst.set(id, { ratio, units, target });
  // Counted only for the routes that need it.
  const isOver = units > maxUnitsPerSize * about;
  const graph = walks.has(id) && isOver ? 2 * (await measure()) : 0;
  const rses = isOver ? await countRses() : 0;
  const lease = id === 'leaseRequests' ? leaseUnits.perRse * rses + leaseUnits.perCopy * copies : 0;
  const fleet = changesFleet.has(id) && status < 400 ? unitsPerFleetChange : 0;
  expect(units, `${target} ${request.body?.slice(0, 300) ?? ''}`).toBeLessThanOrEqual(
    maxUnitsPerSize * about + graph + unitsPerRse * rses + lease + fleet + (closing.has(id) ? unitsPerClosing : 0),
  );
}

/** Lines of a stream, elements of a list. */
function rowsIn(text: string): number {
  if (!text.startsWith('[')) return text.split('\n').length - 1;
  try {
    return (JSON.parse(text) as unknown[]).length;
  } catch {
    return 0;
  }
}

/** Objects of a body, such as the DIDs that it names. */
function namedIn(body: string | undefined): number {
  return body?.split('{').length ?? 0;
}
