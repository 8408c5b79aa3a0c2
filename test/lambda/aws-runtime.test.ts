/** Functions as they are deployed, under AWS's own runtime client for Node. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Fault, type ServedEngine, serveFaultyEngine } from '../support/faulty-engine.ts';
import { everywhere } from '../support/replicas.ts';
import { ownEngine, tokenKey } from '../support/run.ts';
import { asRoot, newScope, uniqueName } from '../support/server.ts';
import { bundleFunctions, type Bundles, type DeployedFunction, type GatewayAnswer } from './deployed-function.ts';
import { openRelay, type Relay } from './relay.ts';

const root = asRoot();
const fileCount = 300;
/** Time that the function keeps for the last line. */
const marginMs = 3_000;

/** An error of a read that no retry helps. */
const lost: Fault = {
  kind: 'answer',
  status: 400,
  body: { __type: 'com.amazon.coral.validate#ValidationException', message: 'the table is away' },
};

let bundles: Bundles;
let table: ServedEngine;
let relay: Relay;
let env: Readonly<Record<string, string>>;
let headers: Readonly<Record<string, string>>;
let scope: string;
/** What takes its time by waiting, begun before all other tests. */
let fromSilentTable: ReturnType<typeof askSilentTable>;
let afterForgetting: ReturnType<typeof askAfterForgetting>;
let listed: readonly { readonly scope: string; readonly name: string }[];

beforeAll(async () => {
  [bundles, table, scope] = await Promise.all([
    bundleFunctions(['dids', 'ping', 'replicas', 'scopes']),
    ownEngine().then(serveFaultyEngine),
    newScope(),
  ]);
  const { tableName } = await ownEngine();
  relay = await openRelay(Number(new URL(table.endpoint).port));
  env = { TABLE_NAME: tableName, TOKEN_KEY: await tokenKey(), AWS_ENDPOINT_URL_DYNAMODB: relay.url };
  headers = { 'X-Rucio-Auth-Token': await root.token() };
  fromSilentTable = askSilentTable();
  afterForgetting = askAfterForgetting();
  // A failure is that of the test that waits for it.
  for (const waiting of [fromSilentTable, afterForgetting]) waiting.catch(() => {});
  listed = await longReplicas();
}, 120_000);

afterAll(async () => {
  await Promise.allSettled([fromSilentTable, afterForgetting]);
  await bundles.close();
  relay.close();
  await table.close();
});

/** Files on an RSE whose PFNs have a thousand characters: some 300 KB of a list. */
async function longReplicas() {
  const rse = uniqueName('rse').toUpperCase();
  await root.post(`/rses/${rse}`, {});
  const prefix = `/${'p'.repeat(990)}/`;
  await root.post(`/rses/${rse}/protocols/file`, {
    port: 0,
    hostname: 'localhost',
    impl: 'rucio.rse.protocols.posix.Default',
    prefix,
    domains: everywhere,
  });
  const named = Array.from({ length: fileCount }, (_, n) => ({
    scope,
    name: `file.${n}`,
    bytes: 1,
    adler32: '0cc737eb',
  }));
  expect((await root.post('/replicas', { rse, files: named })).status).toBe(201);
  return named.map(({ name }) => ({ scope, name }));
}

async function using(
  name: string,
  mode: 'stream' | 'buffer',
  work: (deployed: DeployedFunction) => Promise<void>,
  edit?: readonly [string, string],
): Promise<void> {
  const deployed = await bundles.start(name, { ...env, RESPONSE_MODE: mode }, edit);
  try {
    await work(deployed);
  } finally {
    await deployed.close();
  }
}

/** Lists scopes with a function that reaches the table through a relay of its own, to an engine without the faults of other tests. */
async function beyondOwnRelay<T>(
  work: (list: () => Promise<GatewayAnswer>, scopes: DeployedFunction, own: Relay) => Promise<T>,
): Promise<T> {
  const sound = await ownEngine().then(serveFaultyEngine);
  const own = await openRelay(Number(new URL(sound.endpoint).port));
  const scopes = await bundles.start('scopes', { ...env, AWS_ENDPOINT_URL_DYNAMODB: own.url, RESPONSE_MODE: 'buffer' });
  try {
    return await work(() => scopes.call('GET', '/scopes/', { headers }), scopes, own);
  } finally {
    await scopes.close();
    own.close();
    await sound.close();
  }
}

