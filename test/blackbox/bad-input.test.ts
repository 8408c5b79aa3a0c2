import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { asRoot, expectError, newScope, uniqueName } from '../support/server.ts';
import { volumeOf } from '../support/volume.ts';

const root = asRoot();
let scope: string;
let dataset: string;

beforeAll(async () => {
  scope = await newScope();
  dataset = uniqueName();
  expect((await root.post(`/dids/${scope}/${dataset}`, { type: 'DATASET' })).status).toBe(201);
});

/** The routes that take a body. */
const routes: [method: 'post' | 'put' | 'delete', path: () => string, json: string][] = [
  ['post', () => '/dids', 'list'],
  ['post', () => '/dids/attachments', 'dictionary or list'],
  ['post', () => `/dids/${scope}/${uniqueName()}`, 'dictionary'],
  ['put', () => `/dids/${scope}/${dataset}/status`, 'dictionary'],
  ['post', () => `/dids/${scope}/${dataset}/dids`, 'dictionary'],
  ['delete', () => `/dids/${scope}/${dataset}/dids`, 'dictionary'],
  ['post', () => `/accounts/${uniqueName()}`, 'dictionary'],
  ['put', () => '/accounts/root', 'dictionary'],
  ['post', () => '/accounts/root/identities', 'dictionary'],
  ['post', () => '/accounts/root/attr/key', 'dictionary'],
];

describe.each(routes)('%s %s', (method, path, json) => {
  it.each(['', '{', 'nonsense', '{"a":1,}', '\u0000', "{'a': 1}"])(
    'refuses the body %j as no JSON',
    async (rawBody) => {
      expectError(
        await root[method](path(), undefined, { rawBody }),
        400,
        'ValueError',
        `cannot decode json parameter ${json}`,
      );
    },
  );

  it.each(['null', '5', '"text"', 'true'])('refuses the JSON %s as the wrong type', async (rawBody) => {
    expectError(await root[method](path(), undefined, { rawBody }), 400, 'TypeError', /^body must be a json/);
  });

  it('refuses a body that nests too deeply', async () => {
    const rawBody = '[{"a":'.repeat(5_000) + '1' + '}]'.repeat(5_000);
    const answer = await root[method](path(), undefined, { rawBody });
    expect(answer.status).toBe(400);
  });
});

/** Longer than Rucio's columns of short texts. */
const long = 'x'.repeat(256);

describe('bodies that are too large', () => {
  it('of more than 10 MB are 413 and change nothing', async () => {
    const rawBody = JSON.stringify({ type: 'DATASET', meta: { text: 'x'.repeat(11 * 1024 * 1024) } });
    const name = uniqueName();
    expect((await root.post(`/dids/${scope}/${name}`, undefined, { rawBody })).status).toBe(413);
    expect((await root.get(`/dids/${scope}/${name}`)).status).toBe(404);
  });

  it('of 1 MB of metadata, more than an item holds, are 413 with the reason', async () => {
    const name = uniqueName();
    const answer = await root.post(`/dids/${scope}/${name}`, {
      type: 'DATASET',
      meta: { text: 'x'.repeat(1_000_000) },
    });
    expectError(answer, 413, 'PayloadTooLarge', /400 KB/);
    expect((await root.get(`/dids/${scope}/${name}`)).status).toBe(404);
  });

  it.each<[what: string, method: 'post' | 'put', path: () => string, body: object]>([
    ['the e-mail address of an account', 'post', () => `/accounts/${uniqueName()}`, { type: 'USER', email: long }],
    ['a new e-mail address', 'put', () => '/accounts/root', { email: long }],
    [
      'the e-mail address of an identity',
      'post',
      () => '/accounts/root/identities',
      { identity: uniqueName(), authtype: 'GSS', email: long },
    ],
    [
      'the regular expression of a key',
      'post',
      () => `/meta_conventions/${uniqueName()}`,
      { key_type: 'ALL', value_regexp: long },
    ],
  ])('of a text longer than its column are refused: %s', async (_what, method, path, body) => {
    expectError(await root[method](path(), body), 400, 'InvalidObject', /<=255 characters/);
  });

  it('of a site that is longer than an expression may be are refused', async () => {
    const body = { dids: [{ scope, name: dataset }], client_location: { site: 'A'.repeat(3_001) } };
    expectError(await root.post('/replicas/list', body), 400, 'InvalidObject', /longer than 3000 characters/);
  });

  it('of an e-mail address in a header are refused as well', async () => {
    const headers = { 'X-Rucio-Username': uniqueName(), 'X-Rucio-Password': 'secret', 'X-Rucio-Email': long };
    const answer = await root.put('/identities/root/userpass', undefined, { headers });
    expectError(answer, 400, 'InvalidObject', 'The e-mail address is longer than 255 characters');
  });

  it('of 1,001 DIDs in one attachment are refused, and the limit named', async () => {
    const dids = Array.from({ length: 1_001 }, (_value, index) => ({ scope, name: `f${index}` }));
    const message = 'Problem validating dids: a list of 1001 at dids is longer than 1000; send it in several requests';
    expectError(await root.post(`/dids/${scope}/${dataset}/dids`, { dids }), 400, 'InvalidObject', message);
  });
});

