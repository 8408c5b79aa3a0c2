import { beforeAll, describe, expect, it } from 'vitest';

import { newRse } from '../support/rses.ts';
import {
  type Answer,
  asRoot,
  call,
  type Client,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  nobody,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();

/** A new RSE with its id. */
/** Status and text without blanks, where the token `Infinity` makes JSON unreadable. */
const squeezed = (answer: Answer) => `${answer.status} ${answer.text.replaceAll(/\s/g, '')}`;

let alice: Client;
let admin: Client;
let disk: { name: string; id: string };
let tape: { name: string; id: string };
beforeAll(async () => {
  [alice, admin, disk, tape] = await Promise.all([newAccount(), newAccount({ admin: true }), newRse(), newRse()]);
});

const limits = ({ account }: Client, tail = '') => `/accounts/${account}/limits${tail}`;
const usage = ({ account }: Client, tail = '') => `/accounts/${account}/usage${tail}`;

describe('account limits on RSEs (access 2.4)', () => {
  it('are set, shown, changed and deleted; deleting a missing one succeeds', async () => {
    const bob = await newAccount();
    const path = limits(bob, `/local/${disk.name}`);
    expect((await bob.get(path)).json()).toEqual({ [disk.name]: null });
    expectCreated(await root.post(path, { bytes: 1000 }));
    expectCreated(await root.post(path, { bytes: 2000 }));
    expectCreated(await root.post(limits(bob, `/local/${tape.name}`), { bytes: 0 }));
    for (const tail of ['', '/', '/local', '/local/']) {
      expect((await bob.get(limits(bob, tail))).json()).toEqual({ [disk.name]: 2000, [tape.name]: 0 });
    }
    for (const tail of ['', '/local']) {
      const answer = await alice.get(limits(bob, `${tail}/${disk.name}`));
      expect(answer.headers.get('Content-Type')).toBe('application/json');
      expect(answer.json()).toEqual({ [disk.name]: 2000 });
    }
    expectEmpty(await root.delete(path));
    expectEmpty(await root.delete(path));
    expect((await bob.get(limits(bob))).json()).toEqual({ [tape.name]: 0 });
  });

  it('-1 is no limit and reads as the bare token Infinity', async () => {
    const bob = await newAccount();
    expectCreated(await root.post(limits(bob, `/local/${disk.name}`), { bytes: -1 }));
    expect(squeezed(await bob.get(limits(bob)))).toBe(`200 {"${disk.name}":Infinity}`);
    expect(squeezed(await bob.get(usage(bob)))).toBe(
      `200 {"rse_id":"${disk.id}","rse":"${disk.name}","bytes":0,"files":0,"bytes_limit":Infinity,"bytes_remaining":Infinity}`,
    );
  });

  it('are exact beyond 2^53', async () => {
    const bob = await newAccount();
    const rawBody = '{"bytes": 9223372036854775807}';
    expectCreated(await root.post(limits(bob, `/local/${disk.name}`), undefined, { rawBody }));
    expect(squeezed(await bob.get(limits(bob)))).toBe(`200 {"${disk.name}":9223372036854775807}`);
    expect((await bob.get(usage(bob))).text).toMatch(/"bytes_remaining": ?9223372036854775807/);
  });

  it.each([
    ['a text', '{"bytes": "12"}'],
    ['a fraction', '{"bytes": 1.5}'],
    ['null', '{"bytes": null}'],
    ['less than -1', '{"bytes": -2}'],
    ['more than 2^63-1', '{"bytes": 9223372036854775808}'],
    ['a list', '{"bytes": [1]}'],
  ])('%s is no number of bytes: 400 ValueError', async (_what, rawBody) => {
    for (const tail of [`/local/${disk.name}`, `/global/${disk.name}`]) {
      expectError(await root.post(limits(alice, tail), undefined, { rawBody }), 400, 'ValueError');
    }
  });

  it('a body without bytes is 400 KeyError, no body 400 ValueError', async () => {
    const path = limits(alice, `/local/${disk.name}`);
    expectError(await root.post(path, {}), 400, 'KeyError', "'bytes' not defined");
    expectError(await root.post(path), 400, 'ValueError', 'cannot decode json parameter dictionary');
  });

  it('an unknown RSE or an invalid name is 404 before the permission is checked', async () => {
    for (const name of ['NO-SUCH-RSE', 'a%23b', 'x'.repeat(2000)]) {
      const message = `RSE '${decodeURIComponent(name)}' cannot be found in vo 'def'`;
      const path = limits(alice, `/local/${name}`);
      expectError(await alice.get(path), 404, 'RSENotFound', message);
      expectError(await alice.post(path, { bytes: 1 }), 404, 'RSENotFound', message);
      expectError(await alice.delete(path), 404, 'RSENotFound', message);
      expectError(await root.get(usage(alice, `/${name}`)), 404, 'RSENotFound', message);
      expectError(await root.get(usage(alice, `/history/${name}`)), 404, 'RSENotFound', message);
    }
  });

  it('an unknown, suspended or deleted account is 404', async () => {
    const [suspended, deleted] = [await newAccount(), await newAccount()];
    expectEmpty(await root.put(`/accounts/${suspended.account}`, { status: 'SUSPENDED' }));
    expectEmpty(await root.delete(`/accounts/${deleted.account}`));
    for (const account of [suspended.account, deleted.account, uniqueName(), 'a%23b']) {
      const message = `Account ${decodeURIComponent(account)} does not exist`;
      const base = `/accounts/${account}`;
      for (const path of ['/limits', `/limits/local/${disk.name}`, '/limits/global', `/limits/global/${disk.name}`]) {
        expectError(await root.get(base + path), 404, 'AccountNotFound', message);
      }
      for (const path of ['/usage', `/usage/${disk.name}`, '/usage/global', `/usage/global/${disk.name}`]) {
        expectError(await root.get(base + path), 404, 'AccountNotFound', message);
      }
      for (const path of [`/limits/local/${disk.name}`, `/limits/global/${disk.name}`]) {
        expectError(await root.post(base + path, { bytes: 1 }), 404, 'AccountNotFound', message);
        expectError(await root.delete(base + path), 404, 'AccountNotFound', message);
      }
      expect((await root.get(`${base}/usage/history/${disk.name}`)).json()).toEqual([]);
    }
  });

  it('concurrent changes are all kept', async () => {
    const bob = await newAccount();
    const path = limits(bob, `/local/${disk.name}`);
    const answers = await Promise.all(Array.from({ length: 8 }, (_value, bytes) => root.post(path, { bytes })));
    for (const answer of answers) expectCreated(answer);
    const { [disk.name]: bytes } = (await bob.get(path)).json() as Record<string, number>;
    expect(bytes).toBeLessThan(8);
  });
});

describe('account limits on expressions (access 2.4)', () => {
  it.each(['((', 'NO-SUCH-RSE', 'é', '%', 'a#b', 'tier=nowhere', 'x'.repeat(2000)])(
    'are refused on %j, which is wrong or names no RSE',
    async (expression) => {
      const path = limits(alice, `/global/${encodeURIComponent(expression)}`);
      expectError(await root.post(path, { bytes: 1 }), 400, 'InvalidRSEExpression');
      expect((await alice.get(path)).json()).toEqual({ [expression]: null });
      expectEmpty(await root.delete(path));
    },
  );

  it('are kept by their exact text, whatever it is', async () => {
    const bob = await newAccount();
    const expressions = [disk.name, `(${disk.name})`, `${disk.name}|no=where`, `${tape.name}|${disk.name}`, '*'];
    for (const [bytes, expression] of expressions.entries()) {
      const path = limits(bob, `/global/${encodeURIComponent(expression)}`);
      expect((await bob.get(path)).json()).toEqual({ [expression]: null });
      expectCreated(await root.post(path, { bytes }));
      expect((await bob.get(path)).json()).toEqual({ [expression]: bytes });
    }
    const all = (await bob.get(limits(bob, '/global'))).json() as Record<string, unknown>;
    expect(Object.keys(all).toSorted()).toEqual(expressions.toSorted());
    for (const expression of expressions) {
      expectEmpty(await root.delete(limits(bob, `/global/${encodeURIComponent(expression)}`)));
    }
    expect((await bob.get(limits(bob, '/global'))).json()).toEqual({});
  });

  it('one of more than 3000 characters is 400', async () => {
    const answer = await root.post(limits(alice, `/global/${'x'.repeat(3001)}`), { bytes: 1 });
    expectError(answer, 400, 'InvalidObject');
  });

  it('show the RSEs that they match now; one that matches none does not fail the others', async () => {
    const bob = await newAccount();
    expectCreated(await root.post(limits(bob, `/global/${disk.name}`), { bytes: 7 }));
    const attribute = `/rses/${disk.name}/attr/passing`;
    expectCreated(await root.post(attribute, { value: 'yes' }));
    expectCreated(await root.post(limits(bob, '/global/passing=yes'), { bytes: 8 }));
    expectEmpty(await root.delete(attribute));
    expect((await bob.get(limits(bob, '/global'))).json()).toEqual({
      [disk.name]: { resolved_rses: [disk.name], resolved_rse_ids: [disk.id], limit: 7 },
      'passing=yes': { resolved_rses: [], resolved_rse_ids: [], limit: 8 },
    });
    const line = (rse_expression: string, limit: number) => ({
      rse_expression,
      bytes: 0,
      files: 0,
      bytes_limit: limit,
      bytes_remaining: limit,
    });
    const lines = [line(disk.name, 7), line('passing=yes', 8)];
    expect((await bob.get(usage(bob, '/global'))).lines()).toEqual(
      lines.toSorted((a, b) => (a.rse_expression < b.rse_expression ? -1 : 1)),
    );
    expect((await bob.get(usage(bob, `/global/${disk.name}`))).lines()).toEqual([line(disk.name, 7)]);
    expect((await bob.get(usage(bob, `/global/${tape.name}`))).lines()).toEqual([line(tape.name, 0)]);
  });

  it('`*` is all RSEs', async () => {
    const bob = await newAccount();
    expectCreated(await root.post(limits(bob, '/global/*'), { bytes: -1 }));
    const answer = await bob.get(limits(bob, '/global/'));
    const { '*': all } = JSON.parse(answer.text.replace('Infinity', '"Infinity"')) as Record<
      string,
      { resolved_rses: string[]; resolved_rse_ids: string[]; limit: unknown }
    >;
    expect(all?.limit).toBe('Infinity');
    expect(all?.resolved_rses).toEqual(expect.arrayContaining([disk.name, tape.name]));
    expect(all?.resolved_rse_ids[all.resolved_rses.indexOf(disk.name)]).toBe(disk.id);
  });

  it('the usage of an expression about no RSE is 400 InvalidRSEExpression', async () => {
    const answer = await alice.get(usage(alice, '/global/NO-SUCH-RSE'));
    expectError(answer, 400, 'InvalidRSEExpression', 'RSE Expression resulted in an empty set.');
    expectError(await alice.get(usage(alice, '/global/((')), 400, 'InvalidRSEExpression');
  });
});

describe('account usage (access 2.4)', () => {
  it('is a line for each RSE with a limit, by name, and none for an RSE without', async () => {
    const bob = await newAccount();
    expect((await bob.get(usage(bob))).text).toBe('');
    expectCreated(await root.post(limits(bob, `/local/${disk.name}`), { bytes: 5 }));
    expectCreated(await root.post(limits(bob, `/local/${tape.name}`), { bytes: 6 }));
    const line = ({ name, id }: { name: string; id: string }, limit: number) => ({
      rse_id: id,
      rse: name,
      bytes: 0,
      files: 0,
      bytes_limit: limit,
      bytes_remaining: limit,
    });
    const lines = [line(disk, 5), line(tape, 6)].toSorted((a, b) => (a.rse < b.rse ? -1 : 1));
    for (const tail of ['', '/', '/local', '/local/']) {
      const answer = await bob.get(usage(bob, tail));
      expect(answer.headers.get('Content-Type')).toBe('application/x-json-stream');
      expect(answer.lines()).toEqual(lines);
    }
    for (const tail of ['', '/local']) {
      expect((await bob.get(usage(bob, `${tail}/${disk.name}`))).lines()).toEqual([line(disk, 5)]);
    }
    const other = await newRse();
    expect((await bob.get(usage(bob, `/local/${other.name}`))).text).toBe('');
  });

  it('an Accept that does not cover it is 406', async () => {
    const json = { headers: { Accept: 'application/json' } };
    const stream = { headers: { Accept: 'application/x-json-stream' } };
    const error = 'UnsupportedRequestedContentType';
    expectError(await alice.get(usage(alice), json), 406, error);
    expectError(await alice.get(usage(alice, '/global'), json), 406, error);
    expectError(await alice.get(limits(alice), stream), 406, error);
    expectError(await alice.get(usage(alice, `/history/${disk.name}`), stream), 406, error);
  });
});

describe('account limits and usage: who may (access 5.3)', () => {
  it('limits are set by root and admins only', async () => {
    const denial = (what: string) => `Account ${alice.account} can not ${what}. `;
    const local = limits(alice, `/local/${disk.name}`);
    const global = limits(alice, `/global/${disk.name}`);
    expectError(await alice.post(local, { bytes: 1 }), 401, 'AccessDenied', denial('set account limits'));
    expectError(await alice.delete(local), 401, 'AccessDenied', denial('delete account limits'));
    expectError(await alice.post(global, { bytes: 1 }), 401, 'AccessDenied', denial('set account limits'));
    expectError(await alice.delete(global), 401, 'AccessDenied', denial('delete global account limits'));
    for (const path of [local, global]) {
      expectCreated(await admin.post(path, { bytes: 1 }));
      expectEmpty(await admin.delete(path));
    }
  });

  it('usage is shown to the account itself, root, admins and country admins', async () => {
    const bob = await newAccount();
    expectCreated(await root.post(`/accounts/${bob.account}/attr/country-no`, { value: 'admin' }));
    for (const tail of ['', `/${disk.name}`, '/global', `/global/${disk.name}`]) {
      const what = tail.startsWith('/global') ? 'global account usage' : 'account usage';
      const message = `Account ${alice.account} can not list ${what}. `;
      expectError(await alice.get(usage(bob, tail)), 401, 'AccessDenied', message);
      for (const client of [alice, root, admin, bob]) expect((await client.get(usage(alice, tail))).status).toBe(200);
    }
  });

  it('every route needs a token', async () => {
    for (const path of [limits(alice), usage(alice), limits(alice, '/global')]) {
      expectError(await nobody.get(path), 401, 'CannotAuthenticate', 'Token must be set.');
    }
  });
});

describe('account limits in the spelling of old clients (access 2.4)', () => {
  it('are set and deleted, but not read', async () => {
    const { account } = await newAccount();
    const shown = async (tail: string) => (await root.get(`/accounts/${account}/limits${tail}`)).json();
    for (const prefix of ['/accountlimits/', '/accountlimits/local/']) {
      expectCreated(await root.post(`${prefix}${account}/${disk.name}`, { bytes: 3 }));
      expect(await shown('')).toEqual({ [disk.name]: 3 });
      expectError(await alice.delete(`${prefix}${account}/${disk.name}`), 401, 'AccessDenied');
      expectEmpty(await root.delete(`${prefix}${account}/${disk.name}`));
      expect(await shown('')).toEqual({});
    }
    expectCreated(await root.post(`/accountlimits/global/${account}/${disk.name}`, { bytes: 4 }));
    expect(await shown(`/global/${disk.name}`)).toEqual({ [disk.name]: 4 });
    expectEmpty(await root.delete(`/accountlimits/global/${account}/${disk.name}`));
    expect(await shown('/global')).toEqual({});
    const read = await call('GET', `/accountlimits/${account}/${disk.name}`, { as: root });
    expectError(read, 405, 'MethodNotAllowed');
    expect(read.headers.get('Allow')).toBe('POST, DELETE, OPTIONS');
  });
});
