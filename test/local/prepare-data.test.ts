import { randomUUID } from 'node:crypto';
import { rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { addScope } from '../../lib/operations/accounts/add-scope.ts';
import { setConfig } from '../../lib/operations/config/set-config.ts';
import { addDids } from '../../lib/operations/dids/add-dids.ts';
import { getIndexState } from '../../lib/store/entities/index-state.ts';
import { openStore } from '../../lib/store/open-store.ts';
import { type LocalEngine, openEngine } from '../../local/open-engine.ts';
import { newFaultyEngine } from '../support/faulty-engine.ts';
import { ownEngine } from '../support/run.ts';

const root = { username: 'ddmlab', password: 'secret' };
const dids = 600;

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'dapple-prepare-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Starts a server's data once, and records its requests until it is ready. */
async function start(): Promise<{ engine: LocalEngine; tableName: string; asked: string[]; stop(): Promise<void> }> {
  const engine = openEngine(dataDir);
  const line = newFaultyEngine(engine);
  const asked: string[] = [];
  line.injectFaults((operation) => void asked.push(operation));
  // The functions it imports need a table name.
  await ownEngine();
  const { prepareData } = await import('../../local/prepare-data.ts');
  const prepared = await prepareData(
    { tableName, engine: { ...engine, transport: line, client: line.client }, root, alone: true, dataDir },
    () => {},
  );
  const stop = async () => {
    await prepared();
    engine.close();
  };
  return { engine, tableName, asked: [...asked], stop };
}

/** A name for this file alone, since processes cache by table name. */
const tableName = `Table${randomUUID()}`;

describe('the data of a local server', () => {
  it('is ready after as many requests as an empty one, even if the metadata index is to be filled', async () => {
    await (await start()).stop();
    const empty = await start();
    const store = openStore({ ...empty.engine.client, tableName });
    const context = { store: store.begin(), now: Date.now(), issuer: { account: 'root', identity: 'ddmlab' } };
    await addScope(context, { account: 'root', scope: 'beam' });
    const files = Array.from({ length: dids }, (_value, index) => ({
      scope: 'beam',
      name: `dataset${index}`,
      type: 'DATASET' as const,
      meta: { stream_name: 'physics' },
    }));
    for (let from = 0; from < dids; from += 100) await addDids(context, files.slice(from, from + 100));
    await setConfig(context, { metadata: { indexed_keys: 'stream_name' } });
    await empty.stop();

    const filled = await start();
    const again = openStore({ ...filled.engine.client, tableName });
    expect((await getIndexState(again.begin().table))?.keys.get('stream_name')).toBe('filling');
    // A few for the new state of the index, and the first of those that fill it in the meantime.
    expect(filled.asked.length).toBeLessThanOrEqual(empty.asked.length + 10);
    const isReady = async () => (await getIndexState(again.begin().table))?.keys.get('stream_name');
    await expect.poll(isReady, { timeout: 20_000 }).toBe('ready');
    await filled.stop();
  });
});
