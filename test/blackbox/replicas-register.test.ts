import { beforeAll, describe, expect, it } from 'vitest';

import {
  everywhere,
  addProtocol,
  files,
  list,
  newStorageRse,
  newReplicaSetup,
  register,
  states,
  type ReplicaSetup,
} from '../support/replicas.ts';
import { asRoot, expectCreated, expectError, newAccount, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();
let setup: ReplicaSetup;

beforeAll(async () => {
  setup = await newReplicaSetup();
});

const add = (rse: unknown, entries: unknown, more: object = {}) =>
  root.post('/replicas', { rse, files: entries, ...more });
const one = (name = uniqueName('f'), more: object = {}) => files(setup.scope, [name], more);

describe('POST /replicas (replication 1.2)', () => {
  it('creates missing files, owned by the caller, with size, checksums and metadata', async () => {
    const guid = crypto.randomUUID();
    const md5 = '61e7d212cfe1776e49be2f97b69b7f4d';
    const [file] = one(uniqueName('f'), { md5, meta: { guid, campaign: 'mc26' } });
    const answer = await add(setup.one, [file]);
    expectCreated(answer);
    const at = `/dids/${setup.scope}/${file?.name}`;
    expect((await root.get(at)).json()).toMatchObject({
      type: 'FILE',
      account: 'root',
      bytes: 10,
      adler32: '0cc737eb',
    });
    const meta = (await root.get(`${at}/meta?plugin=ALL`)).json();
    expect(meta).toMatchObject({ guid: guid.replaceAll('-', ''), campaign: 'mc26', md5 });
  });

  it('makes replicas AVAILABLE unless a state is named, by its letter or in full', async () => {
    const letters = ['A', 'C', 'U', 'B', 'D', 'T'];
    const full = ['AVAILABLE', 'COPYING', 'UNAVAILABLE', 'BEING_DELETED', 'BAD', 'TEMPORARY_UNAVAILABLE'];
    const name = uniqueName('f');
    await register(setup.one, setup.scope, [name]);
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'AVAILABLE' });
    for (const state of [...letters, ...full]) {
      const other = uniqueName('f');
      await register(setup.one, setup.scope, [other], { state });
      expect(await states(setup.scope, other)).toEqual({ [setup.one]: full[letters.indexOf(state)] ?? state });
    }
  });

  it('does not change existing replicas, and answers 201 nevertheless', async () => {
    const name = uniqueName('f');
    await register(setup.one, setup.scope, [name], { state: 'C' });
    await register(setup.one, setup.scope, [name], { state: 'A' });
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'COPYING' });
    await register(setup.two, setup.scope, [name]);
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'COPYING', [setup.two]: 'AVAILABLE' });
  });

  it('refuses a known file with another size or checksum, but takes a checksum that is not known yet', async () => {
    const [name, fresh] = [uniqueName('f'), uniqueName('f')];
    await register(setup.one, setup.scope, [name]);
    for (const rse of [setup.one, setup.two]) {
      for (const other of [{ bytes: 99 }, { adler32: '0cc737ec' }]) {
        const answer = await add(rse, [...one(fresh), ...one(name, other)]);
        expectError(answer, 412, 'FileConsistencyMismatch', new RegExp(`mismatch for '${setup.scope}:${name}'`));
      }
    }
    expectError(await root.get(`/dids/${setup.scope}/${fresh}`), 404, 'DataIdentifierNotFound');
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'AVAILABLE' });
    const twice = [...one(fresh), ...one(fresh, { bytes: 11 })];
    expectError(await add(setup.one, twice), 412, 'FileConsistencyMismatch', /bytes mismatch/);
    const same = { adler32: '0CC737EB', md5: '61e7d212cfe1776e49be2f97b69b7f4d' };
    expectCreated(await add(setup.two, one(name, same)));
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'AVAILABLE', [setup.two]: 'AVAILABLE' });
  });

  it('counts a file that is listed twice once', async () => {
    const name = uniqueName('f');
    expectCreated(await add(setup.one, [...one(name), ...one(name)]));
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'AVAILABLE' });
  });

  it('registers 1,000 files all or none', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `bulk.${String(index).padStart(4, '0')}`);
    await root.post(`/dids/${setup.scope}/bulk.0700x`, { type: 'DATASET' });
    const withDataset = files(setup.scope, [...names.slice(0, 999), 'bulk.0700x']);
    expectError(await add(setup.one, withDataset), 409, 'DataIdentifierAlreadyExists', /bulk\.0700x/);
    expect(await list(setup.scope, names.slice(0, 3))).toEqual([]);
    expectCreated(await add(setup.one, files(setup.scope, names)));
    expect((await list(setup.scope, names)).map(({ name }) => name)).toEqual(names);
  });

  it('accepts concurrent registrations of the same files', async () => {
    const names = Array.from({ length: 30 }, () => uniqueName('f'));
    const answers = await Promise.all(
      [setup.one, setup.two, setup.one, setup.two].map((rse) => add(rse, files(setup.scope, names))),
    );
    for (const answer of answers) expectCreated(answer);
    for (const { states: found } of await list(setup.scope, names)) {
      expect(found).toEqual({ [setup.one]: 'AVAILABLE', [setup.two]: 'AVAILABLE' });
    }
  });

  it('accepts only the computed PFN on a deterministic RSE', async () => {
    const name = uniqueName('f');
    const wrong = await add(setup.one, one(name, { pfn: 'file://localhost/one/elsewhere' }));
    expectError(wrong, 400, 'InvalidPath', /^One of the PFNs provided \{'file:\/\/localhost\/one\/elsewhere'\} for \[/);
    expectError(await root.get(`/dids/${setup.scope}/${name}`), 404, 'DataIdentifierNotFound');
    const [{ [`${setup.scope}:${name}`]: pfn }] = [
      (await root.get(`/rses/${setup.one}/lfns2pfns?lfn=${setup.scope}:${name}`)).json() as Record<string, string>,
    ];
    expectCreated(await add(setup.one, one(name, { pfn })));
    expect(Object.keys((await list(setup.scope, [name]))[0]?.pfns ?? {})).toEqual([pfn]);
    const other = one(name, { pfn: 'srm://localhost/one/x' });
    expectError(await add(setup.one, other), 404, 'RSEProtocolNotSupported');
  });

  it('keeps the path of a file on an RSE that is not deterministic, which needs a PFN', async () => {
    const rse = await newStorageRse({ deterministic: false, prefix: '/store/' });
    const name = uniqueName('f');
    expectError(
      await add(rse, one(name)),
      409,
      'UnsupportedOperation',
      `PFN needed for this (non deterministic) RSE ${rse} `,
    );
    const foreign = one(name, { pfn: 'file://localhost/other/a' });
    expectError(await add(rse, foreign), 400, 'RSEFileNameNotSupported');
    const pfn = 'file://localhost/store/deep/down/file.dat';
    expectCreated(await add(rse, one(name, { pfn })));
    expect((await list(setup.scope, [name]))[0]?.rses).toEqual({ [rse]: [pfn] });
    await addProtocol(rse, 'davs', {
      hostname: 'web.example.org',
      port: 443,
      impl: 'rucio.rse.protocols.gfal.Default',
      prefix: '/dav',
      domains: everywhere,
    });
    const [line] = await list(setup.scope, [name], { schemes: ['davs'] });
    expect(line?.rses).toEqual({ [rse]: ['davs://web.example.org:443/dav/deep/down/file.dat'] });
  });

  it('refuses volatile RSEs, and those that are not writable at present', async () => {
    const volatile = await newStorageRse({ volatile: true });
    expectError(
      await add(volatile, one()),
      409,
      'UnsupportedOperation',
      `Cannot add replicas on volatile RSE ${volatile} `,
    );
    const closed = await newStorageRse({ prefix: '/', availability_write: false });
    const temporary = `${closed} is temporary unavailable for writing`;
    expectError(await add(closed, one()), 503, 'ResourceTemporaryUnavailable', temporary);
    expectCreated(await add(closed, one(), { ignore_availability: true }));
  });

  it('lets only admins ignore that an RSE is not writable', async () => {
    const rse = await newStorageRse({ name: `${uniqueName('x').toUpperCase()}_USERDISK`, availability_write: false });
    const scope = await newScope({ owner: setup.alice.account });
    const body = { rse, files: files(scope, ['f']), ignore_availability: true };
    expectError(await setup.alice.post('/replicas', body), 503, 'ResourceTemporaryUnavailable');
  });

  it.each([
    ['no RSE', undefined, [], 400, 'KeyError', "'rse' not defined"],
    ['no files', 'X', undefined, 400, 'KeyError', "'files' not defined"],
    ['an empty list', 'X', [], 400, 'InvalidObject'],
    ['too many', 'X', Array.from({ length: 1001 }, () => ({ scope: 's', name: 'n' })), 400, 'InvalidObject'],
    ['another key', 'X', [{ scope: 's', name: 'n', bytes: 1, colour: 'red' }], 400, 'InvalidObject'],
    ['a bad state', 'X', [{ scope: 's', name: 'n', bytes: 1, state: 'S' }], 400, 'InvalidObject'],
    ['a bad checksum', 'X', [{ scope: 's', name: 'n', bytes: 1, adler32: 'x' }], 400, 'InvalidObject'],
    ['no checksum', 'X', [{ scope: 's', name: 'n', bytes: 1, md5: null }], 400, 'InvalidObject'],
    ['a bad GUID', 'X', [{ scope: 's', name: 'n', bytes: 1, meta: { guid: 'x' } }], 400, 'InvalidObject'],
    ['an unknown RSE', 'X', [{ scope: 's', name: 'n' }], 404, 'RSENotFound', "RSE 'X' cannot be found in vo 'def'"],
  ])('answers %s with an error', async (_what, rse, entries, status, name, message?: string) => {
    expectError(await add(rse, entries), status, name, message);
  });

  it('needs the size of a new file, an existing scope and valid booleans', async () => {
    expectError(
      await add(setup.one, [{ scope: setup.scope, name: 'sizeless' }]),
      400,
      'KeyError',
      "'bytes' not defined",
    );
    expectError(await add(setup.one, files('nowhere', ['f'])), 404, 'ScopeNotFound', 'Scope not found!');
    const vague = await add(setup.one, one(), { ignore_availability: 'maybe' });
    expectError(vague, 400, 'TypeError', "'ignore_availability' must be a boolean type.");
  });
});

