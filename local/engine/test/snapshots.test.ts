import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Engine } from '../src/engine.ts';
import { type Json, tableOf } from './support.ts';

let folder: string;
let path: string;
let writer: Engine;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dapple-data-'));
  path = join(folder, 'dapple.sqlite');
  writer = new Engine({ path });
  ask(writer, 'CreateTable', tableOf('Kept', 'PK'));
});
afterEach(() => {
  writer.close();
  rmSync(folder, { recursive: true });
});

const ask = (engine: Engine, operation: string, input: Json) =>
  JSON.parse(engine.answer(operation, input).body) as Json;
const put = (name: string) => ask(writer, 'PutItem', { TableName: 'Kept', Item: { PK: { S: name } } });
const get = (engine: Engine, name: string) =>
  ask(engine, 'GetItem', { TableName: 'Kept', Key: { PK: { S: name } } })['Item'];

describe('the snapshot that reads of one turn share (ADR 0014)', () => {
  it('ends with a write of the same connection', () => {
    expect(get(writer, 'a')).toBeUndefined();
    put('a');
    expect(get(writer, 'a')).toEqual({ PK: { S: 'a' } });
  });

  it('does not outlast the turn: the next one sees what another connection has committed', async () => {
    const reader = new Engine({ path, readOnly: true });
    expect(get(reader, 'a')).toBeUndefined();
    put('a');
    await nextTurn();
    expect(get(reader, 'a')).toEqual({ PK: { S: 'a' } });
    reader.close();
  });

  it('does not keep the write-ahead log from being copied into the database after the turn', async () => {
    get(writer, 'a');
    await nextTurn();
    put('a');
    const other = new DatabaseSync(path);
    expect(other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toEqual({ busy: 0, log: 0, checkpointed: 0 });
    other.close();
  });

  it('is closed with the engine', () => {
    const reader = new Engine({ path, readOnly: true });
    get(reader, 'a');
    expect(() => reader.close()).not.toThrow();
  });
});
