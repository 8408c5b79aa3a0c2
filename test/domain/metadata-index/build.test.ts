import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { type IndexRun, maintainMetadataIndex } from '../../../lib/background/maintain-metadata-index.ts';
import { clock } from '../../../lib/clock.ts';
import { rowsOf } from '../../../lib/domain/paging/page.ts';
import { unavailable } from '../../../lib/errors.ts';
import { addScope } from '../../../lib/operations/accounts/add-scope.ts';
import { setConfig } from '../../../lib/operations/config/set-config.ts';
import { search } from '../../../lib/operations/dids/search.ts';
import { setMetadata } from '../../../lib/operations/dids/set-metadata.ts';
import { freeKeysName, getIndexState, invalidateIndexState } from '../../../lib/store/entities/index-state.ts';
import { createClient } from '../../../lib/store/items/client.ts';
import { DeleteCommand, UpdateCommand } from '../../../lib/store/items/commands.ts';
import { LostRace } from '../../../lib/store/items/plan.ts';
import { didKeys } from '../../../lib/store/keys/did-keys.ts';
import { metadataIndexKeys } from '../../../lib/store/keys/metadata-index-keys.ts';
import { openStore, type Store } from '../../../lib/store/open-store.ts';
import { hangUp, newFaultyEngine } from '../../support/faulty-engine.ts';
import { passTime } from '../../support/pass-time.ts';
import { ownEngine } from '../../support/run.ts';
import { type Catalogue, data, interrupted, newCatalogue } from '../dids/catalogue.ts';
import { indexOfTable } from './index-of-table.ts';

const defaults = ['run_number', 'task_id', 'campaign', 'datatype'];
const names = Array.from({ length: 60 }, (_value, index) => `file.${String(index).padStart(3, '0')}`);
const colourOf = (index: number) => ['red', 'green', 'blue'][index % 3];

let catalogue: Catalogue;
/** 60 files and a dataset with a stream, which is not indexed, and with a run number, which is. */
beforeEach(async () => {
  catalogue = await newCatalogue();
  await addScope(catalogue.at(), { scope: 'void', account: 'root' });
  const dids = names.map((name, index) => ({
    scope: 'data',
    name,
    bytes: 1,
    meta: { stream_name: colourOf(index), run_number: index % 2 },
  }));
  await catalogue.add('set', 'DATASET', { rse: 'DISK', dids, meta: { stream_name: 'red' } });
}, 30_000);

afterEach(() => {
  vi.useRealTimers();
});

const indexKeys = (...wanted: string[]) =>
  setConfig(catalogue.at(), { metadata: { indexed_keys: [...defaults, ...wanted].join(' ') } });

/** Runs the scheduled work; `later`: so many milliseconds from now. */
const run = (
  options: { later?: number; settlingMs?: number; budgetMs?: number; store?: Store } = {},
): Promise<IndexRun> => {
  const { later = 0, store = catalogue.store, ...rest } = options;
  return maintainMetadataIndex({ store: store.begin(), now: clock.now() + later }, rest);
};
const stateOf = async (key: string) => (await getIndexState(catalogue.store.begin().table))?.keys.get(key);

const ask = (parameters: Readonly<Record<string, string>>, explain = false) =>
  Array.fromAsync(
    rowsOf(search(catalogue.at(), 'data', { type: 'all', ...parameters }, { long: false, recursive: false, explain })),
  );
const sourceOf = async (parameters: Readonly<Record<string, string>>) =>
  ((await ask(parameters, true)) as { plan: { source: string }[] }[])[0]?.plan[0]?.source;
const red = [...names.filter((_name, index) => index % 3 === 0), 'set'];

async function expectSound(indexed: readonly string[]): Promise<void> {
  const { found, expected } = await indexOfTable(catalogue.store.table.name, indexed);
  expect(found).toEqual(expected);
}

