import { setTimeout as sleep } from 'node:timers/promises';

import { beforeAll, describe, expect, it } from 'vitest';

import { newRse } from '../support/rses.ts';
import {
  asRoot,
  type Client,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  newScope,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();
const settings = async (name: string) => (await root.get(`/rses/${name}`)).json() as Record<string, unknown>;
const attributes = async (name: string) => (await root.get(`/rses/${name}/attr/`)).json() as Record<string, unknown>;
const recordOf = async (name: string) =>
  ((await root.get('/rses/')).lines() as Record<string, unknown>[]).find(({ rse }) => rse === name);
const namesOf = async (expression: string) => (await root.get(`/rses/?expression=${expression}`)).lines();

let alice: Client;
let admin: Client;
beforeAll(async () => {
  [alice, admin] = await Promise.all([newAccount(), newAccount({ admin: true })]);
});

describe('PUT /rses/{rse} (rses 1.4)', () => {
  it('changes what it names and nothing else, and answers 201', async () => {
    const { name, id } = await newRse({ city: 'Bern' });
    const change = { volatile: true, rse_type: 'TAPE', staging_area: 1, deterministic: false, qos_class: 'gold' };
    expectCreated(await admin.put(`/rses/${name}`, change));
    expect(await settings(name)).toMatchObject({ ...change, staging_area: true, id, rse: name, availability: 7 });
    expect(await recordOf(name)).toMatchObject({ city: 'Bern', qos_class: 'gold', rse_type: 'TAPE' });
  });

  it('takes the body inside of `parameters` too (rses 9.3)', async () => {
    const { name } = await newRse();
    expectCreated(await root.put(`/rses/${name}`, { parameters: { volatile: true } }));
    expect(await settings(name)).toMatchObject({ volatile: true });
    const message = "The key 'parameters' does not exist for RSE properties.";
    const both = { parameters: { volatile: false }, city: 'x' };
    expectError(await root.put(`/rses/${name}`, both), 400, 'InputValidationError', message);
    expectError(await root.put(`/rses/${name}`, { parameters: 1 }), 400, 'InputValidationError', message);
  });

  it('sets availability by a mask, over which flags win', async () => {
    const { name } = await newRse();
    expectCreated(await root.put(`/rses/${name}`, { availability: 8, availability_write: true }));
    expect((await settings(name))['availability']).toBe(2);
    expectCreated(await root.put(`/rses/${name}`, { availability_read: true }));
    expect((await settings(name))['availability']).toBe(6);
  });

  it.each(['none', 'Null', 'NONE', null])('the QoS class %s is null', async (qos_class) => {
    const { name } = await newRse();
    expectCreated(await root.put(`/rses/${name}`, { qos_class: 'gold' }));
    expectCreated(await root.put(`/rses/${name}`, { qos_class }));
    expect((await settings(name))['qos_class']).toBeNull();
  });

  it('sets the location and the attributes of the same names, null included', async () => {
    const { name } = await newRse({ city: 'Bern', country_name: 'Schweiz' });
    expectCreated(await root.put(`/rses/${name}`, { city: 'Basel', time_zone: 'Europe/Zurich', country_name: null }));
    expectCreated(await root.put(`/rses/${name}`, { latitude: 47.5, continent: 'TRUE'.slice(0, 2) }));
    const places = { city: 'Basel', time_zone: 'Europe/Zurich', country_name: null, continent: 'TR' };
    expect(await attributes(name)).toEqual({ [name]: true, ...places });
    expect(await recordOf(name)).toMatchObject({ ...places, latitude: 47.5 });
  });

  it('a change of the location overwrites an attribute of the same name, but not the other way round', async () => {
    const { name } = await newRse({ city: 'Bern' });
    expectCreated(await root.post(`/rses/${name}/attr/city`, { value: 'Genf' }));
    expect((await recordOf(name))?.['city']).toBe('Bern');
    expectCreated(await root.put(`/rses/${name}`, { city: 'Bern' }));
    expect((await attributes(name))['city']).toBe('Bern');
  });

  it('`updated_at` follows changes of properties, not those of attributes, limits or usage (rses 2.6)', async () => {
    const { name } = await newRse();
    const updatedAt = async () => (await recordOf(name))?.['updated_at'];
    const before = await updatedAt();
    await sleep(1100);
    expectCreated(await root.post(`/rses/${name}/attr/tier`, { value: 1 }));
    expectEmpty(await root.put(`/rses/${name}/limits`, { name: 'MinFreeSpace', value: 1 }));
    expectEmpty(await root.put(`/rses/${name}/usage`, { source: 'storage', used: 1 }));
    expectCreated(await root.put(`/rses/${name}`));
    expectCreated(await root.put(`/rses/${name}`, { volatile: false }));
    expect(await updatedAt()).toBe(before);
    expectCreated(await root.put(`/rses/${name}`, { volatile: true }));
    expect(await updatedAt()).not.toBe(before);
  });

  it('an unknown key is 400 after the permission, and nothing is changed', async () => {
    const { name } = await newRse({ city: 'Bern' });
    for (const key of ['color', 'ISP', 'ASN', 'id', 'constructor', 'toString']) {
      const message = `The key '${key}' does not exist for RSE properties.`;
      expectError(await root.put(`/rses/${name}`, { city: 'x', [key]: 'y' }), 400, 'InputValidationError', message);
    }
    const denial = `Account ${alice.account} can not update RSE. `;
    expectError(await alice.put(`/rses/${name}`, { color: 'red' }), 401, 'AccessDenied', denial);
    expect((await attributes(name))['city']).toBe('Bern');
  });

  it.each([
    [{ rse_type: 'DISC' }, 'Invalid rse_type: DISC'],
    [{ rse_type: null }, 'Invalid rse_type: null'],
    [{ rse_type: { toString: null } }, 'Invalid rse_type: {"toString":null}'],
    [{ volatile: null }, /at volatile$/],
    [{ deterministic: 'x' }, /at deterministic$/],
    [{ availability: null }, /at availability$/],
    [{ availability_read: null }, /at availability_read$/],
    [{ name: null }, /at name$/],
    [{ name: '' }, /at name$/],
    [{ name: 'x'.repeat(256) }, /at name$/],
    [{ qos_class: 'x'.repeat(65) }, /at qos_class$/],
    [{ qos_class: 1 }, /at qos_class$/],
    [{ city: 1 }, /at city$/],
    [{ continent: 'Europe' }, /at continent$/],
    [{ latitude: '1' }, /at latitude$/],
  ])('refuses %j', async (body, message) => {
    const { name } = await newRse();
    expectError(await root.put(`/rses/${name}`, body), 400, 'InvalidObject', message);
  });

  it('refuses a body that is not an object, and an unknown RSE before the permission', async () => {
    const path = `/rses/${uniqueName('NONE')}`;
    const unknown = /^RSE '.*' cannot be found in vo 'def'$/;
    for (const client of [root, alice]) {
      expectError(await client.put(path, { city: 'x' }), 404, 'RSENotFound', unknown);
      expectError(await client.delete(path), 404, 'RSENotFound', unknown);
    }
    expectError(await root.put(path, undefined, { rawBody: 'x' }), 400, 'ValueError');
    expectError(await root.put(path, []), 400, 'TypeError', 'body must be a json dictionary');
  });
});

describe('a new name (rses 1.4, 9.5)', () => {
  it('keeps all dependents of the RSE', async () => {
    const { name, id } = await newRse({ city: 'Rom' });
    expectEmpty(await root.put(`/rses/${name}/limits`, { name: 'MinFreeSpace', value: 5 }));
    expectEmpty(await root.put(`/rses/${name}/usage`, { source: 'storage', used: 7 }));
    expectCreated(await root.post(`/rses/${name}/qos_policy/FAST`));
    expectCreated(await root.post(`/accounts/${alice.account}/limits/local/${name}`, { bytes: 9 }));

    const to = `renamed ${name}#`;
    const path = `/rses/${encodeURIComponent(to)}`;
    expectCreated(await root.put(`/rses/${name}`, { name: to, city: 'Mailand' }));
    expectError(await root.get(`/rses/${name}`), 404, 'RSENotFound', `RSE '${name}' cannot be found in vo 'def'`);
    expect((await root.get(path)).json()).toMatchObject({ id, rse: to });
    expect((await root.get(`${path}/attr/`)).json()).toEqual({ [to]: true, city: 'Mailand' });
    expect((await root.get(`${path}/limits`)).json()).toEqual({ MinFreeSpace: 5 });
    expect((await root.get(`${path}/qos_policy`)).json()).toEqual(['FAST']);
    expect((await root.get(`${path}/usage?source=storage`)).lines()).toMatchObject([{ rse_id: id, rse: to, used: 7 }]);
    expect((await root.get(`/accounts/${alice.account}/limits`)).json()).toEqual({ [to]: 9 });
    expect((await recordOf(to))?.['id']).toBe(id);

    expectCreated(await root.post(`/rses/${name}`));
    expect((await settings(name))['id']).not.toBe(id);
    expectError(await root.put(path, { name }), 409, 'Duplicate', `RSE '${name}' already exists!`);
    expect((await root.get(path)).json()).toMatchObject({ id });
  });

  it('equal to the present one changes nothing; a new one adds the missing attribute', async () => {
    const { name, id } = await newRse();
    expectEmpty(await root.delete(`/rses/${name}/attr/${name}`));
    expectCreated(await root.put(`/rses/${name}`, { name }));
    expect(await attributes(name)).toEqual({});
    expectCreated(await root.put(`/rses/${name}`, { name: `${name}-2` }));
    expect(await attributes(`${name}-2`)).toEqual({ [`${name}-2`]: true });
    expect((await settings(`${name}-2`))['id']).toBe(id);
  });

  it('may be that of an attribute, old and new', async () => {
    const { name } = await newRse({ city: 'Rom' });
    const city = uniqueName('city');
    expectCreated(await root.post(`/rses/${name}/attr/${city}`, { value: 'x' }));
    expectCreated(await root.put(`/rses/${name}`, { name: city }));
    expect(await attributes(city)).toEqual({ [city]: true, city: 'Rom' });
    expectCreated(await root.put(`/rses/${city}`, { name, city: 'Bari' }));
    expect(await attributes(name)).toEqual({ [name]: true, city: 'Bari' });
  });
});

describe('DELETE /rses/{rse} (rses 1.5, 2.7)', () => {
  it('disables: the name stays reserved, and all but the implicit attribute is kept', async () => {
    const { name, id } = await newRse({ city: 'Wien' });
    expectEmpty(await root.put(`/rses/${name}/limits`, { name: 'MinFreeSpace', value: 5 }));
    expectError(
      await alice.delete(`/rses/${name}`),
      401,
      'AccessDenied',
      `Account ${alice.account} can not delete RSE. `,
    );
    expectEmpty(await admin.delete(`/rses/${name}`));

    const disabled = `RSE with id '${id}' cannot be found`;
    expectError(await root.get(`/rses/${name}`), 404, 'RSENotFound', disabled);
    expectError(await root.delete(`/rses/${name}`), 404, 'RSENotFound', disabled);
    const taken = `RSE '${name}' already exists! It is deleted; an import restores it.`;
    expectError(await root.post(`/rses/${name}`), 409, 'Duplicate', taken);
    const other = await newRse();
    expectError(await root.put(`/rses/${other.name}`, { name }), 409, 'Duplicate', taken);
    expectError(await root.get(`/rses/?expression=${name}`), 400, 'InvalidRSEExpression');

    expect(await attributes(name)).toEqual({ city: 'Wien' });
    expect((await root.get(`/rses/${name}/limits`)).json()).toEqual({ MinFreeSpace: 5 });
    expect((await root.get(`/rses/${name}/usage`)).lines()).toMatchObject([{ source: 'rucio', used: 0 }]);
    expectCreated(await root.put(`/rses/${name}`, { city: 'Graz' }));
    expectCreated(await root.post(`/rses/${name}/attr/tier`, { value: 1 }));
    expectCreated(await root.post(`/rses/${name}/qos_policy/FAST`));
    expectEmpty(await root.put(`/rses/${name}/usage`, { source: 'rucio', used: 1 }));
    expect(await attributes(name)).toEqual({ city: 'Graz', tier: '1' });
    expect((await root.get(`/rses/${name}/accounts/usage`)).status).toBe(200);
  });

  it('refuses an RSE whose usage is not zero, or unknown', async () => {
    const { name } = await newRse();
    const usage = (used: number | null) => root.put(`/rses/${name}/usage`, { source: 'rucio', used });
    for (const used of [1, null]) {
      expectEmpty(await usage(used));
      const message = `RSE '${name}' is not empty`;
      expectError(await root.delete(`/rses/${name}`), 404, 'RSEOperationNotSupported', message);
    }
    expect(await namesOf(name)).toEqual([{ rse: name }]);
    expectEmpty(await usage(0));
    expectEmpty(await root.delete(`/rses/${name}`));
  });

  it('refuses an RSE that holds a file, whatever its usage says', async () => {
    const { name } = await newRse();
    const scope = await newScope();
    const dids = [{ scope, name: 'file', bytes: 1, adler32: '0cc737eb' }];
    expect((await root.post(`/dids/${scope}/dataset`, { type: 'DATASET', rse: name, dids })).status).toBe(201);
    expectError(await root.delete(`/rses/${name}`), 404, 'RSEOperationNotSupported', `RSE '${name}' is not empty`);
  });
});
