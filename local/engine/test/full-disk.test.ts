import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Engine } from '../src/engine.ts';
import { Database } from '../src/storage/database.ts';

let folder: string;
let engine: Engine;

/** The error of SQLite for a database that may not grow. */
function fullError(): unknown {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (x); PRAGMA max_page_count = 2;');
  try {
    database.exec('INSERT INTO t VALUES (randomblob(100000))');
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
  return undefined;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-full-'));
  engine = new Engine({ path: join(folder, 'dapple.sqlite') });
  await engine.send(
    'CreateTable',
    JSON.stringify({
      TableName: 'Full',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
    }),
  );
});

afterEach(() => {
  vi.restoreAllMocks();
  engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (name: string) => engine.send('PutItem', JSON.stringify({ TableName: 'Full', Item: { PK: { S: name } } }));

it.each([
  ['SQLite', fullError()],
  ['the system', Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })],
])(
  'a disk that %s finds full is answered by its name, reads go on, and so does all when there is space',
  async (_by, cause) => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect((await put('before')).status).toBe(200);
    const transact = vi.spyOn(Database.prototype, 'transact').mockImplementation(() => {
      throw cause;
    });
    const refused = await Promise.all(['one', 'two', 'three'].map(put));
    for (const { status, body } of refused) {
      expect(status).toBe(400);
      expect(body).toContain('#StorageFullException');
      expect(body).toContain('The disk of the catalogue is full');
    }
    const read = await engine.send('GetItem', JSON.stringify({ TableName: 'Full', Key: { PK: { S: 'before' } } }));
    expect(read.body).toContain('before');
    expect(complaints).not.toHaveBeenCalled();
    transact.mockRestore();
    expect((await put('after')).status).toBe(200);
  },
);
