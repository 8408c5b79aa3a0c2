import { beforeEach, describe, expect, it } from 'vitest';

import { type IndexRun, maintainMetadataIndex } from '../../../lib/background/maintain-metadata-index.ts';
import { clock } from '../../../lib/clock.ts';
import { rowsOf } from '../../../lib/domain/paging/page.ts';
import { setConfig } from '../../../lib/operations/config/set-config.ts';
import { search } from '../../../lib/operations/dids/search.ts';
import { setMetadata } from '../../../lib/operations/dids/set-metadata.ts';
import { freeKeysName, getIndexState, invalidateIndexState } from '../../../lib/store/entities/index-state.ts';
import { createClient } from '../../../lib/store/items/client.ts';
import { UpdateCommand } from '../../../lib/store/items/commands.ts';
import { didKeys } from '../../../lib/store/keys/did-keys.ts';
import { metadataIndexKeys } from '../../../lib/store/keys/metadata-index-keys.ts';
import { ownEngine } from '../../support/run.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';
import { indexOfTable } from './index-of-table.ts';

const defaults = ['run_number', 'task_id', 'campaign', 'datatype'];
const names = Array.from({ length: 30 }, (_value, index) => `file.${String(index).padStart(3, '0')}`);
const colourOf = (index: number) => ['red', 'green', 'blue'][index % 3];
const red = [...names.filter((_name, index) => index % 3 === 0), 'set'];

let catalogue: Catalogue;
beforeEach(async () => {
  catalogue = await newCatalogue();
});

/** 30 files and a dataset with a colour and a weight. */
async function fill(): Promise<void> {
  const dids = names.map((name, index) => ({
    scope: 'data',
    name,
    bytes: 1,
    meta: { colour: colourOf(index), weight: index },
  }));
  await catalogue.add('set', 'DATASET', { rse: 'DISK', dids, meta: { colour: 'red' } });
}

const run = (options: { later?: number; settlingMs?: number; budgetMs?: number } = {}): Promise<IndexRun> => {
  const { later = 0, ...rest } = options;
  return maintainMetadataIndex({ store: catalogue.store.begin(), now: clock.now() + later }, rest);
};
const configure = (metadata: Readonly<Record<string, string>>) => setConfig(catalogue.at(), { metadata });
const stateOf = async () => (await getIndexState(catalogue.store.begin().table))?.keys.get(freeKeysName);
const set = (name: string, key: string, value: unknown) =>
  setMetadata(catalogue.at(), data(name), { key, value, recursive: false });

const ask = (parameters: Readonly<Record<string, string>>, explain = false) =>
  Array.fromAsync(
    rowsOf(search(catalogue.at(), 'data', { type: 'all', ...parameters }, { long: false, recursive: false, explain })),
  );
async function planOf(parameters: Readonly<Record<string, string>>) {
  const [explained] = (await ask(parameters, true)) as unknown as {
    plan: { source: string; filtered?: Record<string, string> }[];
  }[];
  return { source: explained?.plan[0]?.source, ...explained?.plan[0]?.filtered };
}

async function expectSound(isFree: (key: string) => boolean = () => true): Promise<void> {
  const { found, expected } = await indexOfTable(catalogue.store.table.name, defaults, isFree);
  expect(found).toEqual(expected);
}

const client = async () => createClient((await ownEngine()).client);

/** Makes the state what a version of the code left that did not know free metadata. */
async function forgetFree(): Promise<void> {
  await (
    await client()
  ).send(
    new UpdateCommand({
      TableName: catalogue.store.table.name,
      Key: metadataIndexKeys.state,
      UpdateExpression: 'REMOVE #keys.#name, #free',
      ExpressionAttributeNames: { '#keys': 'keys', '#name': freeKeysName, '#free': 'free' },
    }),
  );
  invalidateIndexState(catalogue.store.table);
}

