import { beforeAll, describe, expect, it } from 'vitest';

import { asRoot, type Client, expectError, newAccount, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();
let alice: Client;
let scope: string;
let rse: string;

beforeAll(async () => {
  alice = await newAccount();
  scope = await newScope({ owner: alice.account });
  rse = uniqueName('disk').toUpperCase();
  expect((await root.post(`/rses/${rse}`)).status).toBe(201);
});

const at = (name: string, suffix = '') => `/dids/${scope}/${encodeURIComponent(name)}${suffix}`;

/** A new DID; returns its name. */
async function add(type: 'DATASET' | 'CONTAINER', more: object = {}): Promise<string> {
  const name = uniqueName(type);
  const answer = await alice.post(at(name), { type, ...more });
  expect(`${answer.status} ${answer.text}`).toBe('201 ');
  return name;
}

/** New files in a new dataset; returns the names. */
async function addFiles(count: number, bytes = 10): Promise<{ dataset: string; files: string[] }> {
  const files = Array.from({ length: count }, () => uniqueName('file'));
  const dids = files.map((name) => ({ scope, name, bytes, adler32: '0cc737eb', md5: 'd'.repeat(32) }));
  return { dataset: await add('DATASET', { dids, rse }), files };
}

const attach = (parent: string, names: readonly string[], more: object = {}) =>
  alice.post(at(parent, '/dids'), { dids: names.map((name) => ({ scope, name })), ...more });

const get = async (name: string, query = '') => (await alice.get(at(name, query))).json() as Record<string, unknown>;

describe('create one DID (dids 2.2)', () => {
  it('answers 201 without a body, and the DID with all fields of the interface document', async () => {
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

  it('50 times at once makes exactly one', async () => {
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
  it('makes all of 600, with and without the final slash; one may hold another that stands before it', async () => {
    const dids = Array.from({ length: 600 }, (_value, index) => ({
      scope,
      name: uniqueName(`b${index}`),
      type: 'DATASET',
    }));
    const container = { scope, name: uniqueName(), type: 'CONTAINER', dids: dids.map(({ name }) => ({ scope, name })) };
    const answer = await alice.post('/dids/', [...dids, container]);
    expect(`${answer.status} ${answer.text}`).toBe('201 ');
    expect((await alice.get(at(container.name, '/dids'))).lines()).toHaveLength(600);
    expect((await alice.post('/dids', [])).status).toBe(201);
  });

  it.each([20, 300])('makes none of %i when one exists', async (count) => {
    const existing = await add('DATASET');
    const dids = Array.from({ length: count }, () => ({ scope, name: uniqueName(), type: 'DATASET' }));
    const answer = await alice.post('/dids', [...dids, { scope, name: existing, type: 'DATASET' }]);
    expectError(answer, 409, 'DataIdentifierAlreadyExists');
    expect((await alice.get(at(dids[0]?.name ?? ''))).status).toBe(404);
  });

  it('refuses one that is listed twice, an unknown owner, an unknown scope and a file', async () => {
    const name = uniqueName();
    const element = { scope, name, type: 'DATASET' };
    expectError(await alice.post('/dids', [element, element]), 409, 'DataIdentifierAlreadyExists');
    expectError(await alice.post('/dids', [{ ...element, account: 'nobody-of-that-name' }]), 404, 'AccountNotFound');
    expectError(await root.post('/dids', [{ ...element, scope: 'no-such-scope' }]), 404, 'ScopeNotFound');
    expectError(await alice.post('/dids', [{ ...element, type: 'FILE' }]), 409, 'UnsupportedOperation');
    expectError(await alice.post('/dids', [{ ...element, scope: 'other' }]), 401, 'AccessDenied');
    expect((await alice.get(at(name))).status).toBe(404);
  });

  it('takes statuses as the word of the interface document', async () => {
    const name = uniqueName();
    expect((await alice.post('/dids', [{ scope, name, type: 'DATASET', statuses: 'monotonic' }])).status).toBe(201);
    expect(await get(name)).toMatchObject({ monotonic: true });
  });
});

describe('open and closed (dids 2.4)', () => {
  it('closes and opens, and refuses what is the case already', async () => {
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

  it('refuses files, unknown DIDs, other keys and strangers', async () => {
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

describe('attach (dids 2.6)', () => {
  it('takes the bare list of the interface document as well as the object of Rucio', async () => {
    const { files } = await addFiles(2);
    const name = await add('DATASET');
    const answer = await alice.post(at(name, '/dids'), [{ scope, name: files[0] }]);
    expect(`${answer.status} ${answer.text}`).toBe('201 ');
    expect((await attach(name, [files[1] ?? ''])).status).toBe(201);
    expect(await get(name)).toMatchObject({ length: 2, bytes: 20 });
  });

  it('of two attachments of one file at the same time one is 201 and the other 409', async () => {
    const { files } = await addFiles(1);
    const name = await add('DATASET');
    const answers = await Promise.all([attach(name, files), attach(name, files)]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409']);
    const refused = answers.find(({ status }) => status === 409);
    const message = `File ${scope}:${files[0]} already attached to ${scope}:${name}`;
    expectError(refused as (typeof answers)[0], 409, 'FileAlreadyExists', message);
    expect(await get(name)).toMatchObject({ length: 1 });
  });

  it('of 1,000 files changes nothing when the 950th is missing', async () => {
    const { files } = await addFiles(999);
    const name = await add('DATASET');
    const listed = [...files.slice(0, 949), 'missing', ...files.slice(949)];
    expectError(
      await attach(name, listed),
      404,
      'DataIdentifierNotFound',
      `Data identifier '${scope}:missing' not found`,
    );
    expect(await get(name)).toMatchObject({ length: 0, bytes: 0 });
    expect((await alice.get(at(name, '/dids'))).text).toBe('');
  });

  it('counts a child once that is listed twice', async () => {
    const { files } = await addFiles(1);
    const name = await add('DATASET');
    expect((await attach(name, [...files, ...files])).status).toBe(201);
    expect(await get(name)).toMatchObject({ length: 1 });
  });

  it.each([
    ['size', { bytes: 99 }, /^bytes mismatch for '.*': 99!=10$/],
    ['adler32', { adler32: 'ffffffff' }, /^adler32 mismatch/],
    ['md5', { md5: 'e'.repeat(32) }, /^md5 mismatch/],
  ])('refuses another %s than that of the file', async (_key, claim, message) => {
    const { files } = await addFiles(1);
    const name = await add('DATASET');
    const answer = await alice.post(at(name, '/dids'), { dids: [{ scope, name: files[0], ...claim }] });
    expectError(answer, 412, 'FileConsistencyMismatch', message);
    expect(await get(name)).toMatchObject({ length: 0 });
  });

  it('keeps types apart: files in datasets, collections of one type in containers', async () => {
    const { dataset, files } = await addFiles(1);
    const container = await add('CONTAINER');
    const other = await add('CONTAINER');
    expectError(await attach(container, files), 409, 'UnsupportedOperation', /is forbidden$/);
    expectError(await attach(dataset, [container]), 409, 'UnsupportedOperation', /cannot be added to a dataset $/);
    expectError(
      await attach(container, [dataset, other]),
      409,
      'UnsupportedOperation',
      /^Mixed collection is not allowed/,
    );
    expectError(await attach(files[0] ?? '', [dataset]), 409, 'UnsupportedOperation', /is a file$/);
    expectError(await attach(container, [container]), 409, 'UnsupportedOperation', 'Self-append is not valid!');
    expectError(await attach('missing', files), 404, 'DataIdentifierNotFound');
  });

  it('refuses a circle of any length', async () => {
    const [a, b, c] = [await add('CONTAINER'), await add('CONTAINER'), await add('CONTAINER')];
    expect((await attach(a, [b])).status).toBe(201);
    expect((await attach(b, [c])).status).toBe(201);
    const message = `Circular attachment detected. ${scope}:${a} is already a parent of ${scope}:${c}`;
    expectError(await attach(c, [a]), 409, 'UnsupportedOperation', message);
  });

  it('registers nothing without a size, nor in an unknown scope', async () => {
    const name = await add('DATASET');
    expectError(await attach(name, [uniqueName()], { rse }), 400, 'KeyError', "'bytes' not defined");
    const strange = { dids: [{ scope: 'no-such-scope', name: 'f', bytes: 1 }], rse };
    expectError(await alice.post(at(name, '/dids'), strange), 404, 'ScopeNotFound');
    expect(await get(name)).toMatchObject({ length: 0 });
  });

  it('is for the owner of the parent scope', async () => {
    const stranger = await newAccount();
    const name = await add('DATASET');
    const message = `Account ${stranger.account} can not add data identifiers to ${scope}:${name}. `;
    expectError(await stranger.post(at(name, '/dids'), { dids: [{ scope, name: 'x' }] }), 401, 'AccessDenied', message);
  });

  it('sums are exact beyond 2^53 (design 9)', async () => {
    const name = await add('DATASET');
    const rawBody = `{"rse":"${rse}","dids":[{"scope":"${scope}","name":"${uniqueName()}","bytes":9007199254740993},{"scope":"${scope}","name":"${uniqueName()}","bytes":9007199254740995}]}`;
    expect((await alice.post(at(name, '/dids'), undefined, { rawBody })).status).toBe(201);
    expect((await alice.get(at(name))).text).toContain('"bytes":18014398509481988');
    expect((await alice.get(at(name, '/dids'))).text).toContain('"bytes":9007199254740995');
  });
});

describe('attach to many (dids 2.8)', () => {
  it('is all or nothing over all parents, and passes over what is attached already when told so', async () => {
    const { files } = await addFiles(3);
    const [a, b] = [await add('DATASET'), await add('DATASET')];
    const attachments = [a, b].map((name) => ({ scope, name, dids: files.map((file) => ({ scope, name: file })) }));
    expect((await attach(b, files.slice(0, 1))).status).toBe(201);
    expectError(await alice.post('/dids/attachments', attachments), 409, 'FileAlreadyExists');
    expect(await get(a)).toMatchObject({ length: 0 });
    const ignoring = await alice.post('/dids/attachments', { attachments, ignore_duplicate: true });
    expect(`${ignoring.status} ${ignoring.text}`).toBe('201 Created');
    expect([await get(a), await get(b)]).toMatchObject([{ length: 3 }, { length: 3 }]);
  });

  it('takes 200 parents with one file each', async () => {
    const { files } = await addFiles(1);
    const parents = Array.from({ length: 200 }, () => ({ scope, name: uniqueName(), type: 'DATASET' }));
    expect((await alice.post('/dids', parents)).status).toBe(201);
    const dids = files.map((name) => ({ scope, name }));
    const attachments = parents.map(({ name }) => ({ scope, name, dids }));
    expect((await alice.post('/dids/attachments', attachments)).status).toBe(201);
    expect((await alice.get(at(files[0] ?? '', '/parents'))).lines()).toHaveLength(201);
    expect(await get(parents[199]?.name ?? '')).toMatchObject({ length: 1, bytes: 10 });
  });

  it('refuses an attachment without DIDs and unknown keys', async () => {
    const name = await add('DATASET');
    expectError(await alice.post('/dids/attachments', [{ scope, name, dids: [] }]), 400, 'InvalidObject');
    const named = [{ scope, name, dids: [{ scope, name: 'x' }], rse_id: 'y' }];
    expectError(await alice.post('/dids/attachments', named), 400, 'InvalidObject');
  });
});

describe('detach (dids 2.7)', () => {
  it.each([2, 120])('takes %i files out of an open or closed dataset', async (count) => {
    const { dataset, files } = await addFiles(count + 1);
    expect((await alice.put(at(dataset, '/status'), { open: false })).status).toBe(200);
    const dids = files.slice(0, count).map((name) => ({ scope, name }));
    expect((await alice.delete(at(dataset, '/dids'), { dids })).status).toBe(200);
    expect(await get(dataset)).toMatchObject({ length: 1, bytes: 10 });
    expect((await alice.get(at(files[0] ?? '', '/parents'))).text).toBe('');
  });

  it('changes nothing when one is not attached', async () => {
    const { dataset, files } = await addFiles(2);
    const detach = (names: string[]) =>
      alice.delete(at(dataset, '/dids'), { dids: names.map((name) => ({ scope, name })) });
    expectError(await detach([...files, 'missing']), 404, 'DataIdentifierNotFound', /not found under/);
    expect(await get(dataset)).toMatchObject({ length: 2 });
    expectError(await detach([dataset]), 409, 'UnsupportedOperation', 'Self-detach is not valid.');
    expect((await detach(files)).status).toBe(200);
    const empty = `Data identifier '${scope}:${dataset}' has no child data identifiers.`;
    expectError(await detach(files), 404, 'DataIdentifierNotFound', empty);
    expectError(await alice.delete(at('missing', '/dids'), { dids: [] }), 404, 'DataIdentifierNotFound');
    expect((await attach(dataset, files)).status).toBe(201);
  });
});

describe('listings', () => {
  it('content, files and parents have the fields of dids 2.5, 2.10 and 2.12', async () => {
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