describe('a key that is added later', () => {
  it('is filled from the DIDs that there are, and only then used', async () => {
    await indexKeys('stream_name');
    expect(await run()).toEqual({ rewritten: 0, done: false });
    expect(await stateOf('stream_name')).toBe('filling');
    expect([await sourceOf({ stream_name: 'red' }), await ask({ stream_name: 'red' })]).toEqual(['scope', red]);
    // Writers of a DID make the entry from now on, but it is not certain yet that all of them do.
    expect(await run({ later: 2_000_000 })).toEqual({ rewritten: 0, done: false });
    expect(await run({ later: 2_500_000 })).toEqual({ rewritten: 61, done: true });
    expect(await stateOf('stream_name')).toBe('ready');
    expect([await sourceOf({ stream_name: 'red' }), await ask({ stream_name: 'red' })]).toEqual(['index', red]);
    await expectSound([...defaults, 'stream_name']);
    expect(await run({ later: 9_000_000 })).toEqual({ rewritten: 0, done: true });
  });

  it('has what is written while it is being filled', async () => {
    await indexKeys('stream_name');
    await run();
    await setMetadata(catalogue.at(), data('file.001'), { key: 'stream_name', value: 'red', recursive: false });
    await catalogue.add('new', 'DATASET', { meta: { stream_name: 'red' } });
    await run({ settlingMs: 0 });
    expect(await ask({ stream_name: 'red' })).toEqual([...red, 'file.001', 'new'].toSorted());
    await expectSound([...defaults, 'stream_name']);
  });

  it('has what those have written who did not know of it yet', async () => {
    await indexKeys('stream_name');
    await run();
    await setMetadata(catalogue.at(), data('set'), { key: 'stream_name', value: 'green', recursive: false });
    const client = createClient((await ownEngine()).client);
    for (const [name, colour] of [
      ['set', 'blue'],
      ['file.002', 'grey'],
    ] as const) {
      await client.send(
        new UpdateCommand({
          TableName: catalogue.store.table.name,
          Key: didKeys.did(data(name)),
          UpdateExpression: 'SET #colour = :colour ADD #rev :one',
          ExpressionAttributeNames: { '#colour': 'col:stream_name', '#rev': 'rev' },
          ExpressionAttributeValues: { ':colour': colour, ':one': 1 },
        }),
      );
    }
    await run({ settlingMs: 0 });
    expect([await ask({ stream_name: 'green', type: 'dataset' }), await ask({ stream_name: 'grey' })]).toEqual([
      [],
      ['file.002'],
    ]);
    await expectSound([...defaults, 'stream_name']);
  });

  it('is filled in one run although a writer that died keeps a DID for a while', async () => {
    await indexKeys('stream_name');
    await run();
    let refusals = 0;
    const store = interrupted(catalogue.store, async ([write]) => {
      const isKept = write?.kind === 'change' && write.key.SK === didKeys.did(data('file.003')).SK;
      if (!isKept || refusals === 2) return;
      refusals += 1;
      throw unavailable(new LostRace('kept'));
    });
    expect(await run({ settlingMs: 0, store })).toEqual({ rewritten: 61, done: true });
    expect(refusals).toBe(2);
    await expectSound([...defaults, 'stream_name']);
  });

  it('fails if a DID cannot be written until the end of the run', async () => {
    await indexKeys('stream_name');
    await run();
    const store = interrupted(catalogue.store, async ([write]) => {
      if (write?.kind === 'change' && write.reindex === true) throw unavailable(new LostRace('kept'));
    });
    await expect(run({ settlingMs: 0, budgetMs: 100, store })).rejects.toThrow('too many requests');
    expect(await stateOf('stream_name')).toBe('filling');
  });

  it('lacks nothing of a process that froze before it wrote, and thawed when the key was used', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await catalogue.add('late', 'DATASET');
    const frozen = Promise.withResolvers<void>();
    const thawed = Promise.withResolvers<void>();
    // The signer is what runs last before the age of the plan is checked.
    const sign = async <R extends { readonly headers: Readonly<Record<string, string>> }>(request: R): Promise<R> => {
      if (!/Update|Transact/.test(request.headers['x-amz-target'] ?? '')) return request;
      frozen.resolve();
      await thawed.promise;
      return request;
    };
    const { client } = await ownEngine();
    const store = openStore({ ...client, signer: { sign }, tableName: catalogue.store.table.name }).begin();
    const change = { key: 'stream_name', value: 'red', recursive: false };
    const writing = setMetadata({ ...catalogue.at(), store }, data('late'), change);
    await frozen.promise;
    await indexKeys('stream_name');
    await run();
    passTime(2_500_000);
    await run();
    expect(await stateOf('stream_name')).toBe('ready');
    thawed.resolve();
    await expect(writing).rejects.toMatchObject({ status: 503 });
    await expectSound([...defaults, 'stream_name']);
  });

  it('carries on where a run has stopped', async () => {
    await indexKeys('stream_name');
    let runs = 0;
    let rewritten = 0;
    for (let done = false; !done; runs += 1) {
      const outcome = await run({ settlingMs: 0, budgetMs: runs === 0 ? 1 : 40 });
      ({ done } = outcome);
      rewritten += outcome.rewritten;
      if (!done) expect(await sourceOf({ stream_name: 'red' })).toBe('scope');
    }
    expect(runs).toBeGreaterThan(1);
    expect(rewritten).toBeLessThan(61 + 30);
    expect([await sourceOf({ stream_name: 'red' }), await ask({ stream_name: 'red' })]).toEqual(['index', red]);
    await expectSound([...defaults, 'stream_name']);
  });

  it('is right after any crash, and when two runs do it at once', async () => {
    await indexKeys('stream_name');
    const engine = newFaultyEngine(await ownEngine());
    const store = openStore({ ...engine.client, tableName: catalogue.store.table.name });
    for (const requests of [3, 9, 20, 45, 90]) {
      let left = requests;
      engine.injectFaults(() => ((left -= 1) < 0 ? hangUp : undefined));
      await expect(run({ settlingMs: 0, store })).rejects.toThrow();
    }
    await Promise.all([run({ settlingMs: 0 }), run({ settlingMs: 0 })]);
    await run({ settlingMs: 0 });
    expect(await stateOf('stream_name')).toBe('ready');
    await expectSound([...defaults, 'stream_name']);
  });
});

