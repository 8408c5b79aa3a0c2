import { beforeAll, describe, expect, it } from 'vitest';

import {
  asRoot,
  call,
  type Client,
  expectCreated,
  expectError,
  newAccount,
  nobody,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();
const impl = 'rucio.rse.protocols.mock.Default';
const newName = () => uniqueName('RSE').toUpperCase();

let alice: Client;
let admin: Client;
beforeAll(async () => {
  [alice, admin] = await Promise.all([newAccount(), newAccount({ admin: true })]);
});

/** The part of the export about some RSEs. */
async function exported(names: readonly string[]): Promise<Record<string, { attributes: unknown }>> {
  const { rses } = (await root.get('/export?distance=false')).json() as {
    rses: Record<string, { attributes: unknown }>;
  };
  return Object.fromEntries(Object.entries(rses).filter(([name]) => names.includes(name)));
}

describe('a refused import changes nothing (rses 1.30)', () => {
  const known = newName();
  beforeAll(async () => {
    expectCreated(await root.post('/import', { rses: { [known]: {} } }));
  });
  const protocol = (more: object) => ({ scheme: 'mock', hostname: 'x', port: 1, impl, ...more });

  const documents: [string, Record<string, unknown>, number, string][] = [
    ['RSEs as a list', { rses: [] }, 400, 'InvalidObject'],
    ['RSEs as null', { rses: null }, 400, 'InvalidObject'],
    ['an RSE as a text', { rses: { [known]: 'x' } }, 400, 'InvalidObject'],
    ['an RSE as null', { rses: { [known]: null } }, 400, 'InvalidObject'],
    ['no name', { rses: { '': {} } }, 400, 'InvalidObject'],
    ['too long a name', { rses: { ['x'.repeat(256)]: {} } }, 400, 'InvalidObject'],
    ['too long a new name', { rses: { [known]: { name: 'x'.repeat(256) } } }, 400, 'InvalidObject'],
    ['a type that is none', { rses: { [known]: { rse_type: 'PAPER' } } }, 400, 'InvalidObject'],
    ['a boolean in words', { rses: { [known]: { volatile: 'maybe' } } }, 400, 'InvalidObject'],
    ['a limit in words', { rses: { [known]: { MinFreeSpace: 'much' } } }, 400, 'InvalidObject'],
    ['an attribute as a list', { rses: { [known]: { attributes: { tier: [1] } } } }, 400, 'InvalidObject'],
    ['attributes as a list', { rses: { [known]: { attributes: [] } } }, 400, 'InvalidObject'],
    ['too long a key', { rses: { [known]: { attributes: { ['k'.repeat(256)]: 1 } } } }, 400, 'InvalidObject'],
    ['too long a value', { rses: { [known]: { attributes: { tier: 'v'.repeat(256) } } } }, 400, 'InvalidObject'],
    ['protocols as an object', { rses: { [known]: { protocols: {} } } }, 400, 'InvalidObject'],
    [
      'a protocol without a port',
      { rses: { [known]: { protocols: [protocol({ port: null })] } } },
      400,
      'InvalidObject',
    ],
    ['a protocol without impl', { rses: { [known]: { protocols: [protocol({ impl: null })] } } }, 400, 'InvalidObject'],
    ['a protocol twice', { rses: { [known]: { protocols: [protocol({}), protocol({})] } } }, 409, 'Duplicate'],
    [
      'a domain that is none',
      { rses: { [known]: { protocols: [protocol({ domains: { sea: {} } })] } } },
      404,
      'RSEProtocolDomainNotSupported',
    ],
    [
      'an unknown operation',
      { rses: { [known]: { protocols: [protocol({ domains: { lan: { fly: 1 } } })] } } },
      404,
      'RSEOperationNotSupported',
    ],
    [
      'a priority that is none',
      { rses: { [known]: { protocols: [protocol({ domains: { lan: { read: -1 } } })] } } },
      409,
      'RSEProtocolPriorityError',
    ],
    ['distances as a list', { distances: [] }, 400, 'InvalidObject'],
    ['distances of an RSE as a list', { distances: { [known]: [] } }, 400, 'InvalidObject'],
    ['a distance in words', { distances: { [known]: { [known]: { distance: 'far' } } } }, 400, 'InvalidObject'],
    ['a distance as a number', { distances: { [known]: { [known]: 3 } } }, 400, 'InvalidObject'],
    ['a distance from nowhere', { distances: { NOPE: { [known]: { distance: 1 } } } }, 404, 'RSENotFound'],
    ['a distance to nowhere', { distances: { [known]: { NOPE: { distance: 1 } } } }, 404, 'RSENotFound'],
    ['accounts as an object', { accounts: {} }, 400, 'InvalidObject'],
    ['accounts as null', { accounts: null }, 400, 'InvalidObject'],
    ['an account without an address', { accounts: [{ account: 'nobody-yet' }] }, 400, 'InvalidObject'],
    ['an account of no name', { accounts: [{ account: 'Not A Name', email: null }] }, 400, 'InvalidObject'],
    [
      'an identity of no type',
      { accounts: [{ account: 'nobody-yet', email: null, identities: [{ type: 'PALM', identity: 'x' }] }] },
      400,
      'ValueError',
    ],
  ];

  it.each(documents)('%s', async (_what, document, status, exceptionClass) => {
    const fresh = newName();
    const body = { rses: { [fresh]: { city: 'Oslo' } }, ...document };
    expectError(await root.post('/import', body), status, exceptionClass);
    const all = await exported([fresh, known]);
    expect(Object.keys(all)).toEqual([known]);
    expect(all[known]).toMatchObject({ attributes: { [known]: true }, protocols: [], MinFreeSpace: null });
  });

  it('names of properties of every object', async () => {
    const rawBody = (of: string) => of.replaceAll('KNOWN', known);
    for (const body of [
      '{"rses":{"__proto__":{}}}',
      '{"rses":{"KNOWN":{"attributes":{"__proto__":1}}}}',
      '{"distances":{"__proto__":{}}}',
      '{"distances":{"KNOWN":{"__proto__":{}}}}',
    ]) {
      const answer = await call('POST', '/import', { as: root, rawBody: rawBody(body) });
      expectError(answer, 400, 'InvalidObject', /__proto__/);
    }
    const odd = `constructor/${newName()}#%`;
    expectCreated(await root.post('/import', { rses: { [odd]: { attributes: { constructor: 'x', 'a#b\n': 1 } } } }));
    expect((await exported([odd]))[odd]?.attributes).toEqual({ [odd]: true, constructor: 'x', 'a#b\n': '1' });
  });

  it('invalid bodies', async () => {
    expectError(await root.post('/import'), 400, 'ValueError', 'cannot decode json parameter dictionary');
    expectError(await root.post('/import', []), 400, 'TypeError', 'body must be a json dictionary');
  });

  it('other callers than admins; `{}` changes nothing', async () => {
    const message = `Account ${alice.account} can not import data. `;
    expectError(await alice.post('/import', {}), 401, 'AccessDenied', message);
    expectError(await nobody.post('/import', {}), 401, 'CannotAuthenticate', 'Token must be set.');
    for (const body of [{}, { rses: {}, distances: {}, accounts: [] }])
      expectCreated(await admin.post('/import', body));
  });
});
