import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { shareInvalidations } from '../../../lib/cache.ts';
import { finishedRequests } from '../../../lib/http/request-log.ts';
import type { AnswerSink, Metadata } from '../../../local/answer-sink.ts';
import type { RunFunction } from '../../../local/run-function.ts';
import { type LocalServer, startServer } from '../../../local/server.ts';
import { WorkerPool } from '../../../local/threads/worker-pool.ts';
import { gatewayEvent } from '../../support/event.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import { volumeOf } from '../../support/volume.ts';

const files = Array.from({ length: 3_000 }, (_, i) => `file-${String(i).padStart(5, '0')}`);

let dataDir: string;
let server: LocalServer;
let pool: WorkerPool;
const reports: string[] = [];

/** An answer that a test takes at its own speed. */
class TestSink implements AnswerSink {
  readonly #listeners: ((isComplete: boolean) => void)[] = [];
  readonly #chunks: Buffer[] = [];
  readonly #held: (() => void)[] = [];
  readonly #isSlow: boolean;
  metadata: Metadata | undefined;
  isClosed = false;
  isEnded = false;
  isAborted = false;
  bytes = 0;

  constructor(isSlow = false) {
    this.#isSlow = isSlow;
  }

  onClose(listener: (isComplete: boolean) => void): void {
    this.#listeners.push(listener);
  }

  begin(metadata: Metadata): void {
    this.metadata = metadata;
  }

  flushHeaders(): void {}

