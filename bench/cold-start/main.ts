import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { documentFileName } from '../../lib/contract/page-files.ts';
import { makeDocument } from '../../lib/openapi/document.ts';
import { startServer } from '../../local/server.ts';
import { gatewayEvent } from '../../test/support/event.ts';
import { type Bundle, buildBundles } from './bundles.ts';
import type { FirstRequest } from './first-request.ts';

/*
 * The cold start of each function: the size of its bundle, and the time that a fresh process takes to load it and to handle the
 * first event, compared with an empty handler. `CPU ms` is the processor time of the main thread, which depends less on the load
 * of the machine.
 */

const { values } = parseArgs({ options: { repetitions: { type: 'string', default: '5' }, parts: { type: 'string' } } });
const run = promisify(execFile);

/** A cheap read of each group; of the rest an event with nothing to do. Absent: the function is loaded, not called. */
const events: Readonly<Record<string, unknown>> = {
  accounts: read('/accounts/root'),
  archives: read('/archives/root/none/files'),
  auth: read('/auth/validate'),
  config: read('/config'),
  credentials: read('/credentials/signurl?rse=NONE&url=x'),
  dids: read('/dids/root/none'),
  dirac: gatewayEvent('POST', '/dirac/addfiles'),
  events: gatewayEvent('HEAD', '/events'),
  fleet: read('/export'),
  identities: read('/identities/root/userpass/accounts'),
  'lifetime-exceptions': read('/lifetime_exceptions/'),
  locks: gatewayEvent('GET', '/locks/root/none', { query: { did_type: ['dataset'] } }),
  'meta-conventions': read('/meta_conventions'),
  opendata: read('/opendata/public/dids'),
  openapi: read('/openapi.json'),
  ping: read('/ping'),
  replicas: read('/replicas/root/none'),
  requests: read('/requests/metrics'),
  rses: read('/rses/NONE'),
  rules: read(`/rules/${'0'.repeat(32)}`),
  scopes: read('/scopes/'),
  subscriptions: read('/subscriptions/root/none'),
  'consume-stream': { Records: [] },
  'follow-up-stream': { Records: [] },
  'do-work': {},
  'expire-dids': {},
  'follow-owed': {},
  'maintain-metadata-index': {},
  'move-data': {},
  'stream-data': {},
  'free-space': {},
  'recover-batches': {},
  empty: {},
};

function read(path: string): ReturnType<typeof gatewayEvent> {
  return gatewayEvent('GET', path);
}

const folder = await mkdtemp(join(tmpdir(), 'dapple-cold-start-'));
const environment = {
  TOKEN_KEY: randomBytes(32).toString('base64'),
  LOG_LEVEL: 'ERROR',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  RESPONSE_MODE: 'stream',
  TABLE_NAME: 'DappleColdStart',
};
Object.assign(process.env, environment);
const server = await startServer({ port: 0, inMemory: true, dynamodbPort: 0, tableName: environment.TABLE_NAME });
try {
  const token = await logIn();
  const bundles = await buildBundles(folder);
  await writeFile(join(folder, 'openapi', documentFileName), makeDocument());
  const empty = join(folder, 'empty.mjs');
  await writeFile(empty, 'export const handler = async () => ({});\n');
  printRow('Function', 'KB', 'KB gzip', 'Load ms', 'CPU ms', 'First event ms', 'CPU ms', 'Answer');
  printRow('---', '---:', '---:', '---:', '---:', '---:', '---:', '---:');
  await measure({ name: 'empty', file: empty, bytes: 41, gzipped: 61 }, token);
  for (const bundle of bundles) await measure(bundle, token);
  for (const bundle of bundles) if (bundle.name === values.parts) printParts(bundle);
} finally {
  await server.close();
  await rm(folder, { recursive: true });
}

async function logIn(): Promise<string> {
  const answer = await fetch(`${server.url}/auth/userpass`, {
    headers: { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' },
  });
  return answer.headers.get('X-Rucio-Auth-Token') ?? '';
}

async function measure(bundle: Omit<Bundle, 'parts'>, token: string): Promise<void> {
  const event = events[bundle.name];
  const figures: FirstRequest[] = [];
  for (let count = 0; count < Number(values.repetitions); count += 1) {
    figures.push(await startFresh(bundle.file, event === undefined ? undefined : withToken(event, token)));
  }
  const of = (key: keyof FirstRequest) => {
    const times = figures.flatMap((figure) => figure[key] ?? []).toSorted((a, b) => a - b);
    return times[Math.floor(times.length / 2)]?.toFixed(0) ?? '-';
  };
  const [bytes, gzipped] = [bundle.bytes, bundle.gzipped].map((size) => (size / 1_000).toFixed(0));
  printRow(
    bundle.name,
    bytes ?? '',
    gzipped ?? '',
    of('load'),
    of('loadCpu'),
    of('request'),
    of('requestCpu'),
    of('status'),
  );
}

function withToken(event: unknown, token: string): unknown {
  const { headers, ...rest } = event as { readonly headers?: object };
  return headers === undefined ? event : { ...rest, headers: { 'X-Rucio-Auth-Token': token } };
}

async function startFresh(file: string, event: unknown): Promise<FirstRequest> {
  const script = join(import.meta.dirname, 'first-request.ts');
  const parameters = [script, file, ...(event === undefined ? [] : [JSON.stringify(event)])];
  const env = { ...environment, PATH: process.env['PATH'], AWS_ENDPOINT_URL_DYNAMODB: server.dynamodbUrl };
  const { stdout } = await run(process.execPath, parameters, { env });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as FirstRequest;
}

function printParts({ name, parts }: Bundle): void {
  console.log(`\nWhat ${name} is made of, in KB:\n`);
  for (const [part, bytes] of parts)
    if (bytes >= 1_000) console.log(`${(bytes / 1_000).toFixed(1).padStart(7)} ${part}`);
}

function printRow(...cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}
