import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freePort } from '../../local/engine/judge/free-port.ts';
import { baseUrl, rootUser } from '../support/run.ts';
import { uniqueName } from '../support/server.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dapple-tree-'));
  await mkdir(join(folder, 'sub'));
  await Promise.all(['a', 'sub/b', 'sub/c d'].map((path) => writeFile(join(folder, path), path)));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the example as `npm run dapple -- register-tree` does. */
async function runExample(...args: string[]) {
  const { username, password } = rootUser();
  const env = { PATH: process.env['PATH'], RUCIO_USERNAME: username, RUCIO_PASSWORD: password };
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, ['examples/register-tree/main.ts', ...args], { env }, (error, stdout, stderr) => {
      resolve({ status: error?.code ?? 0, stdout, stderr });
    });
  });
}

describe('the example of the README', () => {
  it('registers a folder at another address, and finds no difference', async () => {
    const place = [
      '--url',
      await baseUrl(),
      '--scope',
      uniqueName('tree').slice(0, 25),
      '--rse',
      uniqueName('TREE').toUpperCase(),
    ];
    const { status, stdout } = await runExample(folder, ...place);
    expect(stdout).toMatch(
      /file system: 3 files, 13 bytes\ncatalogue: {3}3 files, 13 bytes, 3 listed.*\n.* 0 differences\n$/,
    );
    expect(status).toBe(0);
  });

  it('explains itself', async () => {
    const { status, stdout } = await runExample('--help');
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('--url URL') });
  });

  it.each([
    [2, 'Name one folder.', []],
    [2, "Unknown option '--port'", ['x', '--port=1']],
    [2, '--url localhost is no URL', ['x', '--url', 'localhost']],
  ])('ends with %i and a sentence, not a stack: %s', async (status, sentence, args) => {
    const outcome = await runExample(...args);
    expect(outcome).toMatchObject({ status, stderr: expect.stringContaining(sentence) });
    expect(outcome.stderr).not.toMatch(/^ +at /m);
  });

  it('names --url if nobody answers', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { status, stderr } = await runExample(folder, '--url', url);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `\nNo answer from ${url}. Is the catalogue there? --url names another address.\n`,
    });
  });
});
