import { beforeAll, describe, expect, it } from 'vitest';

import { asRoot, call, expectError, newScope, uniqueName } from '../support/server.ts';
import { nextPage, rowsIn } from '../support/walk.ts';

const root = asRoot();
const wrongCursor = /^Problem validating cursor: /;

let scope: string;
let rse: string;
let content: string;
beforeAll(async () => {
  scope = await newScope();
  rse = uniqueName('disk').toUpperCase();
  await root.post(`/rses/${rse}`);
  const dids = ['a', 'b', 'c/d'].map((name) => ({ scope, name, bytes: 1 }));
  for (const name of ['ds', 'other']) await root.post(`/dids/${scope}/${name}`, { type: 'DATASET', dids, rse });
  await root.post(`/dids/${scope}/cont`, { type: 'CONTAINER', dids: [{ scope, name: 'ds' }] });
  content = `/dids/${scope}/ds/dids`;
});

const cursorOf = async (path: string, headers: Record<string, string> = {}) => {
  const next = nextPage(await root.get(`${path}${path.includes('?') ? '&' : '?'}limit=1`, { headers }));
  return new URL(next ?? '', 'http://host').searchParams.get('cursor') ?? '';
};
const at = (path: string, cursor: string) =>
  root.get(`${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`);

describe('limit', () => {
  it.each(['0', '-1', '1.5', '1e2', 'x', '', ' 1', '10001', '99999999999999999999'])(
    'of %j is 400, on streams and on JSON lists',
    async (limit) => {
      for (const path of [content, '/scopes', `/dids/${scope}/cont/files`, '/accounts']) {
        const answer = await root.get(`${path}?limit=${encodeURIComponent(limit)}`);
        expectError(
          answer,
          400,
          'InvalidObject',
          `Problem validating query: '${limit}' is no number of rows from 1 to 10000 at limit`,
        );
      }
    },
  );

  it('is bounded by 10000, and a page need not be full', async () => {
    const answer = await root.get(`${content}?limit=10000`);
    expect(rowsIn(answer)).toEqual(rowsIn(await root.get(content)));
    expect(nextPage(answer)).toBeUndefined();
  });

  it('does not filter accounts by attribute, and neither does cursor', async () => {
    const answer = await root.get('/accounts?account=root&limit=5');
    expect(rowsIn(answer)).toMatchObject([{ account: 'root' }]);
  });
});

describe('a cursor', () => {
  it('is refused with 400 if any part of it was changed', async () => {
    const cursor = await cursorOf(content);
    expect((await at(content, cursor)).lines()).toHaveLength(2);
    const changed = Array.from(cursor, (character, index) => {
      const other = character === 'A' ? 'B' : 'A';
      return cursor.slice(0, index) + other + cursor.slice(index + 1);
    });
    const others = [cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, `${cursor}.`, ` ${cursor}`, cursor.slice(1)];
    for (const text of [...changed, ...others]) {
      expectError(await at(content, text), 400, 'InvalidObject', wrongCursor);
    }
  });

  it.each(['', '0', 'null', 'a'.repeat(4000), '\u0000', '\u{1F434}', '__proto__', '../..', '%', 'W10='])(
    '%j was never issued: 400',
    async (text) => {
      for (const path of [content, '/scopes', `/dids/${scope}/dids/search`, '/accounts?account=r*']) {
        expectError(await at(path, text), 400, 'InvalidObject', wrongCursor);
      }
    },
  );

  it('is valid for its route, parameters and query only', async () => {
    const cursor = await cursorOf(content);
    const others = [`/dids/${scope}/other/dids`, `/dids/${scope}/ds/files`, `/dids/${scope}/ds/parents`, '/scopes'];
    for (const path of others) expectError(await at(path, cursor), 400, 'InvalidObject', wrongCursor);
    const search = `/dids/${scope}/dids/search?type=all&name=*`;
    const found = await cursorOf(search);
    expect(rowsIn(await at(search, found))).toHaveLength(5);
    for (const path of [`${search}a`, `${search}&long=1`, `/dids/${scope}/dids/search?name=*`, `${search}&x=1`]) {
      expectError(await at(path, found), 400, 'InvalidObject', wrongCursor);
    }
    expectError(await at(search.replace('search', 'search_extended'), found), 400, 'InvalidObject', wrongCursor);
    const whole = `/dids/${scope}/`;
    expectError(await at(`${whole}?recursive=1`, await cursorOf(whole)), 400, 'InvalidObject', wrongCursor);
  });

  it('is valid for any spelling of its path and query, and any limit', async () => {
    const cursor = await cursorOf(`/dids/${scope}/?name=cont&recursive=True`);
    for (const query of ['recursive=1&name=cont', 'name=cont&recursive=true&limit=3', 'name=c%6fnt&recursive=true']) {
      expect(rowsIn(await at(`/dids/${scope}?${query}`, cursor))).toHaveLength(3);
    }
  });

  it('is not valid for what a GUID means to another client', async () => {
    const guid = crypto.randomUUID();
    const guided = { scope, name: 'guided', bytes: 1, meta: { guid } };
    await root.post(`/dids/${scope}/g1`, { type: 'DATASET', dids: [guided], rse });
    await root.post(`/dids/${scope}/g2`, { type: 'DATASET', dids: [{ scope, name: 'guided' }] });
    const path = `/dids/${guid}/guid`;
    const cursor = await cursorOf(path, { 'User-Agent': 'rucio-clients/41.0.0' });
    expect(cursor).not.toBe('');
    expectError(await at(path, cursor), 400, 'InvalidObject', wrongCursor);
  });

  it('needs a token and the permission of its list like any other request', async () => {
    const cursor = await cursorOf(content);
    expectError(await call('GET', `${content}?cursor=${cursor}`), 401, 'CannotAuthenticate');
  });
});

