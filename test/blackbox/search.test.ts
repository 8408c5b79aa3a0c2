import { beforeAll, describe, expect, it } from 'vitest';

import { asRoot, expectError, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();
let scope: string;

const names = async (query: string) => (await root.get(`/dids/${scope}/dids/search?${query}`)).lines() as string[];
const byFilters = (filters: string, more = '') =>
  names(`filters=${encodeURIComponent(filters)}&long=False&recursive=False${more}`);

beforeAll(async () => {
  scope = await newScope();
  const rse = uniqueName('disk').toUpperCase();
  await root.post(`/rses/${rse}`);
  const file = (name: string, bytes: number) => ({ scope, name, bytes, meta: { run_number: bytes } });
  const made = await root.post('/dids', [
    {
      scope,
      name: 'raw.1',
      type: 'DATASET',
      rse,
      dids: [file('f1', 1), file('f2', 2)],
      meta: { run_number: 1, shift: 'night', weight: 5 },
    },
    {
      scope,
      name: 'raw.2',
      type: 'DATASET',
      rse,
      dids: [file('f3', 3)],
      meta: { run_number: 2, project: 'p', shift: 'day', weight: '7.5' },
    },
    { scope, name: 'aod.1', type: 'DATASET', meta: { run_number: 10, good: true } },
    { scope, name: 'cont', type: 'CONTAINER', dids: ['raw.1', 'raw.2'].map((name) => ({ scope, name })) },
  ]);
  expect(`${made.status} ${made.text}`).toBe('201 Created');
});

describe('conditions of a search (dids 3.2 to 3.4)', () => {
  it.each([
    ['', ['aod.1', 'cont', 'raw.1', 'raw.2']],
    ['name=raw*', ['raw.1', 'raw.2']],
    ['name=*.1', ['aod.1', 'raw.1']],
    ['name=r%25.%252', ['raw.2']],
    ['name=raw.1', ['raw.1']],
    ['name=RAW.1', []],
    ['name=no%23such', []],
    ['name.ne=raw*', ['aod.1', 'cont']],
    ['type=file', ['f1', 'f2', 'f3']],
    ['type=FILE&name=f*', ['f1', 'f2', 'f3']],
    ['type=all', ['aod.1', 'cont', 'f1', 'f2', 'f3', 'raw.1', 'raw.2']],
    ['type=container', ['cont']],
    ['type=dataset', ['aod.1', 'raw.1', 'raw.2']],
    ['type=dataset&length=2', ['raw.1']],
    ['type=dataset&length.gt=0', ['raw.1', 'raw.2']],
    ['type=dataset&length.gte=1&length.lt=2', ['raw.2']],
    ['type=dataset&length.lte=0', ['aod.1']],
    ['type=dataset&bytes=3', ['raw.1', 'raw.2']],
    ['run_number=2', ['raw.2']],
    ['run_number.gte=2', ['aod.1', 'raw.2']],
    ['run_number.ne=2', ['aod.1', 'cont', 'raw.1']],
    ['type=file&run_number=3', ['f3']],
    ['project=p', ['raw.2']],
    ['project.ne=p', ['aod.1', 'cont', 'raw.1']],
    ['shift=night', ['raw.1']],
    ['shift=*', ['aod.1', 'cont', 'raw.1', 'raw.2']],
    ['shift.ne=night', ['raw.2']],
    ['weight.gt=5', ['raw.2']],
    ['weight=5', ['raw.1']],
    ['good=True', ['aod.1']],
    ['shift=night&run_number=1', ['raw.1']],
    ['nobody.has=5&x', 'unknown operator'],
    ['nobody_has_this=5', []],
    ['valueOf=5', []],
    ['constructor=5&name=raw*', []],
    ['created_after=Sat,%2021%20Nov%202020%2000:00:00%20UTC&name=raw*', ['raw.1', 'raw.2']],
    ['created_before=2020-01-01', []],
    ['created_before=2099-01-01T00:00:00Z&name=cont', ['cont']],
    ['limit=2', ['aod.1', 'cont']],
    ['limit=0&name=raw*', ['raw.1', 'raw.2']],
    ['limit=many&name=raw*', ['raw.1', 'raw.2']],
  ])('%s', async (query, expected) => {
    const answer = await root.get(`/dids/${scope}/dids/search?${query}`);
    if (typeof expected === 'string') expectError(answer, 404, 'KeyNotFound');
    else expect((answer.lines() as string[]).toSorted()).toEqual(expected);
  });

  it("the client's filters: groups are alternatives, the conditions of one belong together (dids 3.1)", async () => {
    expect(await byFilters("[{'name': 'raw*', 'run_number.gte': 2}, {'name': 'aod*'}]")).toEqual(['aod.1', 'raw.2']);
    expect(await byFilters("{'name': 'raw.1'}")).toEqual(['raw.1']);
    expect(await byFilters('[{"name": "raw.1"}]')).toEqual(['raw.1']);
    expect(await byFilters('[]')).toHaveLength(4);
    expect(await byFilters("[{'type': 'file', 'name': 'f1'}, {'name': 'raw.1'}, {'name': 'raw*'}]")).toEqual([
      'f1',
      'raw.1',
      'raw.2',
    ]);
    expect(await byFilters("[{'project': None, 'name': 'raw*'}]")).toEqual(['raw.1']);
  });

  it('the long form (dids 3.5)', async () => {
    const answer = await root.get(`/dids/${scope}/dids/search?type=all&long=True&name=*1`);
    expect(answer.lines()).toEqual([
      { scope, name: 'aod.1', did_type: 'DATASET', bytes: 0, length: 0 },
      { scope, name: 'f1', did_type: 'FILE', bytes: 1, length: null },
      { scope, name: 'raw.1', did_type: 'DATASET', bytes: 3, length: 2 },
    ]);
  });

  it('recursive: descendants come first, each once, and the limit counts all (dids 3.5)', async () => {
    expect(await names('name=cont&recursive=True')).toEqual(['raw.1', 'raw.2', 'cont']);
    expect(await names('name=cont&recursive=True&type=all')).toEqual(['f1', 'f2', 'raw.1', 'f3', 'raw.2', 'cont']);
    expect(await names('type=all&recursive=True')).toHaveLength(7);
    expect(await names('name=cont&recursive=True&limit=2')).toEqual(['raw.1', 'raw.2']);
  });

  it('a number beyond 2^53 is found by what it was set to (dids 3.4)', async () => {
    const [own, weight] = [await newScope(), '-2.095558835773826e19'];
    const made = await root.post(`/dids/${own}/heavy`, undefined, {
      rawBody: `{"type": "DATASET", "meta": {"weight": ${weight}}}`,
    });
    expect(`${made.status} ${made.text}`).toBe('201 Created');
    expect((await root.get(`/dids/${own}/dids/search?weight=${weight}`)).lines()).toEqual(['heavy']);
  });

  it('search_extended is the same', async () => {
    const answer = await root.get(`/dids/${scope}/dids/search_extended?shift=night&run_number=1`);
    expect(answer.lines()).toEqual(['raw.1']);
  });

  it('an unknown scope or an invalid name has no DIDs', async () => {
    for (const unknown of ['no-such-scope', 'a%23b', '%23']) {
      for (const conditions of ['name=*', 'project=alpha', 'free=text', '=', 'open=']) {
        const answer = await root.get(`/dids/${unknown}/dids/search?${conditions}`);
        expect(answer).toMatchObject({ status: 200, text: '' });
      }
    }
  });
});

describe('refused searches (dids 3.6, interface 7)', () => {
  it.each([
    ['type=constructor', 409, 'UnsupportedOperation', undefined],
    ['type=volume', 409, 'UnsupportedOperation', /^volume is not a valid type\. Valid types are dict_keys/],
    ['type=', 409, 'UnsupportedOperation', /is not a valid type/],
    ['lifetime=5', 404, 'KeyNotFound', /^'lifetime' keyword could not be coerced/],
    ['run_number.like=5', 404, 'KeyNotFound', undefined],
    ['a.b.c=5', 400, 'DIDFilterSyntaxError', 'None'],
    ['name.gt=a*', 400, 'DIDFilterSyntaxError', 'Wildcards can only be used with equality operators'],
    ['run_number=many', 400, 'DIDFilterSyntaxError', undefined],
    ['created_after=yesterday', 400, 'DIDFilterSyntaxError', undefined],
    ['filters=%5B', 400, 'DIDFilterSyntaxError', undefined],
    ['filters=5', 400, 'DIDFilterSyntaxError', undefined],
    ['filters=', 400, 'DIDFilterSyntaxError', undefined],
    ['limit=-1', 400, 'ValueError', undefined],
    ['long=maybe', 400, 'TypeError', "'long' must be a boolean type."],
    ['recursive=2', 400, 'TypeError', "'recursive' must be a boolean type."],
  ])('%s', async (query, status, exceptionClass, message) => {
    expectError(await root.get(`/dids/${scope}/dids/search?${query}`), status, exceptionClass, message);
  });

  it('an Accept that covers no stream', async () => {
    const answer = await root.get(`/dids/${scope}/dids/search?name=*`, { headers: { Accept: 'text/html' } });
    expectError(answer, 406, 'UnsupportedRequestedContentType');
  });
});

describe('plans, not scans: explain answers how a search was carried out', () => {
  const explain = async (query: string) => (await root.get(`/dids/${scope}/dids/search?explain=1&${query}`)).lines()[0];

  it.each([
    [
      'name=raw*',
      { plan: [{ source: 'collections', prefix: 'raw' }], rows: 2, read: { rru: 0.5, requests: 1, roundTrips: 1 } },
    ],
    ['name=raw.1', { plan: [{ source: 'did', name: 'raw.1' }], rows: 1, read: { rru: 1, requests: 1, roundTrips: 1 } }],
    [
      'type=all&name=raw*',
      { plan: [{ source: 'scope', prefix: 'raw' }], rows: 2, read: { requests: 4, roundTrips: 1 } },
    ],
    ['name=a%7C*', { plan: [{ source: 'nothing' }], rows: 0, read: { rru: 0, requests: 0 } }],
  ])('%s', async (query, expected) => {
    expect(await explain(query)).toMatchObject(expected);
  });
});
