import { beforeAll, describe, expect, it } from 'vitest';

import { byName, rowsOf, wholeList } from '../../../lib/domain/paging/page.ts';
import { addScope } from '../../../lib/operations/accounts/add-scope.ts';
import { listScopeOwners, listScopeNames } from '../../../lib/operations/accounts/list-scopes.ts';
import { addDids } from '../../../lib/operations/dids/add-dids.ts';
import { detachDids } from '../../../lib/operations/dids/detach-dids.ts';
import { listFiles } from '../../../lib/operations/dids/list-content.ts';
import { listNewDids } from '../../../lib/operations/dids/list-new.ts';
import { listScope } from '../../../lib/operations/dids/list-scope.ts';
import { setMetadata } from '../../../lib/operations/dids/set-metadata.ts';
import { addKey, listKeys } from '../../../lib/operations/meta-conventions/conventions.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';
import { type List, pagesOf } from './pages-of.ts';

let catalogue: Catalogue;
const at = () => catalogue.at();
const numbers = Array.from({ length: 9 }, (_value, index) => index);

beforeAll(async () => {
  catalogue = await newCatalogue();
  for (const number of numbers) {
    await addScope(at(), { scope: `s.${number}`, account: 'root' });
    await addKey(at(), `k${number}`, { key_type: 'ALL' });
  }
  await catalogue.add('ds1', 'DATASET');
  await catalogue.add('ds2', 'DATASET');
  await catalogue.attach(
    'ds1',
    numbers.map((number) => `one.${number}`),
    1,
  );
  await catalogue.attach(
    'ds2',
    numbers.map((number) => `two.${number}`),
    1,
  );
  await catalogue.add('cont', 'CONTAINER');
  await catalogue.attach('cont', ['ds1', 'ds2']);
});

const walked = async <T>(list: List<T>, limit: number, between?: () => Promise<void>) =>
  (await Array.fromAsync(pagesOf(list, limit, between))).flat();

const newDids = (type?: string) => (page: object) => listNewDids(at(), type, page);

describe('pages of the lists that all accounts share', () => {
  it.each<[string, List<unknown>]>([
    ['scopes', (page) => listScopeNames(at(), page)],
    ['scopes with owners', (page) => listScopeOwners(at(), page)],
    ['keys of conventions', (page) => listKeys(at(), page)],
    ['new DIDs', newDids()],
    ['new files', newDids('file')],
    ['new datasets', newDids('dataset')],
  ])('of %s add up to the list for any page size', async (_what, list) => {
    const whole = await Array.fromAsync(rowsOf(list(wholeList)));
    expect(whole.length).toBeGreaterThan(1);
    for (const limit of [1, 2, 7, 1000]) expect(await walked(list, limit)).toEqual(whole);
  });
});

describe('pages of new DIDs (dids 2.22)', () => {
  it('have a file that was flagged again once, and continue beyond the 1000 rows of an answer without a limit', async () => {
    const names = Array.from({ length: 1100 }, (_value, index) => `many.${index}`);
    await catalogue.add('many', 'DATASET');
    await catalogue.attach('many', names.slice(0, 600), 1);
    await catalogue.attach('many', names.slice(600), 1);
    for (const value of [false, true]) {
      await setMetadata(at(), data('many.3'), { key: 'is_new', value, recursive: false });
    }
    expect(await Array.fromAsync(newDids('file')(wholeList))).toHaveLength(1000);
    const rows = (await walked(newDids('file'), 400)).map(({ name }) => name);
    expect(rows.toSorted()).toEqual([...new Set(rows)].toSorted());
    expect(rows).toEqual(expect.arrayContaining(names));
    // Files that other tests have made in the hour before come later.
    expect(rows.findLast((name) => name.startsWith('many.'))).toBe('many.3');
  });

  it('end if the last row is now older than the list reaches', async () => {
    const [first] = await Array.fromAsync(newDids('dataset')({ limit: 1 }));
    const later = catalogue.at(Date.now() + 30 * 3_600_000);
    const after = first?.position ?? [];
    expect(await Array.fromAsync(listNewDids(later, 'dataset', { limit: 5, after }))).toEqual([]);
  });
});

describe('pages through all levels while the current collection changes', () => {
  it('continue after a dataset that was detached', async () => {
    const detach = (name: string) => detachDids(at(), data('cont'), [data(name)]);
    const files = (page: object) => listFiles(at(), data('cont'), false, page);
    const rows = (
      await walked(
        files,
        2,
        once(() => detach('ds1')),
      )
    ).map(({ name }) => name);
    expect(rows).toEqual(['one.0', 'one.1', ...numbers.map((number) => `two.${number}`)]);
    await catalogue.attach('cont', ['ds1']);
  });

  it('continue with the next DID of the scope after the last one got a parent', async () => {
    await addDids(at(), [
      { scope: 's.1', name: 'a', type: 'CONTAINER', dids: [data('ds2')] },
      { scope: 's.1', name: 'b', type: 'CONTAINER' },
      { scope: 's.1', name: 'c', type: 'CONTAINER' },
    ]);
    const scope = (page: object) => listScope(at(), 's.1', { recursive: true }, page);
    const hide = () =>
      addDids(at(), [{ scope: 's.1', name: 'z', type: 'CONTAINER', dids: [{ scope: 's.1', name: 'a' }] }]);
    const rows = (await walked(scope, 4, once(hide))).map(({ name }) => name);
    expect(rows.slice(0, 4)).toEqual(['a', 'ds2', 'two.0', 'two.1']);
    expect(rows.slice(4, 6)).toEqual(['b', 'c']);
    expect(rows.slice(6)).toEqual(['z', 'a', 'ds2', ...numbers.map((number) => `two.${number}`)]);
  });
});

describe('a list in memory', () => {
  it('is sorted by name and continues after any name, even a deleted one', () => {
    const rows = ['c', 'a', 'b'].map((name) => ({ name }));
    const names = (after?: string) =>
      [...byName(rows, ({ name }) => name, after === undefined ? {} : { after: [after] })].map(({ row }) => row.name);
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(names('a')).toEqual(['b', 'c']);
    expect(names('aa')).toEqual(['b', 'c']);
    expect(names('c')).toEqual([]);
  });
});

/** Runs a function on the first call only. */
function once(run: () => Promise<void>): () => Promise<void> {
  let done = false;
  return async () => {
    if (done) return;
    done = true;
    await run();
  };
}
