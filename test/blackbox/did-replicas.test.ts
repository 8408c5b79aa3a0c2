import { beforeAll, describe, expect, it } from 'vitest';

import { addRse } from '../support/rses.ts';
import {
  type Answer,
  asRoot,
  expectCreated,
  expectEmpty,
  expectError,
  newScope,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();
const both = { lan: { read: 1, write: 1, delete: 1 }, wan: { read: 1, write: 1, delete: 1 } };
let scope: string;
let disk: string;
let tape: string;

async function protocol(rse: string, scheme: string, body: object = {}): Promise<void> {
  const defaults = {
    impl: 'rucio.rse.protocols.gfal.Default',
    hostname: 'h',
    port: 1094,
    prefix: '/data',
    domains: both,
  };
  expectCreated(await root.post(`/rses/${rse}/protocols/${scheme}`, { ...defaults, ...body }));
}

beforeAll(async () => {
  [scope, disk, tape] = await Promise.all([newScope(), addRse(), addRse({ deterministic: false })]);
  await Promise.all([protocol(disk, 'root'), protocol(tape, 'root')]);
});

const file = (more: object = {}) => ({ scope, name: uniqueName('f'), bytes: 10, adler32: '0cc737eb', ...more });
const created = (answer: Answer) => expect(`${answer.status} ${answer.text}`).toMatch(/^201 /);
const pfns = (rse: string, name: string) => root.get(`/rses/${rse}/lfns2pfns?lfn=${scope}:${name}`);

async function newDataset(): Promise<string> {
  const name = uniqueName('ds');
  created(await root.post(`/dids/${scope}/${name}`, { type: 'DATASET' }));
  return name;
}

/** The three ways to register files while they are attached (dids 2.1, 2.2, 2.6, 2.8). */
const ways: [way: string, register: (rse: string, dids: object[]) => Promise<Answer>][] = [
  [
    'creating a dataset',
    (rse, dids) => root.post(`/dids/${scope}/${uniqueName('ds')}`, { type: 'DATASET', rse, dids }),
  ],
  [
    'creating datasets in bulk',
    (rse, dids) => root.post('/dids', [{ scope, name: uniqueName('ds'), type: 'DATASET', rse, dids }]),
  ],
  [
    'attaching to a dataset',
    async (rse, dids) => root.post(`/dids/${scope}/${await newDataset()}/dids`, { rse, dids }),
  ],
  [
    'attaching to many',
    async (rse, dids) => root.post('/dids/attachments', [{ scope, name: await newDataset(), rse, dids }]),
  ],
];

describe.each(ways)('%s with an RSE (dids 2.6 A1)', (_way, register) => {
  const missing = async (name: string) => expect((await root.get(`/dids/${scope}/${name}`)).status).toBe(404);

  it('takes the PFN that a deterministic RSE computes', async () => {
    const { name, ...rest } = file();
    const { [`${scope}:${name}`]: pfn } = (await pfns(disk, name)).json() as Record<string, string>;
    created(await register(disk, [{ name, ...rest, pfn }]));
    expect((await root.get(`/dids/${scope}/${name}`)).status).toBe(200);
  });

  it('refuses any other PFN there, and changes nothing', async () => {
    const [good, bad] = [file(), file({ pfn: 'root://h:1094/data/wrong' })];
    const { [`${scope}:${bad.name}`]: expected } = (await pfns(disk, bad.name)).json() as Record<string, string>;
    expectError(
      await register(disk, [good, bad]),
      400,
      'InvalidPath',
      `One of the PFNs provided {'root://h:1094/data/wrong'} for [{'scope': '${scope}', 'name': '${bad.name}'}] ` +
        `does not match the Rucio expected PFNs: {'${expected}'}`,
    );
    await missing(good.name);
    await missing(bad.name);
  });

  it('keeps the path of a PFN where a non-deterministic RSE has it', async () => {
    const pfn = `root://h:1094/data/dir1/dir2/${uniqueName('f')}`;
    const one = file({ pfn });
    created(await register(tape, [one]));
    expect((await pfns(tape, one.name)).json()).toEqual({ [`${scope}:${one.name}`]: pfn });
  });

  it.each([
    ['root://other:1094/data/f', "Invalid hostname: provided 'other', expected 'h'"],
    ['root://h:1095/data/f', "Invalid port: provided '1095', expected '1094'"],
    ['root://h:1094/elsewhere/f', "Invalid prefix: provided '/elsewhere', expected '/data/'"],
  ])('refuses %s there', async (pfn, message) => {
    expectError(await register(tape, [file({ pfn })]), 400, 'RSEFileNameNotSupported', message);
  });

  it('refuses a PFN of a scheme without write access', async () => {
    for (const rse of [disk, tape]) {
      for (const pfn of ['davs://h:1094/data/f', 'nonsense', '']) {
        expectError(await register(rse, [file({ pfn })]), 404, 'RSEProtocolNotSupported', /^No protocol for provided/);
      }
    }
  });

  it('needs a PFN on a non-deterministic RSE for every file', async () => {
    const [first, second] = [file({ pfn: 'root://h:1094/data/x' }), file()];
    expectError(
      await register(tape, [first, second]),
      409,
      'UnsupportedOperation',
      `PFN needed for this (non deterministic) RSE ${tape} `,
    );
    await missing(first.name);
  });

  it('is refused on a volatile, an unknown and a disabled RSE', async () => {
    const [volatile, disabled] = await Promise.all([addRse({ volatile: true, deterministic: false }), addRse()]);
    const { id } = (await root.get(`/rses/${disabled}`)).json() as { id: string };
    expectEmpty(await root.delete(`/rses/${disabled}`));
    const one = file();
    const refused = `Cannot add replicas on volatile RSE ${volatile} `;
    expectError(await register(volatile, [one]), 409, 'UnsupportedOperation', refused);
    expectError(await register('NONE', [one]), 404, 'RSENotFound', `RSE 'NONE' cannot be found in vo 'def'`);
    expectError(await register(disabled, [one]), 404, 'RSENotFound', `RSE with id '${id}' cannot be found`);
    await missing(one.name);
  });

  it('needs the size of a new file, before its PFN is looked at', async () => {
    const { bytes: _, ...one } = file({ pfn: 'root://h:1094/data/wrong' });
    expectError(await register(disk, [one]), 400, 'KeyError', `'bytes' not defined`);
  });

  it('works on an RSE that is not writable, as in Rucio', async () => {
    created(await register(await addRse({ availability_write: false }), [file()]));
  });
});

describe('PFNs of files that are registered', () => {
  const attach = async (rse: string, dids: object[]) =>
    root.post(`/dids/${scope}/${await newDataset()}/dids`, { rse, dids });

  it('may be of any protocol with write access, in LAN or WAN', async () => {
    const rse = await addRse();
    await protocol(rse, 'davs', { hostname: 'near', domains: { lan: { write: 1 } } });
    await protocol(rse, 'davs', { hostname: 'far', domains: { wan: { write: 1 } } });
    for (const domain of ['lan', 'wan']) {
      const one = file();
      const { [`${scope}:${one.name}`]: pfn } = (
        await root.get(`/rses/${rse}/lfns2pfns?lfn=${scope}:${one.name}&domain=${domain}`)
      ).json() as Record<string, string>;
      expect(pfn).toContain(domain === 'lan' ? 'near' : 'far');
      created(await attach(rse, [{ ...one, pfn }]));
    }
  });

  it('are compared without the port and the web service of SRM', async () => {
    const rse = await addRse();
    const extended_attributes = { web_service_path: '/srm/managerv2?SFN=' };
    await protocol(rse, 'srm', { port: 8443, extended_attributes });
    const one = file();
    const { [`${scope}:${one.name}`]: pfn } = (await pfns(rse, one.name)).json() as Record<string, string>;
    expect(pfn).toMatch(/^srm:\/\/h:8443\/srm\/managerv2\?SFN=\/data\//);
    created(await attach(rse, [{ ...one, pfn: pfn?.replace(':8443/srm/managerv2?SFN=', '') }]));
  });

  it('do not change the path of an existing replica', async () => {
    const [one, pfn] = [file(), 'root://h:1094/data/first'];
    created(await attach(tape, [{ ...one, pfn }]));
    created(await attach(tape, [{ ...one, pfn: 'root://h:1094/data/second' }]));
    expect((await pfns(tape, one.name)).json()).toEqual({ [`${scope}:${one.name}`]: pfn });
  });

  it('are checked for existing files, too', async () => {
    const one = file();
    created(await attach(disk, [one]));
    created(await attach(tape, [{ ...one, pfn: 'root://h:1094/data/copy' }]));
    expect((await pfns(tape, one.name)).json()).toEqual({ [`${scope}:${one.name}`]: 'root://h:1094/data/copy' });
  });
});

describe('an RSE that nothing is registered on', () => {
  it('must exist nevertheless', async () => {
    const container = { type: 'CONTAINER', rse: 'NONE' };
    expectError(await root.post(`/dids/${scope}/${uniqueName()}`, container), 404, 'RSENotFound');
    expectError(await root.post('/dids', [{ scope, name: uniqueName(), ...container }]), 404, 'RSENotFound');
  });

  it('does not matter to containers and archives', async () => {
    const archive = file({ name: `${uniqueName('a')}.zip` });
    const dataset = await newDataset();
    created(await root.post(`/dids/${scope}/${dataset}/dids`, { rse: disk, dids: [archive] }));
    const member = file();
    created(await root.post(`/dids/${scope}/${archive.name}/dids`, { rse: tape, dids: [member] }));
    expectError(await pfns(tape, member.name), 404, 'ReplicaNotFound');
    const body = { type: 'CONTAINER', rse: tape, dids: [{ scope, name: dataset }] };
    created(await root.post(`/dids/${scope}/${uniqueName()}`, body));
  });
});