describe('a key that is taken away', () => {
  it('is used no longer at once; its entries go once nobody can use them any more', async () => {
    await setConfig(catalogue.at(), { metadata: { indexed_keys: 'task_id campaign datatype' } });
    const odd = names.filter((_name, index) => index % 2 === 1);
    const expectRows = async () => {
      expect([await sourceOf({ run_number: '1' }), await ask({ run_number: '1' })]).toEqual(['scope', odd]);
    };
    await expectRows();
    expect(await run()).toMatchObject({ done: false });
    expect(await stateOf('run_number')).toBe('retiring');
    await expectSound(defaults);
    await run({ later: 2_500_000 });
    expect(await stateOf('run_number')).toBe('dropping');
    await catalogue.add('late', 'DATASET', { meta: { run_number: 7, task_id: 3 } });
    await setMetadata(catalogue.at(), data('file.003'), { key: 'run_number', value: 1, recursive: false });
    await expectRows();
    expect(await run({ later: 5_000_000 })).toEqual({ rewritten: 59, done: true });
    expect(await stateOf('run_number')).toBeUndefined();
    await expectSound(['task_id', 'campaign', 'datatype']);
    await expectRows();
  });

  it('that is wanted again is used at once while it was kept up, and filled anew after', async () => {
    const drop = () => setConfig(catalogue.at(), { metadata: { indexed_keys: 'datatype' } });
    await drop();
    await run();
    await indexKeys();
    await run();
    expect(await stateOf('run_number')).toBe('ready');
    await drop();
    await run();
    await run({ later: 2_500_000 });
    await catalogue.add('late', 'DATASET', { meta: { run_number: 1 } });
    await indexKeys();
    await run({ later: 2_600_000 });
    expect(await stateOf('run_number')).toBe('filling');
    expect(await run({ later: 5_100_000 })).toMatchObject({ done: true });
    expect(await ask({ run_number: '1', type: 'dataset' })).toEqual(['late']);
    await expectSound(defaults);
  });
});

describe('the index of a catalogue', () => {
  it('that is new is ready from the start', async () => {
    expect([await sourceOf({ run_number: '1' }), await stateOf('datatype')]).toEqual(['index', 'ready']);
  });

  it('that is older than its index is filled from what is there', async () => {
    const client = createClient((await ownEngine()).client);
    await client.send(new DeleteCommand({ TableName: catalogue.store.table.name, Key: metadataIndexKeys.state }));
    invalidateIndexState(catalogue.store.table);
    await catalogue.add('old', 'DATASET', { meta: { run_number: 1 } });
    await run();
    expect([await stateOf('run_number'), await sourceOf({ run_number: '1' })]).toEqual(['filling', 'scope']);
    await run({ later: 2_500_000 });
    expect(await ask({ run_number: '1', type: 'dataset' })).toEqual(['old']);
    await expectSound(defaults);
  });

  it('has no keys that cannot be indexed', async () => {
    await indexKeys(
      'name',
      'bytes',
      'hidden',
      'is_new',
      'closed_at',
      'guid',
      'type',
      'lifetime',
      'x'.repeat(300),
      'stream_name',
    );
    await run({ settlingMs: 0 });
    const state = await getIndexState(catalogue.store.begin().table);
    expect([...(state?.keys.keys() ?? [])].toSorted()).toEqual([...defaults, 'stream_name', freeKeysName].toSorted());
  });
});
