import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { baseUrl, rootUser } from '../../test/support/run.ts';
import { uniqueName } from '../../test/support/server.ts';
import { Catalogue, type CatalogueSize } from './catalogue.ts';
import { LoadClient } from './client.ts';
import { renderComparison } from './compare.ts';
import { measureRow } from './measure.ts';
import { get, Requests } from './requests.ts';
import { mergeRuns, type RowResult, type RunResult } from './results.ts';
import { listRows, runInTurn, type RunSettings } from './run.ts';
import { seed } from './seed.ts';

/** All rows but those of a large dataset, and few of everything. */
function smallSize(): CatalogueSize {
  return {
    id: uniqueName('load').toLowerCase().slice(0, 16),
    files: 50,
    rses: 4,
    filesPerDataset: 5,
    hits: 3,
    nameGroups: 3,
    metadataGroups: 2,
    tree: [2, 2],
    subscriptions: 2,
    configSections: 2,
    datasetsToFill: 4,
  };
}

const credentials = { account: 'root', ...rootUser() };
/** As few requests as a row allows. */
const shortest = { credentials, levels: [2], seconds: 0, mixedSeconds: 0 } satisfies Partial<RunSettings>;
const closers: (() => unknown)[] = [];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dapple-load-'));
});

afterAll(async () => {
  await Promise.all(closers.map((close) => close()));
  await rm(folder, { recursive: true });
});

async function clientOf(url: string): Promise<LoadClient> {
  const client = new LoadClient(url, credentials);
  closers.push(() => client.close());
  return client;
}

/** A server that lets anybody in, and answers everything else as it is told. */
async function fakeServer(answer: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/auth/userpass') response.setHeader('X-Rucio-Auth-Token', 'token').end();
    else answer(request, response);
  }).listen(0, '127.0.0.1');
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Measures one row on a server that answers as it is told. */
async function measureOn(answer: RequestListener, rows?: number): Promise<RowResult> {
  const client = await clientOf(await fakeServer(answer));
  const requests = new Requests(new Catalogue(smallSize()), 'test');
  const row = { name: 'a row', minRequests: 4, next: () => get('/list', rows) };
  return measureRow(row, 1, { client, requests, processorTime: undefined, seconds: 0, mixedSeconds: 0 });
}

describe('bench:load', () => {
  it('seeds a catalogue and measures each row, without a wrong answer', async () => {
    const size = smallSize();
    const progressFile = join(folder, 'progress.json');
    const target = { url: await baseUrl(), label: 'Dapple', pids: [], progressFile };
    const reported: RowResult[] = [];
    const [[result] = []] = await runInTurn([target], { ...shortest, size }, 1, (_label, row) => reported.push(row));
    if (result === undefined) throw new Error('nothing was measured');
    expect(result.rows.filter(({ errors, skipped }) => errors > 0 || skipped !== undefined)).toEqual([]);
    expect(result.rows.filter(({ requests }) => requests === 0)).toEqual([]);
    expect(new Set(reported)).toEqual(new Set(result.rows));
    const measured = new Set(result.rows.map(({ name }) => name));
    expect(listRows(new Catalogue(size)).filter(({ name }) => !measured.has(name))).toEqual([]);

    // Nothing is left to seed; and where a part of the record is lost, the server's own answers tell.
    const client = await clientOf(target.url);
    const catalogue = new Catalogue(size);
    expect(await seed(client, catalogue, { progressFile })).toEqual([]);
    const done = JSON.parse(await readFile(progressFile, 'utf8')) as string[];
    await writeFile(progressFile, JSON.stringify(done.filter((key) => !/^(?:rse|files of) /.test(key))));
    const again = await seed(client, catalogue, { progressFile });
    expect(again.map(({ name, requests }) => [name, requests])).toEqual([
      ['seed rses', 0],
      ['seed attach files, 5/call', 0],
    ]);
    expect(new Set(JSON.parse(await readFile(progressFile, 'utf8')) as string[])).toEqual(new Set(done));
  });

  it('measures two servers in turn, row by row', async () => {
    const url = await fakeServer((_request, response) => response.end('{"version":"1"}'));
    const targets = ['A', 'B'].map((label) => ({ url, label, pids: [] }));
    const order: string[] = [];
    const settings = { ...shortest, levels: [1, 2], size: smallSize(), only: /^(ping|get DID)$/ };
    const rounds = await runInTurn(targets, settings, 2, (label, { name, connections }) => {
      if (!name.startsWith('seed ')) order.push(`${label} ${name} ${connections}`);
    });
    const rows = ['ping 1', 'ping 2', 'get DID 1', 'get DID 2'];
    expect(order).toEqual(rows.flatMap((row) => ['A', 'B', 'A', 'B'].map((label) => `${label} ${row}`)));
    expect(rounds.map((runs) => runs.map(({ label }) => label))).toEqual([
      ['A', 'B'],
      ['A', 'B'],
    ]);
  });

  it('records each of the steps that run in parallel', async () => {
    const size = { ...smallSize(), rses: 200 };
    const client = await clientOf(await fakeServer((_request, response) => response.end(`"${size.id}.data"`)));
    const progressFile = join(folder, 'parallel.json');
    await seed(client, new Catalogue(size), { progressFile });
    expect(await seed(client, new Catalogue(size), { progressFile })).toEqual([]);
  });

  it('counts an answer with a wrong number of rows as an error, not as a fast answer', async () => {
    const short = await measureOn((_request, response) => response.end('{}\n{}\n'), 3);
    expect(short).toMatchObject({ requests: 4, errors: 4, rate: 0, faults: ['2 rows instead of 3'] });
    expect(short.latencyMs).toBeUndefined();
    const right = await measureOn((_request, response) => response.end('{}\n{}\n{}'), 3);
    expect(right).toMatchObject({ requests: 4, errors: 0 });
    expect(right.rowsPerSecond).toBeCloseTo(3 * right.rate);
  });

  it('counts refusals and broken answers as errors', async () => {
    const refused = await measureOn((_request, response) => {
      response.writeHead(409, { ExceptionClass: 'Duplicate', ExceptionMessage: 'is there' }).end('{}');
    });
    expect(refused).toMatchObject({ errors: 4, rate: 0, faults: ['409 Duplicate is there'] });
    const broken = await measureOn((_request, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('{}\n');
      setImmediate(() => response.destroy());
    });
    expect(broken).toMatchObject({ requests: 4, errors: 4, rate: 0 });
  });

  it('ends a row when its requests are used up', async () => {
    const client = await clientOf(await fakeServer((_request, response) => response.end()));
    const requests = new Requests(new Catalogue(smallSize()), 'test');
    const left = [get('/a'), get('/b')];
    const row = { name: 'a row', minRequests: 100, prepare: async () => () => left.pop() };
    const options = { client, requests, processorTime: undefined, seconds: 60, mixedSeconds: 60 };
    expect(await measureRow(row, 2, options)).toMatchObject({ requests: 2, errors: 0 });
  });
});

