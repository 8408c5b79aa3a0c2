import { describe, expect, it } from 'vitest';

import { newDidSetup } from '../support/dids.ts';
import { asRoot, expectCreated, expectError, newAccount, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();
const { alice, scope, rse, at, add, addFiles, attach, get } = await newDidSetup();

describe('create one DID (dids 2.2)', () => {
  it('answers 201 with the text Created (dids 1.4), and the DID with all fields of the interface document (interface 2.1)', async () => {
    expectCreated(await alice.post(at(uniqueName()), { type: 'DATASET' }));
    expectCreated(await alice.post('/dids', [{ scope, name: uniqueName(), type: 'DATASET' }]));
    const name = await add('DATASET', { statuses: { monotonic: true }, lifetime: 86_400 });
    expect(await get(name)).toEqual({
      scope,
      name,
      type: 'DATASET',
      did_type: 'DATASET',
      account: alice.account,
      open: true,
      monotonic: true,
      expired_at: expect.stringMatching(/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d UTC$/),
      length: 0,
      bytes: 0,
    });
  });

  it('takes the type in any case, a lifetime of 0 or null for ever, and a negative one for the past', async () => {
    const name = uniqueName();
    expect((await alice.post(at(name), { type: 'dataset', lifetime: 0 })).status).toBe(201);
    expect((await get(name))['expired_at']).toBeNull();
    const past = await add('CONTAINER', { lifetime: -10 });
    expect(Date.parse(String((await get(past))['expired_at']))).toBeLessThan(Date.now());
  });

  it('registers files on an RSE and attaches them in the same step', async () => {
    const { dataset, files } = await addFiles(3, 2 ** 40);
    expect(await get(dataset)).toMatchObject({ length: 3, bytes: 3 * 2 ** 40 });
    expect(await get(files[0] ?? '')).toMatchObject({ type: 'FILE', open: false, length: 1, adler32: '0cc737eb' });
  });

  it.each([
    ['a type that does not exist', { type: 'VOLUME' }, 400, 'InvalidObject', /^Problem validating did/],
    ['no type', {}, 400, 'KeyError', "'type' not defined"],
    ['a file', { type: 'FILE' }, 409, 'UnsupportedOperation', 'Only collection (dataset/container) can be registered.'],
    ['a lifetime that is text', { type: 'DATASET', lifetime: '5' }, 400, 'InvalidObject', undefined],
    ['a lifetime beyond all dates', { type: 'DATASET', lifetime: 1e300 }, 400, 'InvalidObject', undefined],
    [
      'statuses that are no object',
      { type: 'DATASET', statuses: { monotonic: 'yes' } },
      400,
      'InvalidObject',
      undefined,
    ],
    ['a reserved metadata key', { type: 'DATASET', meta: { bytes: 5 } }, 400, 'InvalidMetadata', undefined],
    [
      'a metadata key with a dot',
      { type: 'DATASET', meta: { 'a.b': 5 } },
      400,
      'InvalidMetadata',
      /^Restricted character/,
    ],
    [
      'a metadata value of the wrong type',
      { type: 'DATASET', meta: { run_number: 'x' } },
      400,
      'InvalidValueForKey',
      undefined,
    ],
    [
      'an unknown key in a child',
      { type: 'DATASET', dids: [{ scope: 's', name: 'n', size: 1 }] },
      400,
      'InvalidObject',
      /^Problem validating dids/,
    ],
    ['a rule without copies', { type: 'DATASET', rules: [{ rse_expression: 'X' }] }, 400, 'InvalidObject', undefined],
  ])('refuses %s', async (_what, body, status, exceptionClass, message) => {
    const name = uniqueName();
    expectError(await alice.post(at(name), body), status, exceptionClass, message);
    expect((await alice.get(at(name))).status).toBe(404);
  });

  it('refuses an unknown RSE and leaves nothing behind', async () => {
    const name = uniqueName();
    const answer = await alice.post(at(name), {
      type: 'DATASET',
      rse: 'NOWHERE',
      dids: [{ scope, name: 'f', bytes: 1 }],
    });
    expectError(answer, 404, 'RSENotFound', "RSE 'NOWHERE' cannot be found in vo 'def'");
    expect((await alice.get(at(name))).status).toBe(404);
  });

  it('with a missing child creates nothing', async () => {
    const name = uniqueName();
    const answer = await alice.post(at(name), { type: 'DATASET', dids: [{ scope, name: 'missing' }] });
    expectError(answer, 404, 'DataIdentifierNotFound', `Data identifier '${scope}:missing' not found`);
    expect((await alice.get(at(name))).status).toBe(404);
  });

  it('in an unknown scope is 404 for root and 401 for others, who learn nothing (dids 5)', async () => {
    expectError(
      await root.post('/dids/no-such-scope/x', { type: 'DATASET' }),
      404,
      'ScopeNotFound',
      'Scope not found!',
    );
    const denied = await alice.post('/dids/no-such-scope/x', { type: 'DATASET' });
    const message = `Account ${alice.account} can not add data identifier to scope no-such-scope. `;
    expectError(denied, 401, 'AccessDenied', message);
  });

  it('a second time is 409', async () => {
    const name = await add('DATASET');
    const again = await alice.post(at(name), { type: 'CONTAINER' });
    expectError(again, 409, 'DataIdentifierAlreadyExists', 'Data Identifier already exists!');
  });

  it('50 times concurrently creates exactly one', async () => {
    const name = uniqueName();
    const answers = await Promise.all(Array.from({ length: 50 }, () => alice.post(at(name), { type: 'DATASET' })));
    const statuses = answers.map(({ status }) => String(status)).toSorted();
    expect(statuses).toEqual(['201', ...Array.from({ length: 49 }, () => '409')]);
  });

  it('a rule for another account is denied to all but admins (dids 5)', async () => {
    const rules = [{ copies: 1, rse_expression: rse, account: 'root' }];
    expectError(await alice.post(at(uniqueName()), { type: 'DATASET', rules }), 401, 'AccessDenied');
  });
});

describe('create DIDs in bulk (dids 2.1)', () => {
  it('creates all of 600, with and without the final slash; one may contain an earlier one', async () => {
    const dids = Array.from({ length: 600 }, (_value, index) => ({
      scope,
      name: uniqueName(`b${index}`),
      type: 'DATASET',
    }));
    const container = { scope, name: uniqueName(), type: 'CONTAINER', dids: dids.map(({ name }) => ({ scope, name })) };
    const answer = await alice.post('/dids/', [...dids, container]);
    expect(`${answer.status} ${answer.text}`).toBe('201 Created');
    expect((await alice.get(at(container.name, '/dids'))).lines()).toHaveLength(600);
    expect((await alice.post('/dids', [])).status).toBe(201);
  });

  it.each([20, 300])('creates none of %i if one exists', async (count) => {
    const existing = await add('DATASET');
    const dids = Array.from({ length: count }, () => ({ scope, name: uniqueName(), type: 'DATASET' }));
    const answer = await alice.post('/dids', [...dids, { scope, name: existing, type: 'DATASET' }]);
    expectError(answer, 409, 'DataIdentifierAlreadyExists');
    expect((await alice.get(at(dids[0]?.name ?? ''))).status).toBe(404);
  });

  it('refuses a duplicate, an unknown owner, an unknown scope and a file', async () => {
    const name = uniqueName();
    const element = { scope, name, type: 'DATASET' };
    expectError(await alice.post('/dids', [element, element]), 409, 'DataIdentifierAlreadyExists');
    expectError(await alice.post('/dids', [{ ...element, account: 'nobody-of-that-name' }]), 404, 'AccountNotFound');
    expectError(await root.post('/dids', [{ ...element, scope: 'no-such-scope' }]), 404, 'ScopeNotFound');
    expectError(await alice.post('/dids', [{ ...element, type: 'FILE' }]), 409, 'UnsupportedOperation');
    expectError(await alice.post('/dids', [{ ...element, scope: 'other' }]), 401, 'AccessDenied');
    expect((await alice.get(at(name))).status).toBe(404);
  });

  it('takes statuses as a string (interface 2.4)', async () => {
    const name = uniqueName();
    expect((await alice.post('/dids', [{ scope, name, type: 'DATASET', statuses: 'monotonic' }])).status).toBe(201);
    expect(await get(name)).toMatchObject({ monotonic: true });
  });
});

describe('open and closed (dids 2.4)', () => {
  it('closes and opens, and refuses the current status', async () => {
    const name = await add('DATASET');
    const status = (open: unknown) => alice.put(at(name, '/status'), { open });
    const refused = `The status of the data identifier '${scope}:${name}' cannot be changed`;
    expectError(await status(true), 409, 'UnsupportedOperation', refused);
    expect((await status(false)).status).toBe(200);
    expect(await get(name)).toMatchObject({ open: false });
    expectError(await status(false), 409, 'UnsupportedOperation', refused);
    expectError(
      await attach(name, ['any']),
      409,
      'UnsupportedOperation',
      `Data identifier '${scope}:${name}' is closed`,
    );
    expect((await status(true)).status).toBe(200);
  });

  it('refuses files, unknown DIDs, other keys and other accounts', async () => {
    const { files } = await addFiles(1);
    const name = await add('DATASET');
    expectError(await alice.put(at(files[0] ?? '', '/status'), { open: false }), 409, 'UnsupportedOperation');
    expectError(await alice.put(at('missing', '/status'), { open: false }), 404, 'DataIdentifierNotFound');
    const message = 'The status close is not a valid data identifier status.';
    expectError(await alice.put(at(name, '/status'), { close: true }), 409, 'UnsupportedStatus', message);
    expectError(await alice.put(at(name, '/status'), {}), 400, 'KeyError', "'open' not defined");
    const stranger = await newAccount();
    expectError(await stranger.put(at(name, '/status'), { open: false }), 401, 'AccessDenied');
  });

  it('closing a container counts the files below it, through any nesting, each dataset once', async () => {
    const { dataset, files } = await addFiles(2);
    const inner = await add('CONTAINER', { dids: [{ scope, name: dataset }] });
    const outer = await add('CONTAINER', { dids: [{ scope, name: inner }] });
    // Only one request must not mix the types.
    expect((await attach(outer, [dataset])).status).toBe(201);
    const other = await add('CONTAINER', { dids: [{ scope, name: dataset }] });
    expect((await attach(outer, [other])).status).toBe(201);
    const late = await addFiles(1);
    expect((await attach(dataset, late.files)).status).toBe(201);
    expect(await get(outer, '?dynamic=True')).toMatchObject({ length: files.length + 1, bytes: 30 });
    expect((await alice.put(at(outer, '/status'), { open: false })).status).toBe(200);
    expect(await get(outer)).toMatchObject({ length: files.length + 1, bytes: 30 });
  });
});

describe('listings', () => {
  it('content, files and parents have the fields of dids 2.5, 2.10, 2.12', async () => {
    const { dataset, files } = await addFiles(1);
    const container = await add('CONTAINER', { dids: [{ scope, name: dataset }] });
    const [name] = files;
    const checksums = { bytes: 10, adler32: '0cc737eb' };
    expect((await alice.get(at(dataset, '/dids'))).lines()).toEqual([
      { scope, name, type: 'FILE', ...checksums, md5: 'd'.repeat(32) },
    ]);
    expect((await alice.get(at(container, '/dids'))).lines()).toEqual([
      { scope, name: dataset, type: 'DATASET', bytes: null, adler32: null, md5: null },
    ]);
    const file = { scope, name, ...checksums, guid: null, events: null };
    expect((await alice.get(at(container, '/files'))).lines()).toEqual([file]);
    expect((await alice.get(at(name ?? '', '/files?long=1'))).lines()).toEqual([{ ...file, lumiblocknr: null }]);
    expect((await alice.get(at(dataset, '/parents'))).lines()).toEqual([{ scope, name: container, type: 'CONTAINER' }]);
    expect((await alice.get(at(name ?? '', '/parents'))).lines()).toEqual([{ scope, name: dataset, type: 'DATASET' }]);
  });

  it.each(['/dids', '/files', '/parents'])('of an unknown DID is 404: %s', async (suffix) => {
    expectError(
      await alice.get(at('missing', suffix)),
      404,
      'DataIdentifierNotFound',
      `Data identifier '${scope}:missing' not found`,
    );
  });

  it.each(['/dids', '/files', '/parents'])(
    'is a JSON stream without a charset, and 406 for anything else: %s',
    async (suffix) => {
      const { dataset } = await addFiles(1);
      const path = at(dataset, suffix);
      expect((await alice.get(path)).headers.get('Content-Type')).toBe('application/x-json-stream');
      const refused = await alice.get(path, { headers: { Accept: 'text/plain' } });
      const message = "The requested content type text/plain is not supported. Use ['application/x-json-stream'].";
      expectError(refused, 406, 'UnsupportedRequestedContentType', message);
    },
  );

  it('of a scope shows what is in nothing else there, with levels when recursive (dids 2.24)', async () => {
    const own = await newScope({ owner: alice.account });
    const path = (name: string) => `/dids/${own}/${name}`;
    await alice.post(path('b.ds'), { type: 'DATASET', rse, dids: [{ scope: own, name: 'f1', bytes: 1 }] });
    await alice.post(path('a.cont'), { type: 'CONTAINER', dids: [{ scope: own, name: 'b.ds' }] });
    await alice.post(path('c.ds'), { type: 'DATASET' });
    const top = { scope: own, parent: null, level: 0, bytes: null };
    const cont = { ...top, name: 'a.cont', type: 'CONTAINER' };
    const single = { ...top, name: 'c.ds', type: 'DATASET' };
    expect((await alice.get(`/dids/${own}/`)).lines()).toEqual([cont, single]);
    expect((await alice.get(`/dids/${own}?recursive=True`)).lines()).toEqual([
      cont,
      { scope: own, name: 'b.ds', type: 'DATASET', parent: { scope: own, name: 'a.cont' }, level: 1 },
      { scope: own, name: 'f1', type: 'FILE', parent: { scope: own, name: 'b.ds' }, level: 2 },
      single,
    ]);
    expect((await alice.get(`/dids/${own}/?name=b.ds`)).lines()).toMatchObject([{ name: 'f1', level: 1 }]);
    expectError(await alice.get(`/dids/${own}/?name=missing`), 404, 'DataIdentifierNotFound');
    expectError(
      await alice.get(`/dids/${own}/?recursive=maybe`),
      400,
      'TypeError',
      "'recursive' must be a boolean type.",
    );
    const empty = await newScope();
    expectError(await alice.get(`/dids/${empty}/`), 404, 'DataIdentifierNotFound', `No DIDs found in scope ${empty}`);
  });
});
