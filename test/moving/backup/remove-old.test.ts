import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { backupName } from '../../../moving/backup/backup-name.ts';
import { removeOld } from '../../../moving/backup/remove-old.ts';

const dayMs = 86_400_000;
const begun = Date.now();
const daysAgo = (days: number) => backupName(new Date(begun - days * dayMs - 60_000));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-old-'));
  for (let day = 0; day < 10; day += 1) mkdirSync(join(folder, daysAgo(day)));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('keeps the latest backups, and the young ones', async () => {
  expect(await removeOld(folder, { keep: 3, keepDays: 5 })).toHaveLength(5);
  expect(await removeOld(folder, { keep: 3, keepDays: 0 })).toHaveLength(2);
  expect(readdirSync(folder).toSorted().toReversed()).toEqual([0, 1, 2].map(daysAgo));
  expect(await removeOld(folder, { keep: 3, keepDays: 0 })).toEqual([]);
});

it('removes what a backup that was ended has left, and nothing that is no backup', async () => {
  const parts = [`${daysAgo(2)}.partial`, `${daysAgo(2)}.trial`, `${daysAgo(2)}.trial.loading`];
  const others = ['notes', 'dapple-old', `${daysAgo(2)}.gz`, `${daysAgo(0)}.partial`];
  for (const name of [...parts, ...others]) mkdirSync(join(folder, name));
  await removeOld(folder, { keep: 99, keepDays: 0 });
  const left = readdirSync(folder);
  expect(parts.filter((name) => left.includes(name))).toEqual([]);
  expect(others.filter((name) => left.includes(name))).toEqual(others);
});

it('keeps what was just made beside a backup of the future, which stays as well', async () => {
  const ahead = daysAgo(-400);
  mkdirSync(join(folder, ahead));
  await removeOld(folder, { keep: 1, keepDays: 0 });
  expect(readdirSync(folder).toSorted()).toEqual([daysAgo(0), ahead]);
});