describe('invalid values', () => {
  it.each([-1, 1.5, 1e30, '10', true, null, [], {}])('of the size of a file are refused: %j', async (bytes) => {
    const body = { type: 'DATASET', rse: 'ANY', dids: [{ scope, name: 'f', bytes }] };
    expectError(
      await root.post(`/dids/${scope}/${uniqueName()}`, body),
      400,
      'InvalidObject',
      /^Problem validating dids/,
    );
  });

  it('of a size beyond 64 bits are refused', async () => {
    const rawBody = `{"type":"DATASET","dids":[{"scope":"${scope}","name":"f","bytes":9223372036854775808}]}`;
    expectError(await root.post(`/dids/${scope}/${uniqueName()}`, undefined, { rawBody }), 400, 'InvalidObject');
  });

  it.each(['#', 'a#b', 'S#mock#0', '\u0000', '../..', '%23', '$', '{}'])(
    'never become part of a key: %j',
    async (text) => {
      const escaped = encodeURIComponent(text);
      for (const answer of [
        await root.get(`/dids/${escaped}/x`),
        await root.get(`/dids/${scope}/${escaped}`),
        await root.get(`/dids/${escaped}/`),
        await root.get(`/accounts/${escaped}`),
        await root.get(`/accounts/${escaped}/attr/`),
        await root.get(`/rses/${escaped}`),
        await root.get(`/scopes/${escaped}/scopes`),
        await root.post(`/dids/${escaped}/x`, { type: 'DATASET' }),
        await root.post(`/scopes/root/${escaped}`),
        await root.post(`/rses/${escaped}`),
        await root.post('/dids', [{ scope: text, name: text, type: 'DATASET' }]),
        await root.post('/dids/attachments', [{ scope: text, name: text, dids: [{ scope: text, name: text }] }]),
        await root.post('/dids', [{ scope, name: uniqueName(), type: 'DATASET', account: text }]),
        await root.delete(`/dids/${scope}/${dataset}/dids`, { dids: [{ scope: text, name: text }] }),
      ]) {
        expect([400, 404]).toContain(answer.status);
        expect(answer.headers.get('ExceptionClass')).not.toBeNull();
      }
    },
  );
});

describe('names of properties that every JavaScript object has', () => {
  it.each(['__proto__', 'constructor', 'toString'])('are ordinary names: %s', async (name) => {
    expectError(await root.delete(`/accounts/root/attr/${name}`), 404, 'AccountNotFound');
    // A gateway may lose this one on the way.
    if (name === '__proto__') return;
    expect((await root.get(`/accounts/?${name}=x`)).text).toBe('');
    expect((await root.get(`/dids/${scope}/dids/search?${name}=x&type=dataset`)).status).toBe(200);
  });
});

describe('text that is no Unicode', () => {
  it('is refused, since it cannot be stored exactly', async () => {
    const rawBody = String.raw`{"type":"DATASET","meta":{"key":"\ud800"}}`;
    expectError(
      await root.post(`/dids/${scope}/${uniqueName()}`, undefined, { rawBody }),
      400,
      'ValueError',
      /no Unicode/,
    );
    const inKey = String.raw`{"meta":{"\udfff":1}}`;
    expectError(
      await root.post(`/dids/${scope}/${dataset}/meta`, undefined, { rawBody: inKey }),
      400,
      'ValueError',
      /no Unicode/,
    );
  });
});

describe('an arbitrary body', () => {
  it('of a creation or an attachment is never a 5xx', async () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    const element = fc.record(
      { scope: fc.oneof(fc.constant(scope), json), name: json, bytes: json, adler32: json },
      { requiredKeys: [] },
    );
    const body = fc.record(
      {
        type: fc.oneof(fc.constant('DATASET'), json),
        statuses: json,
        meta: json,
        rules: json,
        lifetime: json,
        dids: fc.oneof(fc.array(element), json),
        rse: json,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(body, async (value) => {
        const answers = await Promise.all([
          root.post(`/dids/${scope}/${uniqueName()}`, value),
          root.post('/dids', [{ ...value, scope, name: uniqueName() }]),
          root.post(`/dids/${scope}/${dataset}/dids`, value),
          root.post('/dids/attachments', [value]),
          root.put(`/dids/${scope}/missing/status`, value),
        ]);
        for (const { status, text } of answers) expect(status, text).toBeLessThan(500);
      }),
      { numRuns: volumeOf('malformedBodies') },
    );
  });
});
