import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { addRse, newDisabledRse, postProtocol, protocolsOf } from '../support/rses.ts';
import { asRoot, type Client, expectCreated, expectEmpty, expectError, newAccount, nobody } from '../support/server.ts';
import { volumeOf } from '../support/volume.ts';

const root = asRoot();
const impl = 'rucio.rse.protocols.gfal.Default';
const nothing = {
  lan: { read: null, write: null, delete: null },
  wan: { read: null, write: null, delete: null, third_party_copy_read: null, third_party_copy_write: null },
};
let alice: Client;

beforeAll(async () => {
  alice = await newAccount();
});

describe('POST /rses/{rse}/protocols/{scheme} (rses 1.18, 3.2)', () => {
  it('takes every default from Rucio', async () => {
    const rse = await addRse();
    expectCreated(await postProtocol(rse, 'mock'));
    expect(await protocolsOf(rse)).toEqual([
      { scheme: 'mock', hostname: 'localhost', port: 0, prefix: '', impl, domains: nothing, extended_attributes: null },
    ]);
  });

  it('stores the given values; the scheme of the path wins, unknown keys are ignored', async () => {
    const rse = await addRse();
    const entry = {
      hostname: 'dav.example.org',
      port: 443,
      prefix: '/rucio/',
      domains: {
        lan: { read: 1, write: 1, delete: 1 },
        wan: { read: 0, write: 2, delete: null, third_party_copy_read: 3, third_party_copy_write: null },
      },
      extended_attributes: { space_token: 'X', nested: [1, null, { a: 'é' }] },
    };
    expectCreated(await postProtocol(rse, 'davs', { ...entry, scheme: 'root', colour: 5 }));
    expect(await protocolsOf(rse)).toEqual([{ ...entry, scheme: 'davs', impl }]);
  });

  it('takes a null host as an empty one, a null port as 0 and a port as text', async () => {
    const rse = await addRse();
    expectCreated(await postProtocol(rse, 'a', { hostname: null, port: null }));
    expectCreated(await postProtocol(rse, 'b', { port: '12' }));
    expect((await protocolsOf(rse)).map(({ hostname, port }) => [hostname, port])).toEqual([
      ['', 0],
      ['localhost', 12],
    ]);
  });

  it('takes priorities in the flat form, which `domains` overrides', async () => {
    const rse = await addRse();
    const flat = { read_lan: 4, read_wan: -3, delete_wan: 5, third_party_copy_read: 9 };
    expectCreated(await postProtocol(rse, 'root', { ...flat, domains: { wan: { delete: null }, lan: { read: 6 } } }));
    const [entry] = await protocolsOf(rse);
    expect(entry?.domains).toEqual({
      lan: { ...nothing.lan, read: 6 },
      wan: { ...nothing.wan, read: -3, third_party_copy_read: 9 },
    });
  });

  it('shows a third-party copy under wan, whatever domain it is given in', async () => {
    const rse = await addRse();
    expectCreated(await postProtocol(rse, 'root', { domains: { lan: { third_party_copy_write: 7 } } }));
    expect((await protocolsOf(rse))[0]?.domains).toEqual({
      ...nothing,
      wan: { ...nothing.wan, third_party_copy_write: 7 },
    });
  });

  it.each(['parameter', 'parameters', 'paramaters'])('takes a body inside of `%s` (rses 9.3)', async (wrapper) => {
    const rse = await addRse();
    expectCreated(await root.post(`/rses/${rse}/protocols/root`, { [wrapper]: { impl, port: 5 } }));
    expect((await protocolsOf(rse))[0]?.port).toBe(5);
  });

  it.each([{}, [], '', 0, false, 'text', '{}', 1.5, { web: { a: [true] } }])(
    'keeps extended attributes of %j',
    async (value) => {
      const rse = await addRse();
      expectCreated(await postProtocol(rse, 'root', { extended_attributes: value }));
      expect((await protocolsOf(rse))[0]?.['extended_attributes']).toEqual(value);
    },
  );

  it('keeps any JSON in extended attributes', async () => {
    const rse = await addRse();
    expectCreated(await postProtocol(rse, 'root'));
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        expectEmpty(await root.put(`/rses/${rse}/protocols/root/localhost/0`, { extended_attributes: value }));
        const [entry] = await protocolsOf(rse);
        expect(JSON.stringify(entry?.['extended_attributes'])).toBe(JSON.stringify(value));
      }),
      { numRuns: volumeOf('protocolBodies') },
    );
  });

  it('keeps integers beyond 2^53 in extended attributes', async () => {
    const rse = await addRse();
    const rawBody = `{"impl":"${impl}","extended_attributes":{"big":[9007199254740993,-123456789012345678901234]}}`;
    expectCreated(await root.post(`/rses/${rse}/protocols/root`, undefined, { rawBody }));
    expect((await root.get(`/rses/${rse}/protocols`)).text).toContain(
      '"extended_attributes":{"big":[9007199254740993,-123456789012345678901234]}',
    );
  });

  it.each(['root', 'srm+https', 'a b', 'é', '__proto__', 'a#b'])('takes the scheme %j', async (scheme) => {
    const rse = await addRse();
    expectCreated(await postProtocol(rse, encodeURIComponent(scheme)));
    expect((await protocolsOf(rse))[0]?.scheme).toBe(scheme);
    expectEmpty(await root.delete(`/rses/${rse}/protocols/${encodeURIComponent(scheme)}`));
    expect(await protocolsOf(rse)).toEqual([]);
  });

  it('one with the same scheme, host and port is a Duplicate; one that differs in any of them is not', async () => {
    const rse = await addRse();
    expectCreated(await postProtocol(rse, 'root', { port: 1 }));
    expectError(
      await postProtocol(rse, 'root', { port: 1, prefix: '/other' }),
      409,
      'Duplicate',
      `Protocol 'root' on port 1 already registered for  '${rse}' with hostname 'localhost'.`,
    );
    expectCreated(await postProtocol(rse, 'root', { port: 2 }));
    expectCreated(await postProtocol(rse, 'root', { port: 1, hostname: 'other' }));
    expectCreated(await postProtocol(rse, 'davs', { port: 1 }));
  });

  it.each(['LAN', '', 'all', 'constructor'])('the domain %j is unknown', async (domain) => {
    expectError(
      await postProtocol(await addRse(), 'root', { domains: { [domain]: { read: 1 } } }),
      404,
      'RSEProtocolDomainNotSupported',
      `The protocol domain '${domain}' is not defined in the schema.`,
    );
  });

  it.each(['READ', 'list', 'toString'])('the operation %j is unknown', async (operation) => {
    expectError(
      await postProtocol(await addRse(), 'root', { domains: { lan: { [operation]: 1 } } }),
      404,
      'RSEOperationNotSupported',
      `Operation '${operation}' not defined in schema.`,
    );
  });

  it.each([
    [true, 'True'],
    [-1, '-1'],
    [1.5, '1.5'],
    ['1', '1'],
    [2 ** 31, '2147483648'],
    [[1, 'a', null], "[1, 'a', None]"],
    [{ a: false }, "{'a': False}"],
  ])('the priority %j is invalid', async (priority, shown) => {
    expectError(
      await postProtocol(await addRse(), 'root', { domains: { wan: { third_party_copy_read: priority } } }),
      409,
      'RSEProtocolPriorityError',
      `The provided priority (${shown}) for operation 'third_party_copy_read' in domain 'wan' is not supported.`,
    );
  });

  it('needs an implementation, and for srm a web service', async () => {
    const rse = await addRse();
    expectError(await postProtocol(rse, 'root', { impl: null }), 400, 'InvalidObject', 'Missing values!');
    expectError(await root.post(`/rses/${rse}/protocols/root`, {}), 400, 'InvalidObject', 'Missing values!');
    const message = 'Missing values! For SRM, extended_attributes and web_service_path must be specified';
    for (const value of [undefined, null, {}, { other: 1 }]) {
      expectError(await postProtocol(rse, 'srm', { extended_attributes: value }), 400, 'InvalidObject', message);
    }
    expectCreated(await postProtocol(rse, 'srm', { extended_attributes: { web_service_path: '/srm/managerv2?SFN=' } }));
    expectCreated(await postProtocol(rse, 'SRM'));
  });

  it.each([
    { port: 'x' },
    { port: 1.5 },
    { port: true },
    { port: 3_000_000_000 },
    { hostname: 5 },
    { hostname: 'h'.repeat(256) },
    { prefix: [] },
    { prefix: 'p'.repeat(1025) },
    { impl: 7 },
    { domains: null },
    { domains: [] },
    { domains: { lan: null } },
    { read_wan: '1' },
    { delete_lan: 1.5 },
    { extended_attributes: 'x'.repeat(4000) },
  ])('refuses %j', async (body) => {
    expectError(await postProtocol(await addRse(), 'root', body), 400, 'InvalidObject', /^Problem validating protocol/);
  });

  it('refuses a scheme of more than 255 characters', async () => {
    expectError(await postProtocol(await addRse(), 's'.repeat(256)), 400, 'InvalidObject', /is too long$/);
  });

  it('a body that is not a JSON object is refused before the RSE is read', async () => {
    expectError(
      await root.post('/rses/NONE/protocols/root', undefined, { rawBody: '' }),
      400,
      'ValueError',
      'cannot decode json parameter dictionary',
    );
    expectError(await root.post('/rses/NONE/protocols/root', []), 400, 'TypeError', 'body must be a json dictionary');
  });

  it('an unknown RSE comes before the permission, the permission before the rest', async () => {
    const message = `RSE 'NONE' cannot be found in vo 'def'`;
    expectError(await alice.post('/rses/NONE/protocols/root', { impl }), 404, 'RSENotFound', message);
    const rse = await addRse();
    expectError(
      await alice.post(`/rses/${rse}/protocols/root`, { domains: { x: {} } }),
      401,
      'AccessDenied',
      `Account ${alice.account} can not add protocols to RSE ${rse}. `,
    );
    expectError(await nobody.post(`/rses/${rse}/protocols/root`, {}), 401, 'CannotAuthenticate');
  });

  it('a disabled RSE is not found', async () => {
    const { name, id } = await newDisabledRse();
    expectError(await postProtocol(name, 'root'), 404, 'RSENotFound', `RSE id '${id}' not found`);
  });

  it('20 concurrent ones are all kept', async () => {
    const rse = await addRse();
    const ports = Array.from({ length: 20 }, (_value, index) => index);
    const answers = await Promise.all(ports.map((port) => postProtocol(rse, 'root', { port })));
    expect(answers.map(({ status }) => status)).toEqual(ports.map(() => 201));
    expect((await protocolsOf(rse)).map(({ port }) => port)).toEqual(ports);
  });

  it('of two equal concurrent ones, one is a Duplicate', async () => {
    const rse = await addRse();
    const answers = await Promise.all([postProtocol(rse, 'root'), postProtocol(rse, 'root')]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
  });
});