  write(chunk: Buffer, done: () => void): void {
    this.#chunks.push(Buffer.from(chunk));
    this.bytes += chunk.length;
    if (this.#isSlow) this.#held.push(done);
    else done();
  }

  end(done: () => void): void {
    this.isEnded = true;
    done();
  }

  abort(): void {
    this.isAborted = true;
  }

  /** Takes everything that was written so far. */
  take(): void {
    for (const done of this.#held.splice(0)) done();
  }

  /** The client disconnects. */
  leave(): void {
    this.isClosed = true;
    for (const listener of this.#listeners) listener(false);
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

let token = '';

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method,
    headers: { 'X-Rucio-Auth-Token': token, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** The runner of a worker thread, once there is one. */
async function findRunner(): Promise<RunFunction> {
  return expect
    .poll(() => pool.findRunner(1_000), { timeout: 20_000 })
    .toBeDefined()
    .then(() => {
      const runner = pool.findRunner(1_000);
      if (runner === undefined) throw new Error('the worker has gone');
      return runner;
    });
}

/** Answers a request in a worker thread. */
async function read(path: string, as = token, sink = new TestSink()): Promise<TestSink> {
  const runner = await findRunner();
  await runner(path.split('/')[1] ?? '', gatewayEvent('GET', path, { headers: { 'X-Rucio-Auth-Token': as } }), sink);
  return sink;
}

async function logIn(account: string, username: string, password: string, url = server.url): Promise<string> {
  const headers = { 'X-Rucio-Account': account, 'X-Rucio-Username': username, 'X-Rucio-Password': password };
  const answer = await fetch(`${url}/auth/userpass`, { headers });
  return answer.headers.get('x-rucio-auth-token') ?? '';
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'dapple-parallel-'));
  server = await startServer({ port: 0, dataDir });
  token = await logIn('root', 'ddmlab', 'secret');
  const invalidations = new Int32Array(new SharedArrayBuffer(4));
  shareInvalidations(invalidations);
  const path = join(dataDir, 'dapple.sqlite');
  const report = (message: string) => reports.push(message);
  pool = new WorkerPool({ settings: { path, invalidations }, size: 1, engine: server.engine.transport, report });
  expect((await send('POST', '/accounts/root/scopes/par')).status).toBe(201);
  expect((await send('POST', '/rses/PAR', {})).status).toBe(201);
  expect((await send('POST', '/dids/par/all', { type: 'DATASET' })).status).toBe(201);
  for (let from = 0; from < files.length; from += 1_000) {
    const dids = files.slice(from, from + 1_000).map((name) => ({ scope: 'par', name, bytes: 1, adler32: '00000001' }));
    expect((await send('POST', '/dids/par/all/dids', { rse: 'PAR', dids })).status).toBe(201);
  }
}, 60_000);

afterAll(async () => {
  await pool.close();
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('a worker thread', () => {
  it('answers as the main thread does', async () => {
    const [here, there] = await Promise.all([send('GET', '/dids/par/all/dids'), read('/dids/par/all/dids')]);
    const text = await here.text();
    expect(text.split('\n')).toHaveLength(files.length + 1);
    expect(there.text).toBe(text);
    expect(there.metadata?.statusCode).toBe(200);
    expect(there.isEnded).toBe(true);
  });

  it('tells the main thread of each request that it has answered', async () => {
    const records: unknown[] = [];
    const note = (record: unknown) => records.push(record);
    finishedRequests.subscribe(note);
    await read('/dids/par/all');
    finishedRequests.unsubscribe(note);
    expect(records).toEqual([expect.objectContaining({ operation: 'getDid', status: 200, rru: 1 })]);
  });

  it('answers errors as the main thread does', async () => {
    const there = await read('/dids/par/nothing');
    expect(there.metadata?.statusCode).toBe(404);
    expect(there.text).toBe(await (await send('GET', '/dids/par/nothing')).text());
  });

  it('sees what was answered before it reads', async () => {
    for (let i = 0; i < 20; i += 1) {
      expect((await send('POST', `/dids/par/new-${i}`, { type: 'DATASET' })).status).toBe(201);
      expect((await read(`/dids/par/new-${i}`)).metadata?.statusCode).toBe(200);
    }
  });

  it('rejects the token of an account at once that the main thread has banned', async () => {
    expect((await send('POST', '/accounts/parker', { type: 'USER', email: 'p@example.org' })).status).toBe(201);
    const identity = { identity: 'parker', authtype: 'USERPASS', email: 'p@example.org', password: 'secret-parker' };
    expect((await send('POST', '/accounts/parker/identities', identity)).status).toBe(201);
    const theirs = await logIn('parker', 'parker', 'secret-parker');
    expect((await read('/accounts/whoami', theirs)).metadata?.statusCode).toBe(303);
    expect((await send('PUT', '/accounts/parker', { status: 'SUSPENDED' })).status).toBe(200);
    expect((await read('/accounts/whoami', theirs)).metadata?.statusCode).toBe(401);
  });

  it('writes no more to a slow client than fits on the way', async () => {
    const sink = new TestSink(true);
    const reading = read('/dids/par/all/dids', token, sink);
    await expect.poll(() => sink.bytes).toBeGreaterThan(0);
    while (!sink.isEnded) {
      const before = sink.bytes;
      sink.take();
      await expect.poll(() => sink.isEnded || sink.bytes > before).toBe(true);
      expect(sink.bytes - before).toBeLessThan(512 * 1024);
    }
    await reading;
    expect(sink.text.split('\n')).toHaveLength(files.length + 1);
  });

  it('ends its work for a client that has disconnected', async () => {
    const sink = new TestSink(true);
    const reading = read('/dids/par/all/dids', token, sink);
    await expect.poll(() => sink.bytes).toBeGreaterThan(0);
    sink.leave();
    await reading;
    expect(sink.isEnded).toBe(false);
    expect((await read('/dids/par/all')).metadata?.statusCode).toBe(200);
  });

  it('is replaced when it dies, and its requests fail', async () => {
    const sink = new TestSink(true);
    const runner = await findRunner();
    const event = gatewayEvent('GET', '/dids/par/all/dids', { headers: { 'X-Rucio-Auth-Token': token } });
    const running = runner('dids', event, sink);
    await expect.poll(() => sink.bytes).toBeGreaterThan(0);
    await pool.stopThreads();
    expect(String(await running)).toContain('exit');
    expect(sink.isAborted).toBe(true);
    expect(reports).toEqual([expect.stringContaining('a worker thread has stopped')]);
    expect((await read('/dids/par/all')).metadata?.statusCode).toBe(200);
  });
});

describe('a server with worker threads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dapple-threads-'));
  let other: ServerProcess;

  /** Asks the server as root. */
  let call: (method: string, path: string, body?: unknown) => Promise<string>;

  beforeAll(async () => {
    other = await startServerProcess(['--data', folder, '--threads', '1']);
    const headers = {
      'X-Rucio-Auth-Token': await logIn('root', 'ddmlab', 'secret', other.url),
      'Content-Type': 'application/json',
    };
    call = async (method, path, body) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(`${other.url}${path}`, { method, headers, ...sent });
      expect(answer.status).toBeLessThan(300);
      return answer.text();
    };
    await call('POST', '/accounts/root/scopes/par');
  }, 60_000);

  afterAll(async () => {
    await other.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it.runIf(process.platform === 'linux')('has one thread that yields to the others: the one of reactions', async () => {
    const tasks = `/proc/${other.pid}/task`;
    const readNiceness = (task: string) =>
      readFileSync(join(tasks, task, 'stat'), 'utf8')
        .split(') ')[1]
        ?.split(' ')[16];
    const [own] = readdirSync(tasks);
    const countYielding = () =>
      readdirSync(tasks).filter((task) => readNiceness(task) !== readNiceness(own ?? '')).length;
    await expect.poll(countYielding, { timeout: 10_000 }).toBe(1);
  });

  it('answers concurrent requests alike', async () => {
    const dids = files.slice(0, 1_000).map((name) => ({ scope: 'par', name: name.padEnd(60, '-'), type: 'DATASET' }));
    await call('POST', '/dids', dids);
    const texts = new Set<string>();
    for (let round = 0; round < volumeOf('parallelRounds'); round += 1) {
      const answers = Array.from({ length: 8 }, () => call('GET', '/dids/par/'));
      for (const text of await Promise.all(answers)) texts.add(text);
    }
    expect(texts.size).toBe(1);
    expect([...texts][0]?.split('\n')).toHaveLength(1_001);
    expect(other.said.join('\n')).not.toContain('worker');
  }, 60_000);

  it('follows changes in a thread of its own, which ends with the server', async () => {
    const file = { scope: 'par', name: 'late', bytes: 1, adler32: '00000001' };
    await call('POST', '/rses/PAR', {});
    await call('POST', '/accounts/root/limits/local/PAR', { bytes: 1_000 });
    await call('POST', '/replicas', { rse: 'PAR', files: [file] });
    await call('POST', '/dids/par/all', { type: 'DATASET' });
    const rule = { dids: [{ scope: 'par', name: 'all' }], rse_expression: 'PAR', copies: 1, account: 'root' };
    const [id] = JSON.parse(await call('POST', '/rules/', rule)) as string[];
    await call('POST', '/dids/par/all/dids', { dids: [file] });
    const countLocks = async () => JSON.parse(await call('GET', `/rules/${id}`)) as { locks_ok_cnt: number };
    await expect.poll(countLocks, { timeout: 10_000 }).toMatchObject({ locks_ok_cnt: 1 });
    await other.stop();
    expect(other.said.join('\n')).not.toContain('thread');
  }, 60_000);
});
