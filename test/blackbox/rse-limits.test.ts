import { beforeAll, describe, expect, it } from 'vitest';

import { newRse } from '../support/rses.ts';
import { asRoot, call, type Client, expectCreated, expectEmpty, expectError, newAccount } from '../support/server.ts';

const root = asRoot();
const stream = { headers: { Accept: 'application/x-json-stream' } };
const unknown = "RSE 'NO-SUCH-RSE' cannot be found in vo 'def'";

let alice: Client;
let admin: Client;
beforeAll(async () => {
  [alice, admin] = await Promise.all([newAccount(), newAccount({ admin: true })]);
});

describe('limits of an RSE (rses 1.13 to 1.15)', () => {
  it('are set, shown, changed and deleted one by one; deleting a missing one succeeds', async () => {
    const { name } = await newRse();
    const path = `/rses/${name}/limits`;
    expect((await alice.get(path)).json()).toEqual({});
    expectEmpty(await admin.put(path, { name: 'MinFreeSpace', value: 20000 }));
    expectEmpty(await root.put(path, { name: 'MaxSpaceAvailable', value: -1 }));
    expectEmpty(await root.put(path, { name: 'MinFreeSpace', value: 0 }));
    expect((await alice.get(path)).json()).toEqual({ MinFreeSpace: 0, MaxSpaceAvailable: -1 });
    for (let time = 0; time < 2; time += 1) {
      expectEmpty(await admin.delete(path, { name: 'MinFreeSpace' }));
      expect((await alice.get(path)).json()).toEqual({ MaxSpaceAvailable: -1 });
    }
  });

  it('are all deleted by the name null', async () => {
    const { name } = await newRse();
    const path = `/rses/${name}/limits`;
    for (const limit of ['a', '', '#', 'toString']) expectEmpty(await root.put(path, { name: limit, value: 1 }));
    expectEmpty(await root.delete(path, { name: 'constructor' }));
    expect(Object.keys((await root.get(path)).json() as object)).toHaveLength(4);
    expectEmpty(await root.delete(path, { name: null }));
    expect((await root.get(path)).json()).toEqual({});
    expect((await root.get(`/rses/${name}/attr`)).json()).toEqual({ [name]: true });
    expectEmpty(await root.delete(path, { name: null }));
  });

  it('are exact beyond 2^53, and accepted in a wrapper too (rses 9.3)', async () => {
    const { name } = await newRse();
    const path = `/rses/${name}/limits`;
    for (const value of ['9223372036854775807', '-9223372036854775808', '9007199254740993']) {
      const rawBody = `{"parameters": {"name": "big", "value": ${value}}}`;
      expectEmpty(await root.put(path, undefined, { rawBody }));
      expect((await root.get(path)).text.replaceAll(/\s/g, '')).toBe(`{"big":${value}}`);
    }
  });

  it.each([
    ['"12"', 'InvalidObject', /at value$/],
    ['1.5', 'InvalidObject', /at value$/],
    ['null', 'InvalidObject', /at value$/],
    ['[1]', 'InvalidObject', /at value$/],
    ['9223372036854775808', 'InvalidObject', /at value$/],
  ])('%s is not a valid limit', async (value, exception, message) => {
    const { name } = await newRse();
    const rawBody = `{"name": "x", "value": ${value}}`;
    expectError(await root.put(`/rses/${name}/limits`, undefined, { rawBody }), 400, exception, message);
  });

  it('without name or value, or with a bad one, they are 400', async () => {
    const { name } = await newRse();
    const path = `/rses/${name}/limits`;
    expectError(await root.put(path, { value: 1 }), 400, 'KeyError', "'name' not defined");
    expectError(await root.put(path, { name: 'x' }), 400, 'KeyError', "'value' not defined");
    expectError(await root.put(path, { name: null, value: 1 }), 400, 'InvalidObject');
    expectError(await root.put(path, { name: 'x'.repeat(256), value: 1 }), 400, 'InvalidObject');
    expectError(await root.delete(path, {}), 400, 'KeyError', "'name' not defined");
    expectError(await root.delete(path, { name: 1 }), 400, 'InvalidObject');
    for (const method of ['PUT', 'DELETE']) {
      const send = (body?: unknown) => call(method, path, { as: root, body });
      expectError(await send(), 400, 'ValueError', 'cannot decode json parameter dictionary');
      expectError(await send([1]), 400, 'TypeError', 'body must be a json dictionary');
    }
  });

  it('an unknown RSE is 404 before the permission, which root and admins have', async () => {
    const { name } = await newRse();
    const denial = `Account ${alice.account} can not update RSE limits for RSE ${name}. `;
    for (const [rse, status, exception, message] of [
      ['NO-SUCH-RSE', 404, 'RSENotFound', unknown],
      [name, 401, 'AccessDenied', denial],
    ] as const) {
      const path = `/rses/${rse}/limits`;
      expectError(await alice.put(path, { name: 'x', value: 1 }), status, exception, message);
      expectError(await alice.delete(path, { name: 'x' }), status, exception, message);
    }
    expectError(await alice.get('/rses/NO-SUCH-RSE/limits'), 404, 'RSENotFound', unknown);
    expectError(await alice.get(`/rses/${name}/limits`, stream), 406, 'UnsupportedRequestedContentType');
  });
});

describe('QoS policies of an RSE (rses 1.21 to 1.23)', () => {
  it('are added once, listed by name and deleted; deleting a missing one succeeds', async () => {
    const { name } = await newRse();
    const path = `/rses/${name}/qos_policy`;
    expect((await alice.get(path)).json()).toEqual([]);
    for (const policy of ['FAST', 'CHEAP', 'a%20%23b', 'constructor']) {
      expectCreated(await admin.post(`${path}/${policy}`));
    }
    expect((await alice.get(path)).json()).toEqual(['CHEAP', 'FAST', 'a #b', 'constructor']);
    expectError(await root.post(`${path}/FAST`), 409, 'Duplicate', 'QoS policy FAST already exists!');
    for (let time = 0; time < 2; time += 1) expectEmpty(await admin.delete(`${path}/a%20%23b`));
    expect((await alice.get(path)).json()).toEqual(['CHEAP', 'FAST', 'constructor']);
    expect((await root.get(`/rses/${name}`)).json()).toMatchObject({ qos_class: null });
  });

  it('are refused as Rucio refuses them', async () => {
    const { name } = await newRse();
    const path = `/rses/${name}/qos_policy`;
    expectError(await root.post(`${path}/${'q'.repeat(65)}`), 400, 'InvalidObject', /^Problem validating qos_policy: /);
    for (const answer of [
      await root.get(path, stream),
      await root.post(`${path}/FAST`, undefined, stream),
      await root.delete(`${path}/FAST`, undefined, stream),
    ]) {
      expectError(answer, 406, 'UnsupportedRequestedContentType', /Use \['application\/json'\]\.$/);
    }
    const denial = (what: string) => `Account ${alice.account} cannot ${what} RSE ${name}. `;
    expectError(await alice.post(`${path}/FAST`), 401, 'AccessDenied', denial('add QoS policies to'));
    expectError(await alice.delete(`${path}/FAST`), 401, 'AccessDenied', denial('delete QoS policies from'));
    expectError(await alice.get('/rses/NO-SUCH-RSE/qos_policy'), 404, 'RSENotFound', unknown);
    expectError(await alice.post('/rses/NO-SUCH-RSE/qos_policy/FAST'), 404, 'RSENotFound', unknown);
    expectError(await alice.delete('/rses/NO-SUCH-RSE/qos_policy/FAST'), 404, 'RSENotFound', unknown);
  });
});
