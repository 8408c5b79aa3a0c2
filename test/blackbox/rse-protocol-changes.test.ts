import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { addRse, type ListedProtocol, newDisabledRse, postProtocol, protocolsOf } from '../support/rses.ts';
import { asRoot, type Client, expectCreated, expectEmpty, expectError, newAccount } from '../support/server.ts';

const root = asRoot();
let alice: Client;
let rse: string;

beforeAll(async () => {
  alice = await newAccount();
});

beforeEach(async () => {
  rse = await addRse();
});

async function add(scheme: string, body: object = {}): Promise<void> {
  expectCreated(await postProtocol(rse, scheme, body));
}

const put = (path: string, body: object = {}) => root.put(`/rses/${rse}/protocols/${path}`, body);
const remove = (path: string) => root.delete(`/rses/${rse}/protocols/${path}`);

const keysOf = (list: readonly ListedProtocol[]) =>
  list.map(({ hostname, scheme, port }) => `${hostname} ${scheme} ${port}`);

describe('GET /rses/{rse}/protocols (rses 1.16)', () => {
  it('lists them by hostname, scheme and port, whatever the query', async () => {
    await add('root', { hostname: 'b', port: 10 });
    await add('root', { hostname: 'b', port: 9 });
    await add('davs', { hostname: 'b', port: 11 });
    await add('root', { hostname: 'a', port: 12 });
    const answer = await root.get(`/rses/${rse}/protocols?protocol_domain=lan&operation=read&default=true&scheme=davs`);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(keysOf(answer.json() as ListedProtocol[])).toEqual(['a root 12', 'b davs 11', 'b root 9', 'b root 10']);
  });

  it('without any is 404', async () => {
    const message = 'No protocols found for this RSE';
    expectError(await root.get(`/rses/${rse}/protocols`), 404, 'RSEProtocolNotSupported', message);
  });

  it.each(['', '/root'])('protocols%s of an unknown or disabled RSE are 404; other media types 406', async (tail) => {
    const { name, id } = await newDisabledRse();
    expectError(
      await root.get(`/rses/NONE/protocols${tail}`),
      404,
      'RSENotFound',
      `RSE 'NONE' cannot be found in vo 'def'`,
    );
    expectError(
      await root.get(`/rses/${name}/protocols${tail}`),
      404,
      'RSENotFound',
      `RSE with id '${id}' cannot be found`,
    );
    expectError(
      await root.get(`/rses/${rse}/protocols${tail}`, { headers: { Accept: 'application/x-json-stream' } }),
      406,
      'UnsupportedRequestedContentType',
    );
  });
});

describe('GET /rses/{rse}/protocols/{scheme} (rses 1.17)', () => {
  it('is the settings of the RSE with all protocols, without the availability', async () => {
    await add('root');
    await add('davs');
    const settings = (await root.get(`/rses/${rse}`)).json() as Record<string, unknown>;
    delete settings['availability'];
    expect(settings['protocols']).toHaveLength(2);
    for (const scheme of ['root', 'unknown']) {
      expect((await alice.get(`/rses/${rse}/protocols/${scheme}`)).json()).toEqual(settings);
    }
  });

  it('of an RSE without protocols is 200', async () => {
    expect(await protocolsOf(rse)).toEqual([]);
  });
});

