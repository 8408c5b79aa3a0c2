import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openSession, type Session } from '../../../moving/compare/session.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import { makeSeededFolder, rootCredentials as credentials } from '../seed/seeded-folder.ts';
import { run } from './programs.ts';

const files = ['1-replicas', '2-collections', '3-attachments', '4-rules'];

let folder: string;
let server: ServerProcess;
let session: Session;

// The catalogue of the seed, and what was added to it after a time.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-rucio-format-'));
  await makeSeededFolder(join(folder, 'data'));
  server = await startServerProcess(['--data', join(folder, 'data'), '--threads', '0']);
  session = openSession({ url: server.url, credentials });
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Exports with `--format rucio`; returns the folder. */
async function exportTo(name: string, args: readonly string[] = []): Promise<string> {
  const to = join(folder, name);
  const all = ['--from', join(folder, 'data'), '--to', to, '--format', 'rucio', ...args];
  const { code, output } = await run('export', all);
  if (code !== 0) throw new Error(output);
  return to;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const requestsIn = (path: string, file: string) =>
  readFileSync(join(path, `${file}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Request);

describe('npm run export -- --format rucio', () => {
  it('tells what was added since a time, and nothing else', async () => {
    const since = new Date().toISOString();
    const added = [
      [
        'POST',
        '/replicas',
        { rse: 'MV-DISK-1', files: [{ scope: 'mv.odd', name: 'new.file', bytes: 5, adler32: '0cc737eb' }] },
      ],
      ['POST', '/dids/mv.odd/new.set', { type: 'DATASET' }],
      ['POST', '/dids/mv.odd/new.set/dids', { dids: [{ scope: 'mv.odd', name: 'new.file' }] }],
      [
        'POST',
        '/rules',
        { dids: [{ scope: 'mv.odd', name: 'new.set' }], account: 'mvalice', copies: 1, rse_expression: 'MV-DISK-1' },
      ],
    ] as const;
    for (const [method, path, body] of added) expect((await session.call(method, path, body)).status).toBe(201);
    const path = await exportTo('added', ['--since', since]);
    expect(files.map((file) => requestsIn(path, file).map((request) => request.path))).toEqual([
      ['/replicas'],
      ['/dids/mv.odd/new.set'],
      ['/dids/mv.odd/new.set/dids'],
      ['/rules'],
    ]);
    expect(requestsIn(path, '1-replicas')[0]?.body).toMatchObject({
      rse: 'MV-DISK-1',
      files: [{ name: 'new.file', bytes: 5 }],
    });
    expect(requestsIn(path, '4-rules')[0]?.body).toMatchObject({ account: 'mvalice', rse_expression: 'MV-DISK-1' });
  });

  it('writes requests that an empty server takes in the order of the files', async () => {
    const path = await exportTo('all');
    const other = await startServerProcess(['--in-memory']);
    try {
      const target = openSession({ url: other.url, credentials });
      const refused: string[] = [];
      const send = async ({ method, path: at, body }: Request) => {
        const { status, text } = await target.call(method, at, body);
        if (status >= 300) refused.push(`${method} ${at}: ${status} ${text}`);
      };
      const body = JSON.parse(readFileSync(join(path, 'import.json'), 'utf8')) as unknown;
      await send({ method: 'POST', path: '/import', body });
      // Scopes and limits are no part of Rucio's document.
      for (const scope of ['mv.odd', 'mv.user.bob'])
        await send({ method: 'POST', path: `/accounts/mvbob/scopes/${scope}`, body: {} });
      for (const account of ['mvalice', 'mvbob']) {
        for (const rse of [0, 1, 2, 3]) {
          await send({ method: 'POST', path: `/accountlimits/local/${account}/MV-DISK-${rse}`, body: { bytes: 1e15 } });
        }
      }
      for (const file of files) for (const request of requestsIn(path, file)) await send(request);
      expect(refused).toEqual([]);
      for (const at of ['/dids/mv.odd/a.container/dids', '/dids/mv.odd/dated.dataset/dids']) {
        expect(await target.rows('GET', at)).toEqual(await session.rows('GET', at));
      }
      const replica = { dids: [{ scope: 'mv.odd', name: 'by-path.1' }] };
      const pfnsOf = async (of: Session) => (await of.rows('POST', '/replicas/list', replica)).map(({ rses }) => rses);
      expect(await pfnsOf(target)).toEqual(await pfnsOf(session));
    } finally {
      await other.stop();
    }
  });

  it('refuses a date that is none', async () => {
    await expect(exportTo('never', ['--since', 'yesterday'])).rejects.toThrow('`--since` takes a date');
  });
});
