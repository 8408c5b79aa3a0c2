import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { freePort, startEngine } from '../../infra/local/dynamodb.ts';
import { setEnvironment } from '../../infra/local/environment.ts';
import { findJava } from '../../infra/local/java.ts';
import { chunksOf } from '../../lib/domain/chunks.ts';
import type { Context } from '../../lib/domain/context.ts';
import { addRules } from '../../lib/domain/rules/add-rules.ts';
import { lockOf } from '../../lib/domain/rules/engine/release.ts';
import { stateOfRule } from '../../lib/domain/rules/state.ts';
import { runWork } from '../../lib/domain/work/run.ts';
import { addIntegers, type Integer } from '../../lib/integer.ts';
import { listAccountUsage } from '../../lib/store/entities/account-usage.ts';
import { getDids } from '../../lib/store/entities/did.ts';
import { listChildren } from '../../lib/store/entities/edge.ts';
import { getFleet } from '../../lib/store/entities/rse-fleet.ts';
import { getRule } from '../../lib/store/entities/rule.ts';
import { listDueWork } from '../../lib/store/entities/work.ts';
import { type Cost, measure } from '../../lib/store/meter.ts';
import { openStore, type Store } from '../../lib/store/open-store.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { logIn, type Send } from './log-in.ts';
import { Reckoner } from './reckoner.ts';

/*
 * Rules on one large dataset: what a lock costs, how long the answer and the placement take, and that a placement whose
 * server is killed twice ends as if nothing had happened. Locks, counters and usage are counted anew after each rule; the
 * program fails when one is wrong.
 *
 * With `--units` it reckons up what each request costs on AWS, which takes time: DynamoDB Local does not say what a
 * transaction costs.
 */

const { values } = parseArgs({
  options: { files: { type: 'string', default: '10000' }, units: { type: 'boolean', default: false } },
});
const files = Number(values.files);
const bytesOf = (index: number) => 1_000 + index;
const dataset = { scope: 'bench', name: 'large' };
const perRequest = 1_000;

const folder = await mkdtemp(join(tmpdir(), 'dapple-rule-'));
const engine = await startEngine({ port: await freePort(), java: (await findJava()).command, busy: true });
const environment = { DYNAMODB_ENDPOINT: engine.endpoint, TABLE_NAME: 'Dapple' };
setEnvironment({ endpoint: engine.endpoint, tableName: 'Dapple' });
const reckoner = values.units ? await Reckoner.start({ endpoint: engine.endpoint, tableName: 'Dapple' }) : undefined;
const store = openStore({ endpoint: reckoner?.endpoint ?? engine.endpoint, tableName: 'Dapple' });
let server: ServerProcess | undefined;
try {
  server = await startServer();
  await prepare(await logIn(server));
  // The first one, since a server follows the stream from where it was: what is done past it would have to be read before.
  if (!values.units) server = await placeWithCrashes(server, 'BENCH_C');
  await server.stop();

  await measureRule('on replicas that are there', 'BENCH_A');
  await measureRule('on replicas that are to be made', 'BENCH_B');
} finally {
  await server?.stop();
  await reckoner?.stop();
  await engine.stop();
  await rm(folder, { recursive: true });
}

function startServer(): Promise<ServerProcess> {
  return startServerProcess(['--data', folder], environment);
}

