import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { type ServerProcess, startServerProcess } from '../../test/support/server-process.ts';
import { logIn, type Send } from './log-in.ts';

/*
 * New data through a subscription: of every ten datasets three match, and get two rules each. The server, which also
 * consumes the stream, is killed when half of the rules exist; the next one continues with its data. The program fails if a
 * rule is missing, duplicated, or on other data, or if the counters are wrong.
 */

const { values } = parseArgs({
  options: { datasets: { type: 'string', default: '1000' }, crashes: { type: 'string', default: '1' } },
});
const datasets = Number(values.datasets);
const lifetime = 90 * 86_400;
const templates = [
  { rse_expression: 'medium=tape', copies: 2, activity: 'T0 Tape', lifetime },
  { rse_expression: 'region=europe', copies: 1, activity: 'T0 Export', lifetime },
];
const isWanted = (index: number) => index % 10 < 3;
const nameOf = (index: number) => `data26.${String(index).padStart(6, '0')}`;
const wanted = Array.from({ length: datasets }, (_none, index) => index).filter(isWanted);
const expected = wanted.flatMap((index) =>
  templates.map(({ rse_expression: where, copies }) => `${nameOf(index)} ${copies} ${where}`),
);

const folder = await mkdtemp(join(tmpdir(), 'dapple-subscription-'));
let server = await startServer();
try {
  let send = await logIn(server);
  await prepare(send);
  const started = performance.now();
  await create(send);
  console.log(`${datasets} datasets created in ${seconds(started)} s`);
  const crashes = Number(values.crashes);
  for (let crash = 1; crash <= crashes; crash += 1) {
    const there = await rulesThere(send, (expected.length * crash) / (crashes + 1));
    await server.kill();
    console.log(`  killed after ${seconds(started)} s with ${there} rules`);
    server = await startServer();
    send = await logIn(server);
  }
  await rulesThere(send, expected.length);
  console.log(`  ${expected.length} rules for ${wanted.length} of them after ${seconds(started)} s, crashes included`);
  await counted(send);
  console.log(`  counted after ${seconds(started)} s: ${expected.length} OK`);
  // Records that the stream still delivers must change nothing.
  await sleep(3_000);
  await check(send);
  console.log('  exactly the expected rules, once each');
} finally {
  await server.stop();
  await rm(folder, { recursive: true });
}

function startServer(): Promise<ServerProcess> {
  return startServerProcess(['--data', folder]);
}

async function post(send: Send, path: string, body?: unknown): Promise<void> {
  const answer = await send('POST', path, body);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

async function prepare(send: Send): Promise<void> {
  await post(send, '/scopes/root/bench');
  const rses = {
    TAPE_A: 'medium=tape',
    TAPE_B: 'medium=tape',
    TAPE_C: 'medium=tape',
    DISK_A: 'region=europe',
    DISK_B: 'region=asia',
  };
  for (const [rse, attribute] of Object.entries(rses)) {
    const [key, value] = attribute.split('=');
    await post(send, `/rses/${rse}`);
    await post(send, `/rses/${rse}/attr/${key}`, { value });
    await post(send, `/accounts/root/limits/local/${rse}`, { bytes: 1e15 });
  }
  const filter = { scope: ['bench'], did_type: ['DATASET'], project: ['data26'], datatype: ['AOD'] };
  const options = { filter, replication_rules: templates, comments: null, lifetime: null, retroactive: false };
  await post(send, '/subscriptions/root/aod26', { options });
}

/** Creates datasets as a production system does, some in parallel. */
async function create(send: Send): Promise<void> {
  const perRequest = 100;
  for (let start = 0; start < datasets; start += perRequest) {
    const indexes = Array.from({ length: Math.min(perRequest, datasets - start) }, (_none, index) => start + index);
    const dids = indexes.map((index) => ({
      scope: 'bench',
      name: nameOf(index),
      type: 'DATASET',
      meta: { project: 'data26', datatype: isWanted(index) ? 'AOD' : 'RAW' },
    }));
    await post(send, '/dids', dids);
  }
}

interface RuleLine {
  readonly name: string;
  readonly copies: number;
  readonly rse_expression: string;
}

async function rulesOf(send: Send): Promise<RuleLine[]> {
  const text = await (await send('GET', '/subscriptions/root/aod26/rules')).text();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RuleLine);
}

async function rulesThere(send: Send, least: number): Promise<number> {
  for (;;) {
    const { length } = await rulesOf(send);
    if (length >= least) return length;
    await sleep(100);
  }
}

async function counted(send: Send): Promise<void> {
  for (;;) {
    const text = await (await send('GET', '/subscriptions/root/aod26/rules/states')).text();
    if (text.trim() === JSON.stringify(['root', 'aod26', 'OK', expected.length])) return;
    await sleep(100);
  }
}

async function check(send: Send): Promise<void> {
  const found = (await rulesOf(send)).map(({ name, copies, rse_expression: where }) => `${name} ${copies} ${where}`);
  const difference = [...new Set(found).symmetricDifference(new Set(expected))];
  if (found.length !== expected.length || difference.length > 0) {
    throw new Error(
      `${found.length} rules instead of ${expected.length}; different: ${difference.slice(0, 5).join(', ')}`,
    );
  }
  await counted(send);
}

function seconds(started: number): string {
  return ((performance.now() - started) / 1_000).toFixed(1);
}
