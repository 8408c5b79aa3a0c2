import { beforeAll, describe, expect, it } from 'vitest';

import { expireDids } from '../../../lib/background/expire-dids.ts';
import { rowsOf } from '../../../lib/domain/paging/page.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { search } from '../../../lib/operations/dids/search.ts';
import { setDidsMetadataBulk, setMetadata } from '../../../lib/operations/dids/set-metadata.ts';
import { openStore, type Store } from '../../../lib/store/open-store.ts';
import { hangUp, newFaultyEngine } from '../../support/faulty-engine.ts';
import { ownEngine } from '../../support/run.ts';
import { type Catalogue, data, interrupted, newCatalogue } from '../dids/catalogue.ts';
import { indexOfTable } from './index-of-table.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await newCatalogue();
});

const many = Array.from({ length: 12 }, (_value, index) => `many${index}`).toSorted();
const set = (context: Context, name: string, value: unknown) =>
  setMetadata(context, data(name), { key: 'campaign', value, recursive: false });
const setMany = (context: Context, names: readonly string[], campaign: unknown) =>
  setDidsMetadataBulk(
    context,
    names.map((name) => ({ ...data(name), meta: { campaign } })),
  );
const find = (campaign: string, context = catalogue.at()) =>
  Array.fromAsync(rowsOf(search(context, 'data', { campaign }, { long: false, recursive: false, explain: false })));

async function expectSound(): Promise<void> {
  const { found, expected } = await indexOfTable(catalogue.store.table.name, [
    'run_number',
    'task_id',
    'campaign',
    'datatype',
  ]);
  expect(found).toEqual(expected);
}

/** A store on which a concurrent change is committed between the first read and the write of an operation. */
function contested(change: () => Promise<unknown>): Store {
  let open = true;
  return interrupted(catalogue.store, async () => {
    if (open) {
      open = false;
      await change();
    }
  });
}

describe('two concurrent changes of an indexed value', () => {
  it.each<[string, unknown, unknown, unknown]>([
    ['nothing, then a value', undefined, 'other', 'mine'],
    ['a value, then others', 'old', 'other', 'mine'],
    ['the same value', 'old', 'mine', 'mine'],
    ['the present value again', 'old', 'other', 'old'],
    ['no value any more', 'old', 'other', null],
    ['a value that another request has removed', 'old', null, 'mine'],
  ])('%s: the later one wins, and the index agrees', async (what, before, other, mine) => {
    const name = what.replaceAll(/\W/g, '.');
    await catalogue.add(name, 'DATASET', before === undefined ? {} : { meta: { campaign: before } });
    const store = contested(() => set(catalogue.at(), name, other));
    await set(catalogue.at(Date.now(), store), name, mine);
    await expectSound();
    for (const value of new Set(['old', 'other', 'mine'])) {
      expect((await find(value)).includes(name), value).toBe(value === mine);
    }
  });

  it('a bulk change and a change of one of its DIDs, in either order', async () => {
    for (const name of many) await catalogue.add(name, 'DATASET');
    const single = contested(() => setMany(catalogue.at(), many, 'bulk'));
    await set(catalogue.at(Date.now(), single), 'many3', 'single');
    await expectSound();
    const bulk = contested(() => set(catalogue.at(), 'many4', 'single'));
    await setMany(catalogue.at(Date.now(), bulk), many, 'again');
    await expectSound();
    expect(await find('again')).toEqual(many);
    expect(await find('single')).toEqual([]);
  });

  it('a DID that is deleted concurrently leaves no entry', async () => {
    await catalogue.add('doomed', 'DATASET', { meta: { campaign: 'doom' }, lifetime: -1 });
    const store = contested(() => expireDids(catalogue.at(Date.now() + 1000)));
    await expect(set(catalogue.at(Date.now(), store), 'doomed', 'later')).rejects.toMatchObject({
      name: 'DataIdentifierNotFound',
    });
    await expectSound();
    expect([...(await find('doom')), ...(await find('later'))]).toEqual([]);
  });
});