describe('PUT /rses/{rse}/protocols/{scheme}/{hostname}/{port} (rses 1.19)', () => {
  it('changes what it names and nothing else', async () => {
    const domains = { lan: { read: 1 }, wan: { read: 2, write: 3 } };
    await add('root', { hostname: 'h', port: 1, prefix: '/p', domains, extended_attributes: { a: 1, b: 2 } });
    await add('davs', { hostname: 'h', port: 1 });
    const [other, before] = await protocolsOf(rse);
    expectEmpty(await put('root/h/1'));
    expect(await protocolsOf(rse)).toEqual([other, before]);

    expectEmpty(await put('root/h/1', { prefix: '/q', domains: { wan: { read: null, delete: 0 } }, delete_lan: 4 }));
    expectEmpty(await put('root/h/1', { extended_attributes: { c: 3 }, impl: 'other.Thing', colour: 1 }));
    const wan = { read: null, write: 3, delete: 0, third_party_copy_read: null, third_party_copy_write: null };
    const after = {
      ...before,
      prefix: '/q',
      impl: 'other.Thing',
      domains: { lan: { read: 1, write: null, delete: 4 }, wan },
      extended_attributes: { c: 3 },
    };
    expect(await protocolsOf(rse)).toEqual([other, after]);

    expectEmpty(await put('root/h/1', { prefix: null, extended_attributes: null }));
    expect(await protocolsOf(rse)).toEqual([other, { ...after, prefix: '', extended_attributes: null }]);
  });

  it('swaps priorities by two requests, as Rucio’s client does', async () => {
    await add('root', { domains: { wan: { read: 1 } } });
    await add('davs', { domains: { wan: { read: 2 } } });
    expectEmpty(await put('root/localhost/0', { domains: { wan: { read: 2 } } }));
    expectEmpty(await put('davs/localhost/0', { domains: { wan: { read: 1 } } }));
    expect((await protocolsOf(rse)).map(({ domains }) => domains.wan['read'])).toEqual([1, 2]);
  });

  it('takes a body inside of `paramaters` (rses 9.3)', async () => {
    await add('root');
    expectEmpty(await put('root/localhost/0', { paramaters: { prefix: '/x' } }));
    expect((await protocolsOf(rse))[0]?.['prefix']).toBe('/x');
  });

  it('leaves scheme, hostname and port as they are, and applies the rest (rses 3.4)', async () => {
    await add('root', { port: 1 });
    expectEmpty(await put('root/localhost/1', { scheme: 'davs', hostname: 'h', port: 2, prefix: '/x' }));
    expectEmpty(await put('root/localhost/1', { scheme: null, hostname: null, port: null }));
    expect(await protocolsOf(rse)).toMatchObject([{ scheme: 'root', hostname: 'localhost', port: 1, prefix: '/x' }]);
  });

  it('with the key of another one it is a Duplicate', async () => {
    await add('root', { port: 1 });
    await add('root', { port: 2 });
    expectError(
      await put('root/localhost/1', { port: 2, prefix: '/x' }),
      409,
      'Duplicate',
      `Protocol 'root' on port 1 already registered for  '${rse}' with hostname 'localhost'.`,
    );
    expectEmpty(await put('root/localhost/1', { port: 1 }));
  });

  it('of a missing one is 404; missing parts are None', async () => {
    await add('root', { port: 1 });
    const message = (hostname: string, port: string) =>
      `RSE '${rse}' does not support protocol 'root' for hostname '${hostname}' on port '${port}'`;
    expectError(await put('root'), 404, 'RSEProtocolNotSupported', message('None', 'None'));
    expectError(await put('root/localhost'), 404, 'RSEProtocolNotSupported', message('localhost', 'None'));
    expectError(await put('root/localhost/2'), 404, 'RSEProtocolNotSupported', message('localhost', '2'));
    expectError(await put('root/localhost/x'), 404, 'RSEProtocolNotSupported', message('localhost', 'x'));
    expectError(await put('root/other/1'), 404, 'RSEProtocolNotSupported', message('other', '1'));
    expectEmpty(await put('root/localhost/01'));
  });

  it('checks domains, operations, priorities and the implementation as the creation does', async () => {
    await add('root');
    const path = 'root/localhost/0';
    expectError(await put(path, { domains: { LAN: {} } }), 404, 'RSEProtocolDomainNotSupported');
    expectError(await put(path, { domains: { lan: { list: 1 } } }), 404, 'RSEOperationNotSupported');
    expectError(await put(path, { domains: { lan: { read: -1 } } }), 409, 'RSEProtocolPriorityError');
    expectError(await put(path, { impl: null }), 400, 'InvalidObject', 'Missing values!');
    expectError(await put(path, { port: 'x' }), 400, 'InvalidObject');
    expectError(await put(path, { extended_attributes: 'x'.repeat(4000) }), 400, 'InvalidObject');
    expectError(await put('davs/localhost/0', { domains: { LAN: {} } }), 404, 'RSEProtocolDomainNotSupported');
    expectError(
      await root.put(`/rses/${rse}/protocols/${path}`, undefined, { rawBody: '{' }),
      400,
      'ValueError',
      'cannot decode json parameter dictionary',
    );
  });

  it('of an unknown RSE is 404 before the permission is checked; of a disabled one after it', async () => {
    const { name, id } = await newDisabledRse();
    expectError(
      await alice.put('/rses/NONE/protocols/root/h/1', {}),
      404,
      'RSENotFound',
      /^RSE 'NONE' cannot be found/,
    );
    expectError(
      await alice.put(`/rses/${name}/protocols/root/h/1`, {}),
      401,
      'AccessDenied',
      `Account ${alice.account} can not update protocols from RSE ${name}. `,
    );
    expectError(
      await root.put(`/rses/${name}/protocols/root/h/1`, {}),
      404,
      'RSENotFound',
      `RSE with id '${id}' not found`,
    );
  });
});