describe('the free metadata of a catalogue', () => {
  it('that is new is indexed from the first value on', async () => {
    await fill();
    expect(await planOf({ colour: 'red' })).toEqual({ source: 'index' });
    expect(await ask({ colour: 'red' })).toEqual(red);
    await expectSound();
  });

  it('that is older than its index is filled, and only then used', async () => {
    await forgetFree();
    await fill();
    expect(await planOf({ colour: 'red' })).toEqual({ source: 'scope', colour: 'being indexed' });
    await expectSound(() => false);
    expect(await run()).toEqual({ rewritten: 0, done: false });
    expect(await stateOf()).toBe('filling');
    await set('file.001', 'colour', 'red');
    expect(await ask({ colour: 'red' })).toEqual([...red, 'file.001'].toSorted());
    expect(await planOf({ colour: 'red' })).toMatchObject({ source: 'scope' });
    expect(await run({ later: 2_000_000 })).toEqual({ rewritten: 0, done: false });
    expect(await run({ later: 2_500_000 })).toEqual({ rewritten: 31, done: true });
    expect(await planOf({ colour: 'red' })).toEqual({ source: 'index' });
    expect(await ask({ colour: 'red' })).toEqual([...red, 'file.001'].toSorted());
    await expectSound();
  });

  it('has what is written by code that does not know of it while it is filled', async () => {
    await fill();
    await forgetFree();
    await run();
    await (
      await client()
    ).send(
      new UpdateCommand({
        TableName: catalogue.store.table.name,
        Key: didKeys.did(data('late')),
        UpdateExpression: 'SET #type = :type, #colour = :colour, rev = :rev',
        ExpressionAttributeNames: { '#type': 'type', '#colour': 'meta:colour' },
        ExpressionAttributeValues: { ':type': 'DATASET', ':colour': 'red', ':rev': 0 },
      }),
    );
    expect(await run({ settlingMs: 0 })).toMatchObject({ done: true });
    expect(await ask({ colour: 'red' })).toEqual(['late', ...red].toSorted());
    await expectSound();
  });

  it('is filled from where a run has stopped', async () => {
    await forgetFree();
    await fill();
    let done = false;
    for (let runs = 0; !done; runs += 1) ({ done } = await run({ settlingMs: 0, budgetMs: runs === 0 ? 1 : 40 }));
    expect(await ask({ colour: 'red' })).toEqual(red);
    await expectSound();
  });
});

describe('a key that is excluded', () => {
  it('is used until every process knows, and its entries go; taken in again it is filled', async () => {
    await fill();
    await configure({ excluded_keys: 'colour' });
    expect(await run()).toEqual({ rewritten: 0, done: false });
    expect([await stateOf(), await planOf({ colour: 'red' })]).toEqual([
      'retiring',
      { source: 'scope', colour: 'being indexed' },
    ]);
    // Writes keep the entries up for those who still search by them.
    await set('file.001', 'colour', 'red');
    await expectSound();
    expect(await run({ later: 2_500_000 })).toEqual({ rewritten: 0, done: false });
    await set('file.002', 'colour', 'red');
    expect(await run({ later: 5_000_000 })).toEqual({ rewritten: 30, done: true });
    expect(await planOf({ colour: 'red' })).toEqual({ source: 'scope', colour: 'excluded' });
    expect(await planOf({ 'weight.gt': '3' })).toEqual({ source: 'index' });
    expect(await ask({ colour: 'red' })).toEqual([...red, 'file.001', 'file.002'].toSorted());
    await expectSound((key) => key !== 'colour');

    await configure({ excluded_keys: '' });
    await run();
    await run({ later: 2_500_000 });
    expect(await run({ later: 5_000_000 })).toEqual({ rewritten: 31, done: true });
    expect(await planOf({ colour: 'red' })).toEqual({ source: 'index' });
    await expectSound();
  });
});

describe('the bound of keys', () => {
  it('leaves out the keys that come later, for good, until it is raised', async () => {
    await configure({ max_keys_per_scope: '1' });
    await run({ settlingMs: 0 });
    await catalogue.add('one', 'DATASET', { meta: { colour: 'red' } });
    await catalogue.add('two', 'DATASET', { meta: { weight: 5, colour: 'red' } });
    expect(await planOf({ weight: '5' })).toEqual({ source: 'scope', weight: 'beyond max_keys_per_scope' });
    expect([await ask({ weight: '5' }), await ask({ colour: 'red' })]).toEqual([['two'], ['one', 'two']]);
    await expectSound((key) => key === 'colour');
    await set('two', 'weight', 6);
    await set('two', 'weight', [6]);
    await set('two', 'weight', 7);
    await expectSound((key) => key === 'colour');

    await configure({ max_keys_per_scope: '2' });
    await run();
    await run({ later: 2_500_000 });
    expect(await run({ later: 5_000_000 })).toEqual({ rewritten: 1, done: true });
    expect([await planOf({ weight: '7' }), await ask({ weight: '7' })]).toEqual([{ source: 'index' }, ['two']]);
    await expectSound();
  });

  it('of 0 indexes nothing', async () => {
    await configure({ max_keys_per_scope: '0' });
    await run({ settlingMs: 0 });
    await fill();
    expect(await ask({ colour: 'red' })).toEqual(red);
    await expectSound(() => false);
  });
});
