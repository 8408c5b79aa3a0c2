import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { expectStatus, newStorageRse, register } from '../support/replicas.ts';
import { asRoot, type Client, expectError, newAccount, newScope, nobody, uniqueName } from '../support/server.ts';
import { nextPage } from '../support/walk.ts';

const root = asRoot();
const all = '/opendata/dids';
const published = '/opendata/public/dids';

interface Row {
  readonly scope: string;
  readonly name: string;
  readonly state: string;
}
interface List {
  readonly total: number;
  readonly offset: number;
  readonly dids: readonly Row[];
}

let alice: Client;
let scope: string;
beforeAll(async () => {
  alice = await newAccount();
  scope = await newScope({ owner: alice.account });
});
afterAll(async () => {
  await root.delete('/config/opendata');
});

/** The files of a published DID. */
interface Shown {
  readonly files: readonly {
    readonly name: string;
    readonly uris: readonly string[];
    readonly download_urls: string[];
  }[];
  readonly files_summary: object;
}

/**
 * Repeats a check until it holds: another process may use an option of before for a minute after its change. A server of one
 * process passes at once.
 */
function settle(check: () => Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 70_000, interval: 500 });
}

/** A closed dataset of alice that is in the catalogue of open data; its path there. */
async function added(): Promise<string> {
  const name = uniqueName('od');
  expectStatus(await alice.post(`/dids/${scope}/${name}`, { type: 'DATASET' }), 201);
  expectStatus(await alice.put(`/dids/${scope}/${name}/status`, { open: false }), 200);
  expect(await alice.post(`${all}/${scope}/${name}`)).toMatchObject({ status: 201, text: '' });
  return `${scope}/${name}`;
}

const publish = async (did: string) => expectStatus(await alice.put(`${all}/${did}`, { state: 'public' }), 200);
const listOf = async (path: string, caller: Pick<Client, 'get'> = alice) => (await caller.get(path)).json() as List;
const namesOf = ({ dids }: List) => dids.filter((row) => row.scope === scope).map((row) => `${row.scope}/${row.name}`);

