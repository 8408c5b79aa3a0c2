import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { freePort, startEngine } from '../../infra/local/dynamodb.ts';
import { setEnvironment } from '../../infra/local/environment.ts';
import { findJava } from '../../infra/local/java.ts';
import { localClient } from '../../infra/local/local-client.ts';
import { createTable } from '../../infra/local/table.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { seedCatalogue } from './catalogue.ts';

/*
 * A dataset of very many files, listed plainly, compressed, and by a reader who stops for a while: time to the first
 * byte, lines a second, and how far the memory of the server goes beyond that of an idle one. Each list has a server of
 * its own. Lines are counted; the program fails when one is missing.
 */

const { values } = parseArgs({
  options: { files: { type: 'string', default: '1000000' }, pause: { type: 'string', default: '60' } },
});
const files = Number(values.files);
const pauseSeconds = Number(values.pause);
const tableName = 'Dapple';

const engine = await startEngine({ port: await freePort(), java: (await findJava()).command, busy: true });
try {
  setEnvironment({ endpoint: engine.endpoint, tableName });
  const client = localClient(engine.endpoint);
  await createTable(client, tableName, { stream: false });
  const began = performance.now();
  const items = await seedCatalogue(client, tableName, { scope: 'bench', files, collections: 0, seed: 1 }, console.log);
  client.destroy();
  console.log(`seeded ${items} items in ${seconds(began)} s`);
  await withServer('plain', (url, token) => readWithCurl(url, token, []));
  await withServer('gzip', (url, token) => readWithCurl(url, token, ['--compressed']));
  await withServer(`a reader who stops for ${pauseSeconds} s`, readWithPause);
} finally {
  await engine.stop();
}

interface Reading {
  readonly lines: number;
  /** Milliseconds. */
  readonly firstByte: number;
}

async function withServer(what: string, read: (url: string, token: string) => Promise<Reading>): Promise<void> {
  const server = await startServerProcess(['--in-memory'], { DYNAMODB_ENDPOINT: engine.endpoint });
  try {
    await sleep(2_000);
    const idle = server.residentMemory();
    // Before the watch begins: checking the password takes 32 MB for a moment.
    const login = await fetch(`${server.url}/auth/userpass`, {
      headers: { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' },
    });
    const watch = watchMemory(server);
    const began = performance.now();
    const token = login.headers.get('X-Rucio-Auth-Token') ?? '';
    const { lines, firstByte } = await read(`${server.url}/dids/bench/everything/files`, token).finally(watch.stop);
    const taken = seconds(began);
    const peak = watch.peak();
    if (lines !== files) throw new Error(`${what}: ${lines} lines instead of ${files}`);
    // The record of a request is written when its answer is out.
    await sleep(500);
    const record = server.records.findLast(({ operation }) => operation === 'listFiles');
    console.log(
      `${what}: ${lines} lines in ${taken} s (${Math.round(lines / Number(taken))} a second), first byte after ` +
        `${firstByte.toFixed(0)} ms, ${record?.rru} RRU in ${record?.requests} requests; resident: idle ` +
        `${idle.toFixed(0)} MB, peak ${peak.toFixed(0)} MB, growth ${(peak - idle).toFixed(0)} MB`,
    );
  } finally {
    await server.stop();
  }
}

function watchMemory(server: ServerProcess): { stop: () => void; peak: () => number } {
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, server.residentMemory())), 200);
  return { stop: () => clearInterval(timer), peak: () => peak };
}

/** In a process of its own, so that nothing here slows it down. */
async function readWithCurl(url: string, token: string, options: readonly string[]): Promise<Reading> {
  const command = `curl -sSf ${options.join(' ')} -w '%{stderr}%{time_starttransfer}' -H "X-Rucio-Auth-Token: $TOKEN" ${url} | wc -l`;
  const child = spawn('bash', ['-o', 'pipefail', '-c', command], { env: { ...process.env, TOKEN: token } });
  let [output, said] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`curl ended with ${code}: ${said}`);
  return { lines: Number(output), firstByte: Number(said) * 1000 };
}

async function readWithPause(url: string, token: string): Promise<Reading> {
  const began = performance.now();
  const [answer] = (await once(get(url, { headers: { 'X-Rucio-Auth-Token': token } }), 'response')) as [
    IncomingMessage,
  ];
  let lines = 0;
  let firstByte = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (firstByte === 0) {
      firstByte = performance.now() - began;
      await sleep(pauseSeconds * 1_000);
    }
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  return { lines, firstByte };
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
