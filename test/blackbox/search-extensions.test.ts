import { beforeAll, describe, expect, it } from 'vitest';

import { asRoot, expectError, newScope } from '../support/server.ts';

const root = asRoot();
let scope: string;

const search = (query: string) => root.get(`/dids/${scope}/dids/search?type=dataset&${query}`);
const names = async (query: string) => (await search(query)).lines() as string[];
const byFilters = (filters: string) => names(`filters=${encodeURIComponent(filters)}`);
const explain = async (query: string) => (await search(`${query}&explain=true`)).text;

beforeAll(async () => {
  scope = await newScope();
  const dataset = (name: string, meta: object) => ({ scope, name, type: 'DATASET', meta });
  const made = await root.post('/dids', [
    dataset('a', { run_number: 1, project: 'night shift', keywords: ['higgs', 'run2', 5], energy: 7 }),
    dataset('b', { run_number: 2, project: 'day shift', keywords: 'higgs and more', energy: '13.6' }),
    dataset('c', { run_number: 3, keywords: ['top'], energy: 14, 'odd*': 'a*b' }),
    dataset('d', { keywords: { higgs: 1 }, flags: [true, null, [1]] }),
  ]);
  expect(`${made.status} ${made.text}`).toBe('201 Created');
});

describe('`.in`, an extension of ours (dids 3.2)', () => {
  it.each([
    ['run_number.in=1,3', ['a', 'c']],
    ['run_number.in=2', ['b']],
    ['run_number.in=7,8', []],
    ['name.in=a,d,none', ['a', 'd']],
    ['project.in=day shift,night shift', ['a', 'b']],
    ['energy.in=7,13.6', ['a', 'b']],
    ['energy.in=14,14', ['c']],
    ['run_number.in=1,2,3&energy.in=7,14', ['a', 'c']],
    ['run_number.in=1,2,3&energy.gt=10', ['b', 'c']],
    ['run_number.in=None', ['d']],
    ['run_number.in=1,2&run_number=2', ['b']],
    ['run_number.in=1,2&run_number.gt=1', ['b']],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it.each([
    ["{'run_number.in': [1, 3]}", ['a', 'c']],
    ["[{'run_number.in': [1, 2]}, {'energy.in': [14]}]", ['a', 'b', 'c']],
    ["{'project.in': ['day shift', 'a,b']}", ['b']],
    ["{'run_number.in': []}", []],
    ["{'run_number.in': [None, 3]}", ['c', 'd']],
    ["{'run_number.in': (2,)}", ['b']],
  ])('%s', async (filters, expected) => {
    expect(await byFilters(filters)).toEqual(expected);
  });

  it('reads the index for each value', async () => {
    const plan = await explain('run_number.in=1,3');
    expect(plan.match(/"source": "index"/g)).toHaveLength(2);
  });

  it('takes as many values as there may be groups of filters', async () => {
    const values = (count: number) => Array.from({ length: count }, (_none, index) => index + 1).join(',');
    expect(await names(`run_number.in=${values(32)}`)).toEqual(['a', 'b', 'c']);
    for (const query of [`run_number.in=${values(33)}`, `run_number.in=${values(9)}&energy.in=${values(4)}`]) {
      expectError(await search(query), 400, 'DIDFilterSyntaxError', 'More than 32 groups of filters.');
    }
  });

  it('refuses patterns, and what is no list of values', async () => {
    const wildcard = 'Wildcards can only be used with equality operators';
    expectError(await search('project.in=day*,night'), 400, 'DIDFilterSyntaxError', wildcard);
    expectError(await search('run_number.in=1,x'), 400, 'DIDFilterSyntaxError');
    for (const value of ['5', '{}', '[[1]]']) {
      const filters = encodeURIComponent(`{'energy.in': ${value}}`);
      expectError(await search(`filters=${filters}`), 400, 'DIDFilterSyntaxError');
    }
  });
});

describe('`.contains`, an extension of ours (dids 3.2)', () => {
  it.each([
    ['keywords.contains=higgs', ['a', 'b']],
    ['keywords.contains=hig', ['b']],
    ['keywords.contains=5', ['a']],
    ['keywords.contains=top', ['c']],
    ['keywords.contains=HIGGS', []],
    ['project.contains=shift', ['a', 'b']],
    ['name.contains=a', ['a']],
    ['flags.contains=true', ['d']],
    ['energy.contains=13', ['b']],
    ['energy.contains=7', []],
    ['odd*.contains=*', ['c']],
    ['keywords.contains=higgs&energy.gt=10', ['b']],
    ['keywords.contains=higgs&keywords.ne=x', ['b']],
    ['keywords.contains=higgs&run_number.in=1,3', ['a']],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('reads no index, which has no lists', async () => {
    expect(await explain('keywords.contains=higgs')).toContain('"keywords": "contains"');
  });

  it('needs a column of texts, and a value', async () => {
    for (const query of ['run_number.contains=1', 'created_at.contains=2026', 'keywords.contains=None']) {
      expectError(await search(query), 400, 'DIDFilterSyntaxError');
    }
    const filters = encodeURIComponent("{'keywords.contains': ['higgs']}");
    expectError(await search(`filters=${filters}`), 400, 'DIDFilterSyntaxError');
  });
});
