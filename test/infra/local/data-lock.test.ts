import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { lockData } from '../../../infra/local/data-lock.ts';

let folder: string;
const lockFile = () => join(folder, 'engine.lock');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('is held by one at a time', async () => {
  const lock = await lockData(folder);

  await expect(lockData(folder)).rejects.toThrow(`in use by process ${process.pid}`);

  lock.release();
  expect(existsSync(lockFile())).toBe(false);
  (await lockData(folder)).release();
});

it('is respected when another process holds it', async () => {
  writeFileSync(lockFile(), JSON.stringify({ pid: process.ppid, command: '' }));

  await expect(lockData(folder)).rejects.toThrow(
    /in use by process \d+\. Stop that one first, or .*--data.*--in-memory/,
  );
});

it.each([
  { case: 'of a process that is gone', content: JSON.stringify({ pid: 2 ** 22 + 1, command: 'node' }) },
  { case: 'of a process id that means another process now', content: JSON.stringify({ pid: 1, command: 'node old' }) },
  { case: 'of an earlier process with our id', content: JSON.stringify({ pid: process.pid, command: '' }) },
  { case: 'that a crash cut short', content: '{"pid"' },
])('is taken over when it is the lock $case', async ({ content }) => {
  writeFileSync(lockFile(), content);

  (await lockData(folder)).release();

  expect(existsSync(lockFile())).toBe(false);
});