describe('who may register replicas (replication 6)', () => {
  it('is root, an admin, everybody on RSEs of certain names, and owners with a limit on the RSE', async () => {
    const { alice } = setup;
    const scope = await newScope({ owner: alice.account });
    const body = (rse: string, name: string) => ({ rse, files: files(scope, [name]) });
    const denied = `Account ${alice.account} can not add file replicas on ${setup.one}. It has no quota on ${setup.one}.`;
    expectError(await alice.post('/replicas', body(setup.one, 'f')), 401, 'AccessDenied', denied);
    for (const end of ['SCRATCHDISK', 'USERDISK', 'MOCK', 'LOCALGROUPDISK']) {
      const rse = await newStorageRse({ name: `${uniqueName('x').toUpperCase()}-${end}` });
      expectCreated(await alice.post('/replicas', body(rse, end)));
    }
    expectCreated(await root.post(`/accounts/${alice.account}/limits/local/${setup.one}`, { bytes: 1000 }));
    expectCreated(await alice.post('/replicas', body(setup.one, 'f')));
    const admin = await newAccount({ admin: true });
    expectCreated(await admin.post('/replicas', body(setup.two, 'f')));
  });

  it('claims no replica of a file for which it does not answer, whatever the RSE is called', async () => {
    const { alice } = setup;
    const name = uniqueName('f');
    const body = (rse: string, as = setup.scope, file = name) => ({ rse, files: files(as, [file]) });
    const denied =
      /^Operation involves the following new files which will require the creation of new DIDs:\n\[\{'scope': '/;
    const rses = await Promise.all(
      ['SCRATCHDISK', 'USERDISK', 'MOCK', 'LOCALGROUPDISK'].map((end) =>
        newStorageRse({ name: `${uniqueName('x').toUpperCase()}-${end}` }),
      ),
    );
    for (const rse of rses) expectError(await alice.post('/replicas', body(rse)), 401, 'AccessDenied', denied);
    await register(setup.one, setup.scope, [name]);
    for (const rse of rses) {
      const notOwn = `Account ${alice.account} can not add file replicas on ${rse}. Scope ${setup.scope} is not its own.`;
      expectError(await alice.post('/replicas', body(rse)), 401, 'AccessDenied', notOwn);
    }
    expect(await states(setup.scope, name)).toEqual({ [setup.one]: 'AVAILABLE' });
    const [scratch = '', user = ''] = rses;
    const own = await newScope({ owner: alice.account });
    expectCreated(await alice.post('/replicas', body(scratch, own)));
    expectCreated(await alice.post('/replicas', body(user, own)));
    const made = uniqueName('made');
    await root.post('/scopes/root/mock');
    expectCreated(await alice.post('/replicas', body(scratch, 'mock', made)));
    expectCreated(await alice.post('/replicas', body(user, 'mock', made)));
    const other = await newAccount();
    expectError(await other.post('/replicas', body(user, 'mock', made)), 401, 'AccessDenied');
  });

  it('is a mover for files that exist, on any RSE', async () => {
    const mover = await newAccount();
    expectCreated(await root.post(`/accounts/${mover.account}/attr/mover`, { key: 'mover', value: 'True' }));
    const [known, unknown] = [uniqueName('f'), uniqueName('f')];
    await register(setup.one, setup.scope, [known]);
    expectCreated(await mover.post('/replicas', { rse: setup.two, files: files(setup.scope, [known]) }));
    const mixed = { rse: setup.two, files: files(setup.scope, [known, unknown]) };
    expectError(await mover.post('/replicas', mixed), 401, 'AccessDenied');
  });
});
