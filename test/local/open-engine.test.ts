import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

  it('is refused with a remedy if DynamoDB Local wrote it', () => {
    writeFileSync(join(folder, 'shared-local-instance.db'), '');

    expect(() => openEngine(folder)).toThrow(/data of DynamoDB Local.*--data <folder>.*delete/);
  });

  it('is refused if another program, or another version, wrote it', () => {
    writeFileSync(join(folder, 'dapple.sqlite'), 'not a database, but long enough to be taken for one'.repeat(100));

    expect(() => openEngine(folder)).toThrow(/cannot be opened: .*not a database.*--data <folder>/);
    expect(existsSync(join(folder, 'engine.lock'))).toBe(false);
  });
});
