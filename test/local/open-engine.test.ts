import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openEngine } from '../../local/open-engine.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-data-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a data folder', () => {
  it('can be opened by one engine at a time', () => {
    const engine = openEngine(folder);

    expect(() => openEngine(folder)).toThrow(`in use by process ${process.pid}`);

    engine.close();
    openEngine(folder).close();
    expect(existsSync(join(folder, 'engine.lock'))).toBe(false);
  });

  it('is refused with a remedy if another version stored data in another form', () => {
    openEngine(folder).close();
    const database = new DatabaseSync(join(folder, 'dapple.sqlite'));
    const [{ user_version: version = 0 } = {}] = database.prepare('PRAGMA user_version').all();
    for (const other of [Number(version) - 1, Number(version) + 1]) {
      database.exec(`PRAGMA user_version = ${other}`);
      expect(() => openEngine(folder)).toThrow(/another version of Dapple.*export.*--data <folder>.*delete/);
    }
    database.close();
    expect(existsSync(join(folder, 'engine.lock'))).toBe(false);
  });

  it('is refused if another program wrote it', () => {
    writeFileSync(join(folder, 'dapple.sqlite'), 'not a database, but long enough to be taken for one'.repeat(100));

    expect(() => openEngine(folder)).toThrow(/cannot be opened: .*not a database.*--data <folder>/);
    expect(existsSync(join(folder, 'engine.lock'))).toBe(false);
  });
});