describe('Link', () => {
  it('is an absolute path with the other parameters of the query, encoded', async () => {
    const filters = `[{'name': '*', 'a b': "x&y=z/é"}, {'name': '*'}]`;
    const path = `/dids/${scope}/dids/search?type=all&filters=${encodeURIComponent(filters)}&limit=2&cursor=`;
    const start = path.replace(/&cursor=$/, '');
    const link = (await root.get(start)).headers.get('Link') ?? '';
    const [, target = ''] = /^<(\/[^<> ]*)>; rel="next"$/.exec(link) ?? [];
    const url = new URL(target, 'http://host');
    expect(url.pathname).toBe(`/dids/${scope}/dids/search`);
    expect([...url.searchParams.keys()]).toEqual(['type', 'filters', 'limit', 'cursor']);
    expect(url.searchParams.get('filters')).toBe(filters);
    expect(rowsIn(await root.get(target))).toHaveLength(2);
  });

  it('keeps the spelling of a name in the path', async () => {
    await root.post(`/dids/${scope}/deep%2Fer/name`, { type: 'CONTAINER', dids: [{ scope, name: 'cont' }] });
    await root.post(`/dids/${scope}/deep/er/name/dids`, { dids: [{ scope, name: 'ds' }] });
    for (const name of ['deep%2Fer/name', 'deep/er/name', '%64eep%2fer%2Fname']) {
      const next = nextPage(await root.get(`/dids/${scope}/${name}/dids?limit=1`));
      expect(next).toMatch(new RegExp(`^/dids/${scope}/${name}/dids\\?limit=1&cursor=`));
      expect(rowsIn(await root.get(next ?? ''))).toHaveLength(1);
    }
  });

  it('is answered to HEAD, without a body', async () => {
    const [get, head] = [await root.get(`${content}?limit=1`), await call('HEAD', `${content}?limit=1`, { as: root })];
    expect([head.status, head.text, head.headers.get('Link')]).toEqual([200, '', get.headers.get('Link')]);
    expect((await call('HEAD', content, { as: root })).headers.get('Link')).toBeNull();
  });
});

describe('the limit of a search (dids 1.7)', () => {
  const search = (query: string) => root.get(`/dids/${scope}/dids/search?type=all&${query}`);

  it('has the effect that it has in Rucio, and makes pages', async () => {
    const page = await search('limit=2 rows');
    expect(page.lines()).toHaveLength(2);
    expect(nextPage(page)).toMatch(/limit=2&cursor=/);
    for (const limit of ['0', 'x', '']) expect(nextPage(await search(`limit=${limit}`))).toBeUndefined();
    expectError(await search('limit=-1'), 400, 'ValueError', 'The limit -1 is negative.');
  });

  it('beyond the longest page is the first rows, without a next page', async () => {
    for (const limit of ['10001', '99999999999999999999', '9'.repeat(400)]) {
      const answer = await search(`limit=${limit}`);
      expect(answer.lines().length).toBeGreaterThan(2);
      expect(nextPage(answer)).toBeUndefined();
    }
  });

  it('of a recursive search cuts it off; a cursor is refused with the reason', async () => {
    const answer = await search('recursive=1&limit=2');
    expect(answer.lines()).toHaveLength(2);
    expect(nextPage(answer)).toBeUndefined();
    const cursor = await cursorOf(`/dids/${scope}/dids/search?type=all`);
    const refused = await search(`recursive=1&limit=2&cursor=${cursor}`);
    expectError(refused, 400, 'InvalidObject', /^Problem validating query: a recursive search takes no cursor, since /);
  });

  it('counts for explain as well, which is one row', async () => {
    const answer = await search('limit=2&explain=1');
    expect(answer.lines()).toMatchObject([{ rows: 2 }]);
    expect(nextPage(answer)).toBeUndefined();
  });
});