/** Time that an answer takes. */
async function timed(ask: () => Promise<GatewayAnswer>): Promise<[answer: GatewayAnswer, seconds: number]> {
  const begun = performance.now();
  const answer = await ask();
  return [answer, (performance.now() - begun) / 1000];
}

const askSilentTable = () =>
  beyondOwnRelay(async (list, _scopes, own) => {
    own.isSilent = true;
    const [silent, seconds] = await timed(list);
    own.isSilent = false;
    return { silent, seconds, next: await list() };
  });

const askAfterForgetting = () =>
  beyondOwnRelay(async (list, scopes, own) => {
    const first = await list();
    await scopes.freeze(async () => own.forget());
    const [next, seconds] = await timed(list);
    return { first, next, seconds };
  });

const listReplicas = (deployed: DeployedFunction, options: { gzip?: boolean; remainingMs?: number } = {}) =>
  deployed.call('POST', '/replicas/list', {
    headers: { ...headers, ...(options.gzip === true ? { 'Accept-Encoding': 'gzip' } : {}) },
    body: JSON.stringify({ dids: listed }),
    ...(options.remainingMs === undefined ? {} : { remainingMs: options.remainingMs }),
  });

/** The whole lines of a list that broke off, and its last line. */
function linesOf(text: string): { readonly rows: unknown[]; readonly last: string } {
  const lines = text.split('\n');
  return { rows: lines.slice(0, -1).map((line) => JSON.parse(line) as unknown), last: lines.at(-1) ?? '' };
}

describe.each(['stream', 'buffer'] as const)('a deployed function, response mode %s', (mode) => {
  it('answers documents, lists, HEAD, writes without a body and preflights, and lives on', () =>
    using('dids', mode, async (dids) => {
      const path = `/dids/${scope}/${uniqueName('ds')}`;
      const created = await dids.call('POST', path, { headers, body: JSON.stringify({ type: 'DATASET' }) });
      expect(created).toMatchObject({ statusCode: 201, text: 'Created', isComplete: true });
      const found = await dids.call('GET', path, { headers });
      expect(found).toMatchObject({ statusCode: 200, isComplete: true });
      expect(JSON.parse(found.text)).toMatchObject({ type: 'DATASET' });
      expect(await dids.call('HEAD', path, { headers })).toMatchObject({ statusCode: 200, isComplete: true });
      const known = { ...headers, 'If-None-Match': found.headers['ETag'] ?? '' };
      expect(await dids.call('GET', path, { headers: known })).toMatchObject({
        statusCode: 304,
        isComplete: true,
        text: '',
      });
      expect(await dids.call('GET', `${path}/dids`, { headers })).toMatchObject({ statusCode: 200, isComplete: true });
      expect(await dids.call('OPTIONS', path)).toMatchObject({ statusCode: 403, isComplete: true });
      const missing = await dids.call('GET', `/dids/${scope}/none`, { headers });
      expect(missing).toMatchObject({ statusCode: 404, isComplete: true });
      expect(missing.headers['ExceptionClass']).toBe('DataIdentifierNotFound');
      expect(dids.exits).toBe(0);
    }));

  it('answers after a freeze in which the table has closed its connections', () =>
    using('scopes', mode, async (scopes) => {
      const list = () => scopes.call('GET', '/scopes/', { headers });
      expect((await list()).statusCode).toBe(200);
      await scopes.freeze(async () => relay.hangUp());
      const begun = performance.now();
      expect((await list()).text).toContain(scope);
      expect(performance.now() - begun).toBeLessThan(5_000);
      expect(scopes.exits).toBe(0);
    }));
});