describe('the comparison', () => {
  const run = (label: string, rows: readonly Partial<RowResult>[], size = smallSize()): RunResult => ({
    label,
    version: '1',
    date: '2026-01-01T00:00:00.000Z',
    machine: 'a machine',
    size,
    seconds: 3,
    rows: rows.map((row) => ({ name: 'get DID', connections: 1, requests: 9, errors: 0, seconds: 3, rate: 1, ...row })),
  });
  const size = smallSize();

  it('shows the geometric means of the rates, and the ratio of each pair', () => {
    const text = renderComparison([
      { reference: run('Rucio', [{ rate: 10, serverCpuMs: 4 }], size), measured: run('Dapple', [{ rate: 20 }], size) },
      { reference: run('Rucio', [{ rate: 40, serverCpuMs: 9 }], size), measured: run('Dapple', [{ rate: 320 }], size) },
    ]);
    const cells = text.split('\n').find((line) => line.startsWith('| get DID')) ?? '';
    const expected = ['get DID', '1', '20.0', '80.0', '4.00', '2.00, 8.00', '6.00', '-'];
    expect(cells.split('|').map((cell) => cell.trim())).toEqual(['', ...expected, '']);
  });

  it('leaves rows with wrong answers out of the mean, and names them', () => {
    const text = renderComparison([
      {
        reference: run('Rucio', [{}, { name: 'ping' }], size),
        measured: run('Dapple', [{ rate: 3 }, { name: 'ping', rate: 99, errors: 2, faults: ['no'] }], size),
      },
    ]);
    expect(text).toContain('ratios of the 1 rows without a wrong answer, 0 of them of the seeding:\n3.00;');
    expect(text).toContain('- Dapple, run 1, ping (1): 2 of 9 answers were wrong: no');
  });

  it('names rows that others have disturbed, and says the mean without them', () => {
    const disturbed = run('Rucio', [{}, { name: 'ping', otherCpus: 0.9 }, { name: 'get RSE', otherCpus: 1.2 }], size);
    const quiet = run('Dapple', [{ rate: 3 }, { name: 'ping', rate: 27 }, { name: 'get RSE', rate: 1 }], size);
    const text = renderComparison([{ reference: disturbed, measured: quiet }]);
    expect(text).toContain(
      '4.33; the lowest is 1.00. Without measurements that others have disturbed:\n3.00, of 1 rows.',
    );
    expect(text).toContain('- Rucio, run 1: others used 0.9 to 1.2 processors during 2 rows: ping (1); get RSE (1)');
  });

  it('keeps rows of an earlier run that were not measured again', () => {
    const earlier = run(
      'Rucio',
      [{ name: 'seed rses', rate: 5 }, { name: 'ping', rate: 1 }, { name: 'get RSE' }],
      size,
    );
    const again = run(
      'Rucio',
      [
        { name: 'ping', rate: 2 },
        { name: 'ping', connections: 8 },
      ],
      size,
    );
    expect(mergeRuns(earlier, again).rows.map(({ name, connections, rate }) => [name, connections, rate])).toEqual([
      ['ping', 1, 2],
      ['ping', 8, 1],
      ['get RSE', 1, 1],
      ['seed rses', 1, 5],
    ]);
    expect(() => mergeRuns(earlier, run('Rucio', [{}], { ...size, files: 7 }))).toThrow('the catalogues differ');
  });

  it('refuses to compare different catalogues', () => {
    const other = { ...size, files: 7 };
    const pair = { reference: run('Rucio', [{}], size), measured: run('Dapple', [{}], other) };
    expect(() => renderComparison([pair])).toThrow('the catalogues differ');
  });
});
