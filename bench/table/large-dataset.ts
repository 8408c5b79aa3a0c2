import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startServerProcess } from '../../test/support/server-process.ts';

/*
 * One dataset, filled in requests of 1,000 files and listed back: cost, time, and memory of the server.
 * Fails if a count is wrong at any step.
 */

const { values } = parseArgs({ options: { files: { type: 'string', default: '100000' } } });
const files = Number(values.files);
const perRequest = 1_000;

// Not in memory, since the memory is measured.
const folder = await mkdtemp(join(tmpdir(), 'dapple-dataset-'));
const server = await startServerProcess(['--data', folder]);
try {
  const login = await fetch(`${server.url}/auth/userpass`, {
    headers: { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' },
  });
  const token = login.headers.get('X-Rucio-Auth-Token') ?? '';
  const send = (method: string, path: string, body?: unknown) =>
    fetch(server.url + path, {
      method,
      headers: { 'X-Rucio-Auth-Token': token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const post = async (path: string, body?: unknown) => {
    const answer = await send('POST', path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await answer.text();
  };
  await post('/scopes/root/bench');
  await post('/rses/BENCH_DISK');

  const bytesOf = (index: number) => index * 1_000_003;
  const fill = async (dataset: string, operation: string, element: (index: number) => object, rse?: string) => {
    await post(`/dids/bench/${dataset}`, { type: 'DATASET' });
    const started = performance.now();
    const first = server.records.length;
    let bytes = 0;
    for (let start = 0; start < files; start += perRequest) {
      const indexes = Array.from({ length: Math.min(perRequest, files - start) }, (_value, index) => start + index);
      await post(`/dids/bench/${dataset}/dids`, { dids: indexes.map(element), ...(rse === undefined ? {} : { rse }) });
      bytes += indexes.reduce((sum, index) => sum + bytesOf(index), 0);
      const did = (await (await send('GET', `/dids/bench/${dataset}`)).json()) as { length: number; bytes: number };
      if (did.length !== start + indexes.length || did.bytes !== bytes) {
        throw new Error(`after ${start + indexes.length} files the dataset says ${JSON.stringify(did)}`);
      }
      const resident = memory();
      if ((start / perRequest) % 10 === 9) {
        console.log(`  ${start + indexes.length} files, length and bytes exact, ${resident.toFixed(0)} MB resident`);
      }
    }
    const seconds = (performance.now() - started) / 1000;
    const costs = server.records.slice(first).filter((record) => record.operation === 'attachDids');
    const units = (kind: 'rru' | 'wru') => costs.reduce((sum, record) => sum + record[kind], 0);
    console.log(
      `${operation}: ${files} files in ${costs.length} requests, ${seconds.toFixed(1)} s, ` +
        `${(units('wru') / files).toFixed(3)} WRU and ${(units('rru') / files).toFixed(3)} RRU a file, ` +
        `${Math.max(...costs.map(({ roundTrips }) => roundTrips))} round trips`,
    );
  };

  let peak = 0;
  const memory = () => {
    const now = server.residentMemory();
    peak = Math.max(peak, now);
    return now;
  };
  const idle = memory();
  console.log(`idle: ${idle.toFixed(0)} MB resident`);
  const name = (index: number) => `file.${String(index).padStart(7, '0')}`;
  await fill(
    'registered',
    'register and attach',
    (index) => ({
      scope: 'bench',
      name: name(index),
      bytes: bytesOf(index),
      adler32: index.toString(16).padStart(8, '0'),
    }),
    'BENCH_DISK',
  );
  console.log(`afterwards: ${memory().toFixed(0)} MB resident`);
  await fill('attached', 'attach', (index) => ({ scope: 'bench', name: name(index) }));
  console.log(`afterwards: ${memory().toFixed(0)} MB resident`);

  const started = performance.now();
  const answer = await send('GET', '/dids/bench/attached/files');
  let lines = 0;
  let firstByte = 0;
  for await (const chunk of answer.body ?? new ReadableStream<Uint8Array>()) {
    if (firstByte === 0) firstByte = performance.now() - started;
    lines += (chunk as Uint8Array).reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
    memory();
  }
  const seconds = (performance.now() - started) / 1000;
  if (lines !== files) throw new Error(`${lines} lines were listed`);
  // The record is written when the stream is closed.
  await new Promise((resolve) => {
    setTimeout(resolve, 500);
  });
  const listing = server.records.findLast((record) => record.operation === 'listFiles');
  console.log(
    `list: ${lines} lines in ${seconds.toFixed(1)} s, first byte after ${firstByte.toFixed(0)} ms, ` +
      `${listing?.rru} RRU in ${listing?.requests} requests`,
  );
  console.log(`peak: ${peak.toFixed(0)} MB resident`);
} finally {
  await server.stop();
  await rm(folder, { recursive: true });
}
