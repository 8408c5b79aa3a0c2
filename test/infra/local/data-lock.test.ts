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

it('has one holder at a time', () => {
  const lock = lockData(folder);

  expect(() => lockData(folder)).toThrow(`in use by process ${process.pid}`);

  lock.release();
  expect(existsSync(lockFile())).toBe(false);
  lockData(folder).release();
});

it('is respected if another process holds it', () => {
  writeFileSync(lockFile(), JSON.stringify({ pid: process.ppid, command: '' }));

  expect(() => lockData(folder)).toThrow(/in use by process \d+\. Stop that one first, or .*--data.*--in-memory/);
});

it.each([
  { case: 'of a dead process', content: JSON.stringify({ pid: 2 ** 22 + 1, command: 'node' }) },
  { case: 'of a process id that was reused', content: JSON.stringify({ pid: 1, command: 'node old' }) },
  { case: 'of an earlier process with our id', content: JSON.stringify({ pid: process.pid, command: '' }) },
  { case: 'that a crash truncated', content: '{"pid"' },
])('is taken over if it is the lock $case', ({ content }) => {
  writeFileSync(lockFile(), content);

  lockData(folder).release();

  expect(existsSync(lockFile())).toBe(false);
});
