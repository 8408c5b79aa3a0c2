import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';

import { setEnvironment } from '../../local/environment.ts';
import { localClient } from '../../local/local-client.ts';
import { openEngine } from '../../local/open-engine.ts';
import { createTable } from '../../local/table.ts';
import { type ServerProcess, startServerProcess } from '../../test/support/server-process.ts';
import { seedCatalogue } from './catalogue.ts';
import { watchMemory } from './watch-memory.ts';

/*
 * A dataset of very many files, listed plainly, compressed, and by a reader that pauses: time to the first byte,
 * lines a second, and memory of the server beyond that of an idle one. Each list has a server of its own. The program fails if a
 * line is missing or the memory exceeds its limit; times are only printed.
 */

/**
 * Resident memory that a list may take beyond that of an idle server. Of it V8 may use about 300 MB for what waits to be
 * collected: two semi-spaces of 64 MB, and old objects up to four times the live ones.
 */
const maxMegabytes = 352;
/** By how much the second half of a list may go beyond the first one: what is made between two collections. */
const maxGrowthMegabytes = 32;
const wantedLinesPerSecond = 50_000;

const { values } = parseArgs({
  options: { files: { type: 'string', default: '1000000' }, pause: { type: 'string', default: '60' } },
});
const files = Number(values.files);
const pauseSeconds = Number(values.pause);
const tableName = 'Dapple';

const folder = await mkdtemp(join(tmpdir(), 'dapple-stream-'));
try {
  await fillFolder();
  console.log(
    `granted: ${maxMegabytes} MB over idle; wanted: ${wantedLinesPerSecond.toLocaleString('en')} lines a second`,
  );
  await withServer('plain', (url, token) => readWithCurl(url, token, []));
  await withServer('gzip', (url, token) => readWithCurl(url, token, ['--compressed']));
  await withServer(`a reader who stops for ${pauseSeconds} s`, readWithPause);
} finally {
  await rm(folder, { recursive: true });
}

/** Makes the dataset in this process, past the service. */
async function fillFolder(): Promise<void> {
  setEnvironment({ tableName, dataDir: folder });
  const engine = openEngine(folder);
  try {
    const client = localClient(engine.client);
    await createTable(client, tableName, { stream: false });
    const began = performance.now();
    const size = { scope: 'bench', files, collections: 0, seed: 1 };
    const items = await seedCatalogue(engine.transport, tableName, size, console.log);
    console.log(`seeded ${items} items in ${seconds(began).toFixed(1)} s`);
    // Only now, so that the stream does not have the seeded items.
    const stream = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
    await client.send(new UpdateTableCommand({ TableName: tableName, StreamSpecification: stream }));
    client.destroy();
  } finally {
    engine.close();
  }
}

interface Reading {
  readonly lines: number;
  /** Milliseconds. */
  readonly firstByte: number;
  /** Seconds in which nothing was read. */
  readonly paused?: number;
}

async function withServer(what: string, read: (url: string, token: string) => Promise<Reading>): Promise<void> {
  const server = await startServerProcess(['--data', folder]);
  try {
    await sleep(2_000);
    const idle = server.residentMemory();
    // Before the measurement: checking the password takes 32 MB for a moment.
    const token = await takeToken(server);
    const watch = watchMemory(server);
    const began = performance.now();
    const {
      lines,
      firstByte,
      paused = 0,
    } = await read(`${server.url}/dids/bench/everything/files`, token).finally(watch.stop);
    const taken = seconds(began) - paused;
    if (lines !== files) throw new Error(`${what}: ${lines} lines instead of ${files}`);
    // The record of a request is written when its answer is out.
    await sleep(500);
    const record = server.records.findLast(({ operation }) => operation === 'listFiles');
    console.log(
      `${what}: ${lines} lines in ${taken.toFixed(1)} s (${Math.round(lines / taken)} a second), first byte after ` +
        `${firstByte.toFixed(0)} ms, ${record?.rru} RRU in ${record?.requests} requests`,
    );
    checkMemory(what, idle, watch.peaks(), paused > 0);
  } finally {
    await server.stop();
  }
}

/** Where the reader paused, the halves of the time are not halves of the list. */
function checkMemory(what: string, idle: number, [first, second]: readonly [number, number], hasPaused: boolean): void {
  const [over, growth] = [Math.max(first, second) - idle, second - first];
  console.log(
    `  resident: idle ${idle.toFixed(0)} MB, at most ${over.toFixed(0)} MB more; ` +
      `the second half ${Math.abs(growth).toFixed(0)} MB ${growth > 0 ? 'above' : 'below'} the first`,
  );
  if (over <= maxMegabytes && (hasPaused || growth <= maxGrowthMegabytes)) return;
  console.error(`${what}: more memory than is granted, ${maxMegabytes} MB and ${maxGrowthMegabytes} MB of growth`);
  process.exitCode = 1;
}

async function takeToken({ url }: ServerProcess): Promise<string> {
  const login = await fetch(`${url}/auth/userpass`, {
    headers: { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' },
  });
  return login.headers.get('X-Rucio-Auth-Token') ?? '';
}

/** In a process of its own, so that this one does not slow it down. */
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
  return { lines, firstByte, paused: pauseSeconds };
}

function seconds(since: number): number {
  return (performance.now() - since) / 1000;
}
