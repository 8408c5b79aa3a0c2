/**
 * `node test/packaging/released/write.ts [folder]`: keeps a small catalogue of this version, for the tests of later ones
 * (docs/how-to/release.md).
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import packageJson from '../../../package.json' with { type: 'json' };
import { startServerProcess } from '../../support/server-process.ts';
import { type Ask, connect, fill, questions } from './catalogue.ts';

/** The answers, once nothing follows from the last changes any more. */
async function readSettled(ask: Ask): Promise<Record<string, string>> {
  for (let before = ''; ;) {
    await sleep(2_000);
    const answers: Record<string, string> = {};
    for (const path of questions) answers[path] = await ask('GET', path);
    if (before === JSON.stringify(answers)) return answers;
    before = JSON.stringify(answers);
  }
}

const root = join(import.meta.dirname, '../../..');
const target = process.argv[2] ?? join(root, 'test/fixtures/releases', packageJson.version);
const folder = mkdtempSync(join(tmpdir(), 'dapple-release-'));
try {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const data = join(folder, 'data');
  const server = await startServerProcess(['--data', data, '--no-tasks', '--threads', '0']);
  try {
    const ask = await connect(server.url);
    await fill(ask);
    writeFileSync(join(target, 'answers.json'), `${JSON.stringify(await readSettled(ask), null, 2)}\n`);
  } finally {
    await server.stop();
  }
  // Everything is in the database once the server has ended. The key of tokens stays out: nobody needs it.
  for (const name of globSync('*-position.json', { cwd: data })) copyFileSync(join(data, name), join(target, name));
  writeFileSync(join(target, 'dapple.sqlite.gz'), gzipSync(readFileSync(join(data, 'dapple.sqlite')), { level: 9 }));
  const args = ['moving/main-export.ts', '--from', data, '--to', join(target, 'export')];
  execFileSync(process.execPath, args, { cwd: root, stdio: 'ignore' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
