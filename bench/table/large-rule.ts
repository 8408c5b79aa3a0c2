import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { runTaskOfKey } from '../../lib/background/run-work.ts';
import { findLock } from '../../lib/domain/locks/release-lock.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import { stateOfRule } from '../../lib/domain/values/rule-state.ts';
import { addIntegers, type Integer } from '../../lib/integer.ts';
import { addRules } from '../../lib/operations/rules/add-rules.ts';
import { splitIntoChunks } from '../../lib/rows/split-into-chunks.ts';
import { listAccountUsage } from '../../lib/store/entities/account-usage.ts';
import { getFiles } from '../../lib/store/entities/did.ts';
import { listChildren } from '../../lib/store/entities/edge.ts';
import { getFleet } from '../../lib/store/entities/rse-fleet.ts';
import { getRule } from '../../lib/store/entities/rule.ts';
import { listDueWork } from '../../lib/store/entities/work.ts';
import { measure } from '../../lib/store/items/meter.ts';
import { openStore, type Store } from '../../lib/store/open-store.ts';
import { setEnvironment } from '../../local/environment.ts';
import { openEngine } from '../../local/open-engine.ts';
import { type ServerProcess, startServerProcess } from '../../test/support/server-process.ts';
import { logIn, type Send } from './log-in.ts';

/*
 * Rules on one large dataset: the cost of a lock, the time until the answer and until the rule is placed, and the same with a
 * server that is killed twice. Locks, counters and usage are recounted after each rule; the program fails if one is wrong.
 */

const { values } = parseArgs({ options: { files: { type: 'string', default: '10000' } } });
const files = Number(values.files);
const bytesOf = (index: number) => 1_000 + index;
const dataset = { scope: 'bench', name: 'large' };
const perRequest = 1_000;

const folder = await mkdtemp(join(tmpdir(), 'dapple-rule-'));
setEnvironment({ tableName: 'Dapple', dataDir: folder });
let server = await startServer();
try {
  await prepare(await logIn(server));
  const id = await placeWithCrashes('BENCH_C');
  await server.stop();
  await withStore(async (store) => {
    await recount(store, id, 'BENCH_C');
    await measureRule(store, 'on replicas that are there', 'BENCH_A');
    await measureRule(store, 'on replicas that are to be made', 'BENCH_B');
  });
} finally {
  await server.stop();
  await rm(folder, { recursive: true });
}

function startServer(): Promise<ServerProcess> {
  return startServerProcess(['--data', folder]);
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

/** Opens the data folder in this process while `work` runs; no server may use it. */
async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  const engine = openEngine(folder);
  try {
    await work(openStore({ ...engine.client, tableName: 'Dapple' }));
  } finally {
    engine.close();
  }
}

function context(store: Store): Context {
  return { store: store.begin(), now: Date.now(), issuer: { account: 'root', identity: 'ddmlab' } };
}

function wish(rse: string) {
  return { dids: [dataset], account: null, copies: 1, rse_expression: rse };
}

/** Places a rule in this process, step after step. */
async function measureRule(store: Store, text: string, rse: string): Promise<void> {
  const began = performance.now();
  const { result: ids, cost } = await measure(() => addRules(context(store), wish(rse)));
  const { rru, wru, roundTrips } = cost;
  console.log(
    `a rule ${text}: answered in ${(performance.now() - began).toFixed(0)} ms ` +
      `(${rru} RRU, ${wru} WRU, ${roundTrips} round trips)`,
  );
  const started = performance.now();
  const { result: steps, cost: placing } = await measure(() => place(store));
  const [requests, writes, reads] = [placing.requests, placing.wru, placing.rru].map((sum) => sum / files);
  console.log(
    `  placed in ${seconds(started)} s, ${steps} steps; a lock: ${requests?.toFixed(3)} requests, ` +
      `${writes?.toFixed(2)} WRU, ${reads?.toFixed(2)} RRU`,
  );
  await recount(store, ids[0] ?? '', rse);
}

/** Runs all tasks; returns the number of steps. */
async function place(store: Store): Promise<number> {
  let steps = 0;
  for await (const { key } of listDueWork(store.begin().table, Date.now())) {
    steps += await runTaskOfKey(context(store), key, Date.now() + 3_600_000);
  }
  return steps;
}

/** Posts a rule and kills the server at a third and at two thirds of the placement; returns the rule's id. */
async function placeWithCrashes(rse: string): Promise<string> {
  let send = await logIn(server);
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
    await server.kill();
    console.log(`  killed after ${seconds(started)} s with ${locks} locks`);
    server = await startServer();
    send = await logIn(server);
  }
  await ready(1);
  console.log(`  placed after ${seconds(started)} s, two crashes included`);
  return id;
}

/** Recounts locks and bytes, and fails if counters or usage differ. */
async function recount(store: Store, id: string, rse: string): Promise<void> {
  const { table } = store.begin();
  const rseId = (await getFleet(table)).byName.get(rse)?.id ?? '';
  const counted = { O: 0, R: 0, S: 0 };
  let bytes: Integer = 0;
  for await (const edges of splitIntoChunks(listChildren(table, dataset), 1_000)) {
    const found = await getFiles(
      table,
      edges.map(({ child }) => child),
    );
    for (const file of found) {
      const lock = findLock(file.replicas.get(rseId), id);
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
