/** Every version opens what the released ones have written (docs/versions.md). */
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { shellEnvironment, startServerProcess } from '../support/server-process.ts';
import { connect } from './released/catalogue.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const releases = join(root, 'test/fixtures/releases');
const versions = readdirSync(releases);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-upgrade-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Reactions to the last changes may be written again, without another effect. */
const withoutUpdates = (key: string, value: unknown) => (key === 'updated_at' ? undefined : value);

/** The values of an answer: one, or one on each line. */
function valuesOf(answer: string): unknown[] {
  try {
    return [JSON.parse(answer, withoutUpdates)];
  } catch {
    const lines = answer.trim().split('\n');
    return lines.map((line) => JSON.parse(line, withoutUpdates) as unknown);
  }
}

/** A server on a data folder answers as the released one did, and takes writes. */
async function expectSame(version: string, data: string): Promise<void> {
  const answers = JSON.parse(readFileSync(join(releases, version, 'answers.json'), 'utf8')) as Record<string, string>;
  const server = await startServerProcess(['--data', data, '--no-tasks', '--threads', '0']);
  try {
    const ask = await connect(server.url);
    for (const [path, then] of Object.entries(answers)) {
      expect({ path, values: valuesOf(await ask('GET', path)) }).toMatchObject({ path, values: valuesOf(then) });
    }
    await ask('POST', '/dids/lab/written.later', { type: 'DATASET', meta: { run_number: 358_031 } });
    const search = '/dids/lab/dids/search?type=dataset&run_number=358031';
    expect((await ask('GET', search)).trim().split('\n').length).toBe(2);
  } finally {
    await server.stop();
  }
}

describe.each(versions)('what version %s has written', (version) => {
  it('is its data folder: it opens, answers the same and takes writes', async () => {
    const data = join(folder, 'data');
    mkdirSync(data);
    for (const name of globSync('*-position.json', { cwd: join(releases, version) })) {
      copyFileSync(join(releases, version, name), join(data, name));
    }
    writeFileSync(join(data, 'dapple.sqlite'), gunzipSync(readFileSync(join(releases, version, 'dapple.sqlite.gz'))));
    await expectSame(version, data);
  });

  it('is its export: it loads, answers the same and takes writes', async () => {
    const data = join(folder, 'loaded');
    await run(process.execPath, ['moving/main-load.ts', '--from', join(releases, version, 'export'), '--to', data], {
      env: shellEnvironment(),
      cwd: root,
    });
    await expectSame(version, data);
  });
});

it('every released version of the changelog has its catalogue', () => {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const released = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version = '']) => version);
  expect(released.filter((version) => !existsSync(join(releases, version, 'answers.json')))).toEqual([]);
  expect(versions).toContain('0.1.0');
});
