import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import packageJson from '../../package.json' with { type: 'json' };
import { shellEnvironment } from '../support/server-process.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

it('the action starts a server that outlives its step, and names it to the steps that follow', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dapple-action-'));
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_ENV: join(folder, 'env') };
  let pid: number | undefined;
  try {
    await run(process.execPath, ['packaging/pack.ts', join(folder, 'made'), '--no-wheel'], { cwd: root });
    const env = {
      ...shellEnvironment(),
      ...files,
      FOLDER: join(folder, 'server'),
      PACKAGE: join(folder, 'made', `dapple-${packageJson.version}.tgz`),
      PORT_OF_SERVER: '0',
      npm_config_offline: 'true',
    };
    await run('bash', [join(root, 'examples/action/start.sh')], { env });
    const [, url = ''] = /^url=(.+)$/m.exec(readFileSync(files.GITHUB_OUTPUT, 'utf8')) ?? [];
    pid =
      Number((await run('pgrep', ['-f', join(folder, 'server')]).catch(() => ({ stdout: '' }))).stdout) || undefined;
    expect((await fetch(new URL('/ping', url))).status).toBe(200);
    const [, config = ''] = /^RUCIO_CONFIG=(.+)$/m.exec(readFileSync(files.GITHUB_ENV, 'utf8')) ?? [];
    expect(readFileSync(config, 'utf8')).toContain(`rucio_host = ${url}`);
  } finally {
    if (pid !== undefined) process.kill(pid);
    rmSync(folder, { recursive: true, force: true });
  }
});

it('the action takes the version of this package by default', () => {
  expect(readFileSync(join(root, 'action.yml'), 'utf8')).toContain(`default: '${packageJson.version}'`);
});