describe('open data', () => {
  it('are seen without a token once they are public, and no longer when they are suspended (access 10.2)', async () => {
    const did = await added();
    const states = async () => [
      namesOf(await listOf(published, nobody)).includes(did),
      (await nobody.get(`${published}/${did}`)).status,
    ];
    expect(await states()).toEqual([false, 404]);
    await publish(did);
    expect(await states()).toEqual([true, 200]);
    expectStatus(await alice.put(`${all}/${did}`, { state: 'suspended' }), 200);
    expect(await states()).toEqual([false, 404]);
  });

  it('are changed by the owner of the scope, root and admins, and by nobody else (access 10.6)', async () => {
    const [did, bob, admin] = [await added(), await newAccount(), await newAccount({ admin: true })];
    const meta = { meta: { title: 'x' } };
    expectError(await bob.put(`${all}/${did}`, meta), 401, 'AccessDenied');
    expectError(await bob.delete(`${all}/${did}`), 401, 'AccessDenied');
    expectError(await nobody.put(`${all}/${did}`, meta), 401, 'CannotAuthenticate');
    expect((await bob.get(`${all}/${did}?meta=1`)).json()).toMatchObject({ state: 'DRAFT', meta: {} });
    for (const caller of [alice, admin, root]) expectStatus(await caller.put(`${all}/${did}`, meta), 200);
    expectStatus(await admin.delete(`${all}/${did}`), 204);
  });

  it('come in the order of their last change of state, in pages, with their number (access 10.2)', async () => {
    const before = await listOf(published, nobody);
    const [a, b, c] = [await added(), await added(), await added()];
    for (const did of [c, a, b]) await publish(did);
    const list = await listOf(published, nobody);
    expect([list.total, list.dids.length]).toEqual([before.total + 3, before.total + 3]);
    expect(namesOf(list).slice(-3)).toEqual([c, a, b]);
    for (const limit of [1, 2]) {
      const rows: Row[] = [];
      for (let path: string | undefined = `${published}?limit=${limit}`; path !== undefined;) {
        const answer = await nobody.get(path);
        const page = answer.json() as List;
        expect([page.total, page.dids.length <= limit]).toEqual([list.total, true]);
        rows.push(...page.dids);
        path = nextPage(answer);
      }
      expect(rows).toEqual(list.dids);
    }
    const [skipped, rest] = [before.total + 1, await listOf(`${published}?offset=${before.total + 1}&limit=1`, nobody)];
    expect([rest.offset, namesOf(rest)]).toEqual([skipped, [a]]);
  });

  it('a page that begins behind an offset is followed by the rows behind it', async () => {
    const first = await nobody.get(`${published}?offset=1&limit=1`);
    const list = await listOf(published, nobody);
    const next = nextPage(first);
    expect((first.json() as List).dids).toEqual([list.dids[1]]);
    expect(((await nobody.get(next ?? '')).json() as List).dids).toEqual([list.dids[2]]);
  });

  it('no list skips more rows than it may answer', async () => {
    expectError(await nobody.get(`${published}?offset=10001`), 400, 'InvalidObject');
    expectError(await nobody.get(`${published}?limit=10001`), 400, 'InvalidObject');
    expectError(await alice.get(`${all}?cursor=x`), 400, 'InvalidObject');
  });

  it('a DOI and a record belong to one entry, until it gives them up (access 10.4)', async () => {
    const [a, b] = [await added(), await added()];
    const doi = `10.1234/${uniqueName('doi')}`;
    const record_id = Math.floor(Math.random() * 2 ** 31);
    expectStatus(await alice.put(`${all}/${a}`, { doi, record_id }), 200);
    const before = (await alice.get(`${all}/${b}?meta=1`)).text;
    expectError(await alice.put(`${all}/${b}`, { doi, meta: { lost: true } }), 400, 'OpenDataDuplicateDOI');
    expectError(await alice.put(`${all}/${b}`, { record_id }), 400, 'OpenDataDuplicateRecordID');
    expect((await alice.get(`${all}/${b}?meta=1`)).text).toBe(before);
    expectStatus(await alice.put(`${all}/${a}`, { doi: `${doi}.2` }), 200);
    expect((await alice.put(`${all}/${b}`, { doi })).json()).toMatchObject({ doi_new: doi, doi_old: null });
    expectStatus(await alice.delete(`${all}/${a}`), 204);
    expect((await alice.put(`${all}/${b}`, { record_id })).json()).toMatchObject({ record_id_new: record_id });
  });

  it('of concurrent requests for a DOI one gets it', async () => {
    const dids = await Promise.all([added(), added(), added(), added()]);
    const doi = `10.1234/${uniqueName('doi')}`;
    const answers = await Promise.all(dids.map((did) => alice.put(`${all}/${did}`, { doi })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400]);
  });

  it('concurrent changes of the state leave one row in one list', async () => {
    const did = await added();
    const before = (await listOf(all)).total;
    const states = ['public', 'suspended', 'public', 'draft', 'public', 'suspended'];
    const answers = await Promise.all(states.map((state) => alice.put(`${all}/${did}`, { state })));
    for (const { status, text } of answers) expect(`${status} ${text}`).toMatch(/^(200|400 .*InvalidStateUpdate)/s);
    const list = await listOf(all);
    expect([list.total, namesOf(list).filter((name) => name === did)]).toEqual([before, [did]]);
  });

  it('metadata keep every key and number, and are not read where they are not shown', async () => {
    const did = await added();
    const meta = '{"big": 9007199254740993, "__proto__": {"a": null}, "\\u00e9": "\\u00fc"}';
    const answer = await alice.put(`${all}/${did}`, undefined, { rawBody: `{"meta": ${meta}}` });
    expect(answer.text).toContain('9007199254740993');
    expect((await alice.get(`${all}/${did}?meta=1`)).text).toContain('"__proto__": {"a": null}');
    expect((await alice.get(`${all}/${did}`)).json()).not.toHaveProperty('meta');
  });

  it('metadata that are too deep or too large are refused', async () => {
    const did = await added();
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expectError(await alice.put(`${all}/${did}`, { meta: `{"a": ${deep}}` }), 400, 'InputValidationError');
    expectError(await alice.put(`${all}/${did}`, { meta: { a: 'x'.repeat(500_000) } }), 413, 'PayloadTooLarge');
    expect((await alice.get(`${all}/${did}?meta=1`)).json()).toMatchObject({ meta: {} });
  });
});

