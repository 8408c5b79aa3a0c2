import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { lockData } from '../../local/data-lock.ts';

let folder: string;
const holders: ChildProcess[] = [];
const lockFile = () => join(folder, 'engine.lock');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-lock-'));
});
afterEach(async () => {
  await Promise.all(holders.splice(0).map((holder) => end(holder)));
  rmSync(folder, { recursive: true });
});

/** Starts a process that locks the folder; returns what it says. */
async function lockElsewhere(): Promise<string> {
  const script = join(import.meta.dirname, 'hold-lock.ts');
  const holder = spawn(process.execPath, [script, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  holders.push(holder);
  const [line] = (await once(holder.stdout, 'data')) as [Buffer];
  return line.toString().trim();
}

async function end(holder: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (holder.exitCode !== null || holder.signalCode !== null) return;
  holder.kill(signal);
  await once(holder, 'exit');
}

it('has one holder at a time', () => {
  const lock = lockData(folder);

  expect(() => lockData(folder)).toThrow(`in use by process ${process.pid}`);

  lock.release();
  expect(existsSync(lockFile())).toBe(false);
  lockData(folder).release();
});

it('has one holder however many processes start at once on the lock of a dead one', async () => {
  writeFileSync(lockFile(), JSON.stringify({ pid: 2 ** 22 + 1, command: 'node' }));

  const answers = await Promise.all([1, 2, 3, 4].map(() => lockElsewhere()));

  expect(answers.filter((answer) => answer === 'locked')).toHaveLength(1);
  expect(answers.filter((answer) => answer.includes('is in use by process'))).toHaveLength(3);
});

it('excludes a process of another container, which may have our id', async () => {
  expect(await lockElsewhere()).toBe('locked');
  writeFileSync(lockFile(), JSON.stringify({ pid: process.pid, command: '' }));

  expect(() => lockData(folder)).toThrow(/in use by process \d+\. Stop that one first, or .*--data.*--in-memory/);
});

it('ends with its process, however that ends', async () => {
  expect(await lockElsewhere()).toBe('locked');
  await Promise.all(holders.map((holder) => end(holder, 'SIGKILL')));

  lockData(folder).release();
});

it.each([
  { case: 'of a dead process', content: JSON.stringify({ pid: 2 ** 22 + 1, command: 'node' }) },
  { case: 'of a process id that was reused', content: JSON.stringify({ pid: 1, command: 'node old' }) },
  { case: 'of an earlier process with our id', content: JSON.stringify({ pid: process.pid, command: '' }) },
  { case: 'of a server that was killed', content: JSON.stringify({ pid: process.ppid, command: '' }) },
  { case: 'that a crash truncated', content: '{"pid"' },
])('is taken over if it is the lock $case', ({ content }) => {
  writeFileSync(lockFile(), content);

  lockData(folder).release();

  expect(existsSync(lockFile())).toBe(false);
});