describe('DELETE /rses/{rse}/protocols/{scheme}[/{hostname}[/{port}]] (rses 1.20)', () => {
  beforeEach(async () => {
    await add('root', { hostname: 'a', port: 1 });
    await add('root', { hostname: 'a', port: 2 });
    await add('root', { hostname: 'b', port: 1 });
    await add('davs', { hostname: 'a', port: 1 });
  });

  it.each([
    ['root', ['a davs 1']],
    ['root/a', ['a davs 1', 'b root 1']],
    ['root/a/1', ['a davs 1', 'a root 2', 'b root 1']],
  ])('of %s removes what matches', async (path, left) => {
    expectEmpty(await remove(path));
    expect(keysOf(await protocolsOf(rse))).toEqual(left);
  });

  it('of a missing one is 404, and names the key', async () => {
    const begin = `RSE '${rse}' does not support protocol`;
    const missing = async (path: string, message: string) =>
      expectError(await remove(path), 404, 'RSEProtocolNotSupported', begin + message);
    await missing('srm', ` 'srm'`);
    await missing('root/c', ` 'root' for hostname 'c'`);
    await missing('root/a/3', ` 'root' for hostname 'a' on port '3'`);
    await missing('root/a/x', ` 'root' for hostname 'a' on port 'x'`);
    await missing('davs/a/2', ` 'davs' for hostname 'a' on port '2'`);
    expect(await protocolsOf(rse)).toHaveLength(4);
  });

  it('frees the key', async () => {
    expectEmpty(await remove('root/a/1'));
    await add('root', { hostname: 'a', port: 1, prefix: '/again' });
    expect((await protocolsOf(rse)).map(({ prefix }) => prefix)).toEqual(['', '/again', '', '']);
  });

  it('fails for an unknown or disabled RSE, and without the permission', async () => {
    const { name, id } = await newDisabledRse();
    expectError(await alice.delete('/rses/NONE/protocols/root'), 404, 'RSENotFound', /^RSE 'NONE' cannot be found/);
    for (const path of ['root', 'root/a', 'root/a/1']) {
      expectError(
        await alice.delete(`/rses/${rse}/protocols/${path}`),
        401,
        'AccessDenied',
        `Account ${alice.account} can not delete protocols from RSE ${rse}. `,
      );
      expectError(await root.delete(`/rses/${name}/protocols/${path}`), 404, 'RSENotFound', `RSE '${id}' not found`);
    }
  });
});