describe('the files of open data (access 10.3)', { timeout: 120_000 }, () => {
  const attribute = uniqueName('odp');
  let did: string;
  let files: readonly string[];
  beforeAll(async () => {
    expectStatus(await root.post('/config', { opendata: { rse_expression: `${attribute}=1` } }), 201);
    const [disk, tape, other] = await Promise.all([
      newStorageRse({ prefix: '/od' }),
      newStorageRse({ prefix: '/tape', rse_type: 'TAPE' }),
      newStorageRse({ prefix: '/other' }),
    ]);
    for (const rse of [disk, tape])
      expectStatus(await root.post(`/rses/${rse}/attr/${attribute}`, { value: '1' }), 201);
    files = ['a.root', 'b.txt', 'c'].map((name) => `${uniqueName('f')}.${name}`);
    await register(disk, scope, [files[0] ?? '', files[1] ?? '']);
    await register(tape, scope, [files[1] ?? '']);
    await register(other, scope, [files[2] ?? '']);
    did = await added();
    expectStatus(await root.put(`/dids/${did}/status`, { open: true }), 200);
    const dids = files.map((name) => ({ scope, name }));
    expectStatus(await alice.post(`/dids/${did}/dids`, { dids }), 201);
    expectStatus(await alice.put(`/dids/${did}/status`, { open: false }), 200);
    await publish(did);
  });

  it('have PFNs on disks of the RSEs of the option only', async () => {
    const read = async () => (await nobody.get(`${published}/${did}?files=1&download_urls=1`)).json() as Shown;
    await settle(async () => expect((await read()).files.flatMap(({ uris }) => uris)).toHaveLength(2));
    const shown = await read();
    expect(shown.files.map(({ name, uris, download_urls }) => [name, uris.length, download_urls])).toEqual(
      files.toSorted().map((name) => [name, name === files[2] ? 0 : 1, []]),
    );
    expect(shown.files.flatMap(({ uris }) => uris).every((uri) => uri.startsWith('file://localhost/od/'))).toBe(true);
    const { bytes, length, replicas_missing, extensions } = shown.files_summary as Record<string, unknown>;
    expect({ bytes, length, replicas_missing }).toEqual({ bytes: 30, length: 3, replicas_missing: 1 });
    expect(new Set(extensions as string[])).toEqual(new Set(['root', 'txt']));
  });

  it('are not listed for a caller without a token if they are more than a thousand', async () => {
    const many = await added();
    expectStatus(await root.put(`/dids/${many}/status`, { open: true }), 200);
    const rse = await newStorageRse({});
    const file = (index: number) => ({ scope, name: `${many.split('/')[1]}.${index}`, bytes: 1 });
    const thousand = Array.from({ length: 1_000 }, (_value, index) => file(index));
    for (const dids of [thousand, [file(1_000)]]) {
      expectStatus(await root.post(`/dids/${many}/dids`, { dids, rse }), 201);
    }
    expectStatus(await alice.put(`/dids/${many}/status`, { open: false }), 200);
    await publish(many);
    await settle(async () => expectError(await nobody.get(`${published}/${many}?files=1`), 413, 'PayloadTooLarge'));
    expect((await nobody.get(`${published}/${many}`)).status).toBe(200);
    const { files_summary: summary } = (await alice.get(`${all}/${many}?files=1`)).json() as { files_summary: object };
    expect(summary).toMatchObject({ length: 1_001, replicas_missing: 1_001 });
  });

  it('without the option there is no list of files', async () => {
    expectStatus(await root.delete('/config/opendata'), 200);
    await settle(async () => expectError(await nobody.get(`${published}/${did}?files=1`), 400, 'ConfigurationError'));
  });
});