async function prepare(send: Send): Promise<void> {
  const post = async (path: string, body?: unknown) => {
    const answer = await send('POST', path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  await post('/scopes/root/bench');
  for (const rse of ['BENCH_A', 'BENCH_B', 'BENCH_C']) {
    await post(`/rses/${rse}`);
    await post(`/accounts/root/limits/local/${rse}`, { bytes: 1e15 });
  }
  await post(`/dids/${dataset.scope}/${dataset.name}`, { type: 'DATASET' });
  const started = performance.now();
  for (let start = 0; start < files; start += perRequest) {
    const indexes = Array.from({ length: Math.min(perRequest, files - start) }, (_value, index) => start + index);
    const dids = indexes.map((index) => ({
      scope: 'bench',
      name: `file.${String(index).padStart(7, '0')}`,
      bytes: bytesOf(index),
    }));
    await post(`/dids/${dataset.scope}/${dataset.name}/dids`, { rse: 'BENCH_A', dids });
  }
  console.log(`${files} files registered and attached in ${seconds(started)} s`);
}

function context(of: Store = store): Context {
  return { store: of.begin(), now: Date.now(), issuer: { account: 'root', identity: 'ddmlab' } };
}

function wish(rse: string) {
  return { dids: [dataset], account: null, copies: 1, rse_expression: rse };
}

/** Places a rule in this process, step after step. */
async function measureRule(text: string, rse: string): Promise<void> {
  const began = performance.now();
  const answered = await measure(() => addRules(context(), wish(rse)));
  const [id = ''] = answered.result;
  console.log(`a rule ${text}: answered in ${(performance.now() - began).toFixed(0)} ms`, costs(answered.cost));
  const started = performance.now();
  let steps = 0;
  const place = async () => {
    for await (const { key } of listDueWork(store.begin().table, Date.now())) {
      steps += await runWork(context(), key, Date.now() + 3_600_000);
    }
  };
  if (reckoner === undefined) {
    const { cost } = await measure(place);
    const each = (cost.requests / files).toFixed(3);
    console.log(`  placed in ${seconds(started)} s, ${steps} steps; a lock: ${each} requests`);
  } else {
    const { rru, wru } = await reckoner.reckon(place);
    console.log(`  ${steps} steps; a lock: ${(wru / files).toFixed(2)} WRU, ${(rru / files).toFixed(2)} RRU`);
  }
  await recount(id, rse);
}

function costs({ rru, wru, roundTrips }: Cost): string {
  return `(${rru} RRU, ${wru} WRU, ${roundTrips} round trips)`;
}

/** Has a server place a rule that is killed at a third and at two thirds of it. */
async function placeWithCrashes(first: ServerProcess, rse: string): Promise<ServerProcess> {
  let running = first;
  let send = await logIn(running);
  const started = performance.now();
  const answer = await send('POST', '/rules/', wish(rse));
  const [id = ''] = JSON.parse(await answer.text()) as string[];
  console.log(`a rule at a server: ${answer.status} in ${(performance.now() - started).toFixed(0)} ms`);
  const ready = async (share: number) => {
    for (;;) {
      const rule = (await (await send('GET', `/rules/${id}`)).json()) as Record<string, number | string>;
      const locks = Number(rule['locks_ok_cnt']) + Number(rule['locks_replicating_cnt']);
      if (share < 1 && locks >= files * share) return locks;
      if (share === 1 && rule['state'] !== 'INJECT') return locks;
      await sleep(100);
    }
  };
  for (const share of [1 / 3, 2 / 3]) {
    const locks = await ready(share);
    await running.kill();
    console.log(`  killed after ${seconds(started)} s with ${locks} locks`);
    running = await startServer();
    send = await logIn(running);
  }
  await ready(1);
  console.log(`  placed after ${seconds(started)} s, two crashes included`);
  await recount(id, rse);
  return running;
}

/** Counts locks and bytes anew, and fails where counters or usage say something else. */
async function recount(id: string, rse: string): Promise<void> {
  const { table } = context().store;
  const rseId = (await getFleet(table)).byName.get(rse)?.id ?? '';
  const counted = { O: 0, R: 0, S: 0 };
  let bytes: Integer = 0;
  for await (const edges of chunksOf(listChildren(table, dataset), 1_000)) {
    const found = await getDids(
      table,
      edges.map(({ child }) => child),
    );
    for (const file of found) {
      const lock = lockOf(file.replicas.get(rseId), id);
      if (lock === undefined) continue;
      counted[lock.state] += 1;
      bytes = addIntegers(bytes, file.bytes ?? 0);
    }
  }
  const rule = await getRule(table, id);
  const usages = await Array.fromAsync(listAccountUsage(table, 'root'));
  const usage = usages.find((one) => one.rseId === rseId);
  const said = `${rule?.ok}/${rule?.replicating}/${rule?.stuck}, ${usage?.files} files, ${usage?.bytes} bytes`;
  const found = `${counted.O}/${counted.R}/${counted.S}, ${files} files, ${bytes} bytes`;
  if (said !== found) throw new Error(`rule and usage say ${said}, a recount ${found}`);
  console.log(`  ${rule === undefined ? '' : stateOfRule(rule)} ${said}: the same as a recount`);
}

function seconds(started: number): string {
  return ((performance.now() - started) / 1_000).toFixed(1);
}
