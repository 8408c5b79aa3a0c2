import { describe, expect, it } from 'vitest';

import { newDidSetup } from '../support/dids.ts';
import { expectError, newAccount, uniqueName } from '../support/server.ts';

const { alice, scope, rse, at, add, addFiles, attach, get } = await newDidSetup();

describe('attach (dids 2.6)', () => {
  it('takes a bare list (interface 4.1) as well as the object of Rucio', async () => {
    const { files } = await addFiles(2);
    const name = await add('DATASET');
    const answer = await alice.post(at(name, '/dids'), [{ scope, name: files[0] }]);
    expect(`${answer.status} ${answer.text}`).toBe('201 Created');
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

  it('two concurrent requests that ignore duplicates both succeed', async () => {
    const { files } = await addFiles(40);
    const name = await add('DATASET');
    const answers = await Promise.all(
      [files.slice(0, 30), files.slice(10), files.slice(5, 8), files.slice(6, 9)].map((part) => {
        const attachments = [{ scope, name, dids: part.map((file) => ({ scope, name: file })) }];
        return alice.post('/dids/attachments', { attachments, ignore_duplicate: true });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await get(name)).toMatchObject({ length: 40, bytes: 400 });
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

  it('takes checksums in either case, and keeps their one form: lower-case (dids 2.6)', async () => {
    const [dataset, other] = [await add('DATASET'), await add('DATASET')];
    const file = { scope, name: uniqueName(), bytes: 1, adler32: '0960000A', md5: 'ABCDEF01'.repeat(4) };
    expect((await alice.post(at(dataset, '/dids'), { rse, dids: [file] })).status).toBe(201);
    const kept = { adler32: '0960000a', md5: 'abcdef01'.repeat(4) };
    expect(await get(file.name)).toMatchObject(kept);
    for (const claim of [file, { ...file, ...kept }])
      expect((await alice.post(at(other, '/dids'), { dids: [claim] })).status).toBe(claim === file ? 201 : 409);
    for (const wrong of [{ adler32: '960000a' }, { adler32: '0960000g' }, { md5: 'abc' }])
      expectError(await alice.post(at(other, '/dids'), { dids: [{ ...file, ...wrong }] }), 400, 'InvalidObject');
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

  it('sums are exact beyond 2^53', async () => {
    const name = await add('DATASET');
    const rawBody = `{"rse":"${rse}","dids":[{"scope":"${scope}","name":"${uniqueName()}","bytes":9007199254740993},{"scope":"${scope}","name":"${uniqueName()}","bytes":9007199254740995}]}`;
    expect((await alice.post(at(name, '/dids'), undefined, { rawBody })).status).toBe(201);
    expect((await alice.get(at(name))).text).toContain('"bytes": 18014398509481988');
    expect((await alice.get(at(name, '/dids'))).text).toContain('"bytes": 9007199254740995');
  });
});

describe('attach to many (dids 2.8)', () => {
  it('is all or nothing over all parents, and skips existing attachments if asked to', async () => {
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