describe('answers for a platform that hangs on empty streams', () => {
  it('have a byte at least, are never 304, and carry no media type of the platform', async () => {
    const deployed = await bundles.start('dids', { ...env, RESPONSE_MODE: 'stream', EMPTY_STREAMS: 'fill' });
    try {
      const path = `/dids/${scope}/${uniqueName('ds')}`;
      await deployed.call('POST', path, { headers, body: JSON.stringify({ type: 'DATASET' }) });
      const found = await deployed.call('GET', path, { headers });
      const known = { ...headers, 'If-None-Match': found.headers['ETag'] ?? '' };
      const answers = [
        found,
        await deployed.call('GET', path, { headers: known }),
        await deployed.call('GET', `${path}/dids`, { headers }),
        await deployed.call('HEAD', path, { headers }),
        await deployed.call('PUT', `${path}/status`, { headers, body: JSON.stringify({ open: false }) }),
        await deployed.call('OPTIONS', path),
      ];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 403]);
      expect(answers[1]?.text).toBe(found.text);
      for (const { bodyBytes, contentType, isComplete } of answers) {
        expect(bodyBytes).toBeGreaterThan(0);
        expect(contentType).toBe('application/octet-stream');
        expect(isComplete).toBe(true);
      }
    } finally {
      await deployed.close();
    }
  });
});

describe('a list that breaks off under the runtime client of AWS', () => {
  it.each([
    ['plain', false],
    ['compressed', true],
  ])('at the deadline delivers its rows and the broken line, and the process lives on, %s', (_kind, gzip) =>
    using('replicas', 'stream', async (replicas) => {
      const whole = await listReplicas(replicas, { gzip });
      expect(linesOf(whole.text).rows).toHaveLength(fileCount);
      const cut = await listReplicas(replicas, { gzip, remainingMs: marginMs - 100 });
      const { rows, last } = linesOf(cut.text);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.length).toBeLessThan(fileCount);
      expect(last).toContain('The list is incomplete');
      expect(cut).toMatchObject({ statusCode: 200, isComplete: true, errorType: 'Error' });
      expect((await listReplicas(replicas, { gzip })).text).toBe(whole.text);
      expect(replicas.exits).toBe(0);
    }),
  );

  it.each([
    ['plain', false],
    ['compressed', true],
  ])('at a read error delivers its rows and the broken line, and the process lives on, %s', (_kind, gzip) =>
    using('dids', 'stream', async (dids) => {
      const search = () =>
        dids.call('GET', `/dids/${scope}/dids/search`, {
          headers: { ...headers, ...(gzip ? { 'Accept-Encoding': 'gzip' } : {}) },
          query: { type: ['file'] },
        });
      const whole = await search();
      expect(linesOf(whole.text).rows).toHaveLength(fileCount);
      table.injectFaults((operation, { ExclusiveStartKey }) => {
        if (operation !== 'Query') return undefined;
        return ExclusiveStartKey === undefined ? { kind: 'cut', items: 20 } : lost;
      });
      const cut = await search();
      table.injectFaults(() => undefined);
      const { rows, last } = linesOf(cut.text);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.length).toBeLessThan(fileCount);
      expect(last).toContain('The list is incomplete');
      expect(cut).toMatchObject({ statusCode: 200, isComplete: true, errorType: expect.any(String) as string });
      expect((await search()).text).toBe(whole.text);
      expect(dids.exits).toBe(0);
    }),
  );

  it('at the size limit', () =>
    using(
      'replicas',
      'stream',
      async (replicas) => {
        const cut = await listReplicas(replicas);
        expect(cut.bodyBytes).toBeLessThanOrEqual(100_000);
        expect(linesOf(cut.text).rows.length).toBeGreaterThan(30);
        expect(linesOf(cut.text).last).toContain('The list is incomplete');
        expect(cut).toMatchObject({ statusCode: 200, isComplete: true });
        expect((await listReplicas(replicas, { gzip: true })).text.length).toBeGreaterThan(100_000);
        expect(replicas.exits).toBe(0);
      },
      ['199e6', '1e5'],
    ));
});

describe('a function whose table is not reachable', () => {
  it('answers 503 within the time of the gateway, when the table accepts connections and never answers', async () => {
    const { silent, seconds, next } = await fromSilentTable;
    expect(silent.statusCode).toBe(503);
    expect(seconds).toBeLessThan(29);
    expect(next.statusCode).toBe(200);
  });

  it('answers in seconds after a freeze in which the network forgot its connections', async () => {
    const { first, next, seconds } = await afterForgetting;
    expect(first.statusCode).toBe(200);
    expect(next.statusCode).toBe(200);
    // Two requests that nobody answers for four seconds each.
    expect(seconds).toBeLessThan(16);
  });
});
