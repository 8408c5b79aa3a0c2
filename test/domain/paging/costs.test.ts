import { beforeAll, describe, expect, it } from 'vitest';

import type { Position } from '../../../lib/domain/paging/page.ts';
import { addScope } from '../../../lib/operations/accounts/add-scope.ts';
import { addDids } from '../../../lib/operations/dids/add-dids.ts';
import { listContent, listFiles, listParents } from '../../../lib/operations/dids/list-content.ts';
import { listScope } from '../../../lib/operations/dids/list-scope.ts';
import { search } from '../../../lib/operations/dids/search.ts';
import { type Cost, measure } from '../../../lib/store/items/meter.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';
import { type List, readPage } from './pages-of.ts';

const limit = 10;
const count = 1000;
const shards = 4;
const options = { long: false, recursive: false, explain: false };

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await newCatalogue();
  const name = (index: number) => String(index).padStart(4, '0');
  const names = Array.from({ length: count }, (_value, index) => `f.${name(index)}`);
  await catalogue.add('ds', 'DATASET');
  await catalogue.attach('ds', names, 1);
  await catalogue.add('inner', 'CONTAINER');
  await catalogue.attach('inner', ['ds']);
  await catalogue.add('outer', 'CONTAINER');
  await catalogue.attach('outer', ['inner']);
  await addScope(catalogue.at(), { scope: 'flat', account: 'root' });
  const flat = names.map((each) => ({ scope: 'flat', name: each, type: 'DATASET' as const }));
  await addDids(catalogue.at(), flat);
  const holders = names.slice(0, 500).map((each) => `p.${each}`);
  const dids = [data('f.0000')];
  await addDids(
    catalogue.at(),
    holders.map((each) => ({ scope: 'flat', name: each, type: 'DATASET', dids })),
  );
}, 120_000);

interface Walked {
  readonly rows: number;
  readonly pages: readonly Cost[];
}

/** The cost of each page of a list. Checks that the pages add up to the list. */
async function walk(list: List<unknown>): Promise<Walked> {
  const whole = await Array.fromAsync(list({}));
  const pages: Cost[] = [];
  let after: Position | undefined;
  let rows = 0;
  do {
    const page = after === undefined ? { limit } : { limit, after };
    const { result: found, cost } = await measure(() => readPage(list, page));
    pages.push(cost);
    rows += Math.min(limit, found.length);
    after = found.length > limit ? found[limit - 1]?.position : undefined;
  } while (after !== undefined);
  expect(rows).toBe(whole.length);
  return { rows, pages };
}

const last = ({ pages }: Walked) => pages.at(-1) as Cost;
const first = ({ pages }: Walked) => pages[0] as Cost;
const dearest = ({ pages }: Walked) => Math.max(...pages.map(({ rru }) => rru));

describe(`cost of pages of ${limit} out of ${count} rows`, () => {
  it('of content: the DID, and one query of a unit, on every page', async () => {
    const pages = await walk((page) => listContent(catalogue.at(), data('ds'), page));
    expect(pages.rows).toBe(count);
    expect(first(pages)).toEqual({ rru: 2, wru: 0, requests: 2, roundTrips: 1 });
    expect(last(pages)).toEqual(first(pages));
    expect(dearest(pages)).toBe(2);
  });

  it('of files through levels: in addition a unit per DID on the path, and a query per level', async () => {
    const pages = await walk((page) => listFiles(catalogue.at(), data('outer'), false, page));
    expect(pages.rows).toBe(count);
    expect(dearest(pages)).toBeLessThanOrEqual(first(pages).rru + 2);
    expect(last(pages).rru).toBeLessThanOrEqual(first(pages).rru + 2);
  });

  it('of a scope: at most two units per shard, for its DIDs and their attachments', async () => {
    const pages = await walk((page) => listScope(catalogue.at(), 'flat', { recursive: false }, page));
    expect(pages.rows).toBe(count + 500);
    expect(dearest(pages)).toBeLessThanOrEqual(2 * shards + 2);
    expect(last(pages).rru).toBeLessThanOrEqual(first(pages).rru);
  });

  it('of a search: a unit or two of the index of collections, or of each shard', async () => {
    const find =
      (type: string): List<unknown> =>
      (page) =>
        search(catalogue.at(), type === 'all' ? 'data' : 'flat', { type, name: 'f.*' }, options, page);
    const collections = await walk(find('dataset'));
    expect(collections.rows).toBe(count);
    expect(dearest(collections)).toBeLessThanOrEqual(2);
    const files = await walk(find('all'));
    expect(files.rows).toBe(count);
    expect(dearest(files)).toBeLessThanOrEqual(2 * shards);
  });

  it('of parents: the DID and a unit of the index', async () => {
    const pages = await walk((page) => listParents(catalogue.at(), data('f.0000'), page));
    expect(pages.rows).toBe(501);
    expect(dearest(pages)).toBeLessThanOrEqual(2);
  });
});