describe('two concurrent changes of free metadata', () => {
  const setKey = (context: Context, name: string, key: string, value: unknown) =>
    setMetadata(context, data(name), { key, value, recursive: false });
  const findBy = (query: Readonly<Record<string, string>>) =>
    Array.fromAsync(rowsOf(search(catalogue.at(), 'data', query, { long: false, recursive: false, explain: false })));

  it.each<[string, unknown, unknown, unknown]>([
    ['free. nothing, then a value', undefined, 'other', 'mine'],
    ['free. a value, then others', 'old', 'other', 'mine'],
    ['free. the same value', 'old', 'mine', 'mine'],
    ['free. the present value again', 'old', 'other', 'old'],
    ['free. a list, then a value', [1], 'other', 'mine'],
    ['free. a value, then a list', 'old', 'other', [1]],
    ['free. a long value', 'x'.repeat(2_000), 'y'.repeat(2_000), 'mine'],
  ])('%s: the later one wins, and the index agrees', async (what, before, other, mine) => {
    const name = what.replaceAll(/\W/g, '.');
    await catalogue.add(name, 'DATASET', before === undefined ? {} : { meta: { colour: before } });
    const store = contested(() => setKey(catalogue.at(), name, 'colour', other));
    await setKey(catalogue.at(Date.now(), store), name, 'colour', mine);
    await expectSound();
    for (const value of ['old', 'other', 'mine']) {
      expect((await findBy({ colour: value })).includes(name), value).toBe(value === mine);
    }
  });

  it('of different keys do not repeat each other', async () => {
    await catalogue.add('apart', 'DATASET', { meta: { colour: 'red', weight: 1 } });
    let plans = 0;
    const other = () => setKey(catalogue.at(), 'apart', 'weight', 2);
    const store = interrupted(catalogue.store, async () => {
      plans += 1;
      if (plans === 1) await other();
    });
    await setKey(catalogue.at(Date.now(), store), 'apart', 'colour', 'blue');
    expect(plans).toBe(1);
    await expectSound();
    expect([await findBy({ colour: 'blue' }), await findBy({ 'weight.gt': '1' })]).toEqual([['apart'], ['apart']]);
  });

  it('a bulk change that is staged, and a change of one of its DIDs', async () => {
    const names = many.map((name) => `free.${name}`);
    for (const name of names) await catalogue.add(name, 'DATASET', { meta: { colour: 'before' } });
    const bulk = (context: Context, colour: string) =>
      setDidsMetadataBulk(
        context,
        names.map((name) => ({ ...data(name), meta: { colour } })),
      );
    const single = contested(() => bulk(catalogue.at(), 'bulk'));
    await setKey(catalogue.at(Date.now(), single), names[3] ?? '', 'colour', 'single');
    await expectSound();
    const again = contested(() => setKey(catalogue.at(), names[4] ?? '', 'colour', 'single'));
    await bulk(catalogue.at(Date.now(), again), 'again');
    await Promise.all([
      bulk(catalogue.at(), 'one'),
      bulk(catalogue.at(), 'two'),
      ...names.map((name) => setKey(catalogue.at(), name, 'weight', name.length)),
    ]);
    await expectSound();
  });

  it('a DID that is deleted while a key is added leaves no entry', async () => {
    await catalogue.add('free.doomed', 'DATASET', { lifetime: -1 });
    const store = contested(() => setKey(catalogue.at(), 'free.doomed', 'colour', 'late'));
    await expireDids({ ...catalogue.at(Date.now() + 1000, store) });
    await expectSound();
    expect(await findBy({ colour: 'late' })).toEqual([]);
  });

  it('a key that is used first by many at once is indexed for all of them', async () => {
    const names = Array.from({ length: 16 }, (_value, index) => `first.${String(index).padStart(2, '0')}`);
    await Promise.all(names.map((name, index) => catalogue.add(name, 'DATASET', { meta: { [`new${index % 4}`]: 1 } })));
    await expectSound();
    expect(await findBy({ new1: '1' })).toEqual(names.filter((_name, index) => index % 4 === 1));
  });
});

describe('a bulk request in progress', () => {
  it('blocks other writes to its DIDs until it has ended, and is never visible in part', async () => {
    const names = many.map((name) => `slow.${name}`).toSorted();
    // One of them has no entry yet.
    const known = names.filter((name) => name !== 'slow.many4');
    for (const name of names) {
      await catalogue.add(name, 'DATASET', name === 'slow.many4' ? {} : { meta: { campaign: 'before' } });
    }
    const engine = newFaultyEngine(await ownEngine());
    let holding = true;
    // The request that commits is lost repeatedly.
    const staged = new Promise<void>((resolve) => {
      engine.injectFaults((operation, input) => {
        const commits = operation === 'UpdateItem' && JSON.stringify(input).includes('"committed"');
        if (commits) resolve();
        return holding && commits ? hangUp : undefined;
      });
    });
    const slow = openStore({ ...engine.client, tableName: catalogue.store.table.name });
    const bulk = setMany(catalogue.at(Date.now(), slow), names, 'after');
    await staged;
    const single = set(catalogue.at(), 'slow.many3', 'single');
    const otherKey = setMetadata(catalogue.at(), data('slow.many4'), {
      key: 'run_number',
      value: 5,
      recursive: false,
    });
    expect(await find('before')).toEqual(known);
    expect(await find('after')).toEqual([]);
    holding = false;
    await Promise.all([bulk, single, otherKey]);
    await expectSound();
    expect(await find('single')).toEqual(['slow.many3']);
    expect(await find('before')).toEqual([]);
    expect(await find('after')).toEqual(names.filter((name) => name !== 'slow.many3'));
  });

  it.each([
    ['before its commit', '"committed"', 'before'],
    ['between commit and folding', 'foldedAt', 'after'],
  ] as const)('whose process crashes %s leaves all or nothing', async (when, mark, holds) => {
    const names = many.map((name) => `${holds}.${name}`);
    for (const name of names) await catalogue.add(name, 'DATASET', { meta: { campaign: `${holds}.old` } });
    const engine = newFaultyEngine(await ownEngine());
    let dead = false;
    engine.injectFaults((operation, input) => {
      dead ||= operation === 'UpdateItem' && JSON.stringify(input).includes(mark);
      return dead ? hangUp : undefined;
    });
    const dying = openStore({ ...engine.client, tableName: catalogue.store.table.name });
    const answered = setMany(catalogue.at(Date.now(), dying), names, `${holds}.new`).then(() => 'after');
    // A failure after the commit is not reported to the caller.
    expect(await answered.catch(() => 'before')).toBe(holds);
    const expectAllOrNothing = async () => {
      const [before, after] = [await find(`${holds}.old`), await find(`${holds}.new`)];
      expect(holds === 'before' ? [before, after] : [after, before], when).toEqual([names, []]);
    };
    await expectAllOrNothing();
    await catalogue.store.recoverBatches(true);
    await expectAllOrNothing();
    await set(catalogue.at(), names[0] ?? '', 'next');
    await catalogue.store.recoverBatches(true);
    await expectSound();
  });
});
