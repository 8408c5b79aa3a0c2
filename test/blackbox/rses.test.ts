import { beforeAll, describe, expect, it } from 'vitest';

import { newRse } from '../support/rses.ts';
import {
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
const newName = () => uniqueName('rse').toUpperCase();
const settings = async (name: string) => (await root.get(`/rses/${name}`)).json() as Record<string, unknown>;
const attributes = async (name: string) => (await root.get(`/rses/${name}/attr/`)).json() as Record<string, unknown>;
const records = async () => (await root.get('/rses/')).lines() as Record<string, unknown>[];
const recordOf = async (name: string) => (await records()).find(({ rse }) => rse === name);

let alice: Client;
let admin: Client;
beforeAll(async () => {
  [alice, admin] = await Promise.all([newAccount(), newAccount({ admin: true })]);
});

describe('creation of an RSE (rses 1.2)', () => {
  it('without a body gives every property its default', async () => {
    const { name, id } = await newRse();
    expect(await settings(name)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      rse: name,
      rse_type: 'DISK',
      deterministic: true,
      volatile: false,
      staging_area: false,
      availability: 7,
      availability_read: true,
      availability_write: true,
      availability_delete: true,
      qos_class: null,
      credentials: null,
      domain: ['lan', 'wan'],
      lfn2pfn_algorithm: 'hash',
      verify_checksum: true,
      sign_url: null,
      protocols: [],
    });
    expect(await attributes(name)).toEqual({ [name]: true });
    expect((await root.get(`/rses/${name}/usage`)).lines()).toMatchObject([
      { rse_id: id, rse: name, source: 'rucio', used: 0, free: null, files: 0, total: 0 },
    ]);
  });

  it('takes properties, and makes attributes of the location', async () => {
    const place = {
      city: 'Oslo',
      country_name: 'Norway',
      time_zone: 'Europe/Oslo',
      region_code: 'NO',
      continent: 'EU',
    };
    const net = { ISP: 'Uninett', ASN: 'AS224' };
    const angles = { latitude: 59.95, longitude: -10.75 };
    const flags = { deterministic: false, volatile: true, staging_area: 1, rse_type: 'TAPE' };
    const { name } = await newRse({ ...place, ...net, ...angles, ...flags, availability: 5, color: 'red' });
    expect(await attributes(name)).toEqual({ [name]: true, ...place, ...net });
    expect(await recordOf(name)).toMatchObject({
      ...place,
      ...net,
      ...angles,
      ...flags,
      staging_area: true,
      availability: 5,
      availability_read: true,
      availability_write: false,
      availability_delete: true,
    });
  });

  it.each([
    [{ availability: 12 }, 4],
    [{ availability: 0 }, 0],
    [{ availability: null }, 7],
    [{ availability_write: false, availability_delete: null }, 5],
    [{ availability_read: 0, availability_write: 1 }, 3],
  ])('reads the availability %j as %i (2.2)', async (body, mask) => {
    const { name } = await newRse(body);
    expect((await settings(name))['availability']).toBe(mask);
  });

  it.each([
    { availability: 7, availability_read: true },
    { availability: 7, availability_delete: null },
    { availability: null, availability_write: true },
  ])('refuses both kinds of availability with 422: %j', async (body) => {
    const message =
      "'availability' can not be specified with 'availability_read', 'availability_write' or 'availability_delete'";
    expectError(await root.post(`/rses/${newName()}`, body), 422, 'InputValidationError', message);
  });

  it.each(['rse', 'RSE_', 'A__B', '-A', 'A B', '*', 'R'.repeat(256)])('refuses the name %s', async (name) => {
    const path = `/rses/${encodeURIComponent(name)}`;
    // Before the permission is checked.
    for (const client of [root, alice]) {
      expectError(await client.post(path, {}), 400, 'InvalidObject', /^Problem validating rse: /);
    }
  });

  it.each([
    [{ rse_type: 'DISC' }, 'Invalid rse_type: DISC'],
    [{ rse_type: 'disk' }, 'Invalid rse_type: disk'],
    [{ volatile: 'true' }, /^Problem validating rse: .* at volatile$/],
    [{ deterministic: 2 }, /at deterministic$/],
    [{ availability: 'all' }, /at availability$/],
    [{ availability_read: [] }, /at availability_read$/],
    [{ latitude: 'north' }, /at latitude$/],
    [{ longitude: 181 }, /at longitude$/],
    [{ city: 'x'.repeat(256) }, /at city$/],
    [{ region_code: 'NOR' }, /at region_code$/],
    [{ ISP: 1 }, /at ISP$/],
  ])('refuses %j', async (body, message) => {
    expectError(await root.post(`/rses/${newName()}`, body), 400, 'InvalidObject', message);
  });

  it('refuses a body that is not an object', async () => {
    const path = `/rses/${newName()}`;
    const rawBody = 'nonsense';
    const words = 'cannot decode json parameter dictionary';
    expectError(await root.post(path, undefined, { rawBody }), 400, 'ValueError', words);
    expectError(await root.post(path, []), 400, 'TypeError', 'body must be a json dictionary');
  });

  it('is for root and admins; a name can be used once', async () => {
    const name = newName();
    const denial = `Account ${alice.account} can not add RSE. `;
    expectError(await alice.post(`/rses/${name}`), 401, 'AccessDenied', denial);
    expectCreated(await admin.post(`/rses/${name}`));
    expectError(await root.post(`/rses/${name}`), 409, 'Duplicate', `RSE '${name}' already exists!`);
  });
});

describe('GET /rses/{rse} (rses 1.3)', () => {
  it('an unknown RSE or an invalid name is 404', async () => {
    // Random requests of other tests may have made it.
    await root.delete('/rses/__proto__');
    for (const name of ['NO-SUCH-RSE', 'a%23b', '__proto__', 'x'.repeat(2000)]) {
      const message = `RSE '${decodeURIComponent(name)}' cannot be found in vo 'def'`;
      expectError(await alice.get(`/rses/${name}`), 404, 'RSENotFound', message);
    }
  });

  it('takes an Accept that covers JSON only', async () => {
    const { name } = await newRse();
    const answer = await root.get(`/rses/${name}`, { headers: { Accept: 'application/x-json-stream' } });
    expectError(answer, 406, 'UnsupportedRequestedContentType');
  });
});

describe('GET /rses/ (rses 1.1)', () => {
  it('lists full records of live RSEs in name order, in both spellings', async () => {
    const [first, second, gone] = [await newRse({ city: 'Bern' }), await newRse(), await newRse()];
    expectEmpty(await root.delete(`/rses/${gone.name}`));
    for (const path of ['/rses/', '/rses', '/rses/?expression=']) {
      const answer = await alice.get(path);
      expect(answer.headers.get('Content-Type')).toBe('application/x-json-stream');
      const names = (answer.lines() as { rse: string }[]).map(({ rse }) => rse);
      expect(names).toEqual(names.toSorted());
      expect(names).toEqual(expect.arrayContaining([first.name, second.name]));
      expect(names).not.toContain(gone.name);
    }
    expect(await recordOf(first.name)).toEqual({
      id: first.id,
      rse: first.name,
      vo: 'def',
      rse_type: 'DISK',
      deterministic: true,
      volatile: false,
      staging_area: false,
      city: 'Bern',
      region_code: null,
      country_name: null,
      continent: null,
      time_zone: null,
      ISP: null,
      ASN: null,
      longitude: null,
      latitude: null,
      availability: 7,
      availability_read: true,
      availability_write: true,
      availability_delete: true,
      qos_class: null,
      created_at: expect.stringMatching(/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d UTC$/) as string,
      updated_at: expect.stringMatching(/ UTC$/) as string,
      deleted: false,
      deleted_at: null,
    });
  });

  it('with an expression lists names alone', async () => {
    const { name } = await newRse();
    expect((await alice.get(`/rses/?expression=${name}`)).lines()).toEqual([{ rse: name }]);
  });

  it('says of a name in use whether a deleted RSE has it', async () => {
    const [living, gone] = [await newRse(), await newRse()];
    expectEmpty(await root.delete(`/rses/${gone.name}`));
    const plain = `RSE '${living.name}' already exists!`;
    const deleted = `RSE '${gone.name}' already exists! It is deleted; an import restores it.`;
    expectError(await root.post(`/rses/${living.name}`, {}), 409, 'Duplicate', plain);
    expectError(await root.post(`/rses/${gone.name}`, {}), 409, 'Duplicate', deleted);
    expectError(await root.put(`/rses/${living.name}`, { name: gone.name }), 409, 'Duplicate', deleted);
  });

  it('an expression that matches nothing, or an invalid one, is 400', async () => {
    const empty = 'RSE Expression resulted in an empty set.';
    expectError(await alice.get('/rses/?expression=NO-SUCH-RSE'), 400, 'InvalidRSEExpression', empty);
    expectError(await alice.get('/rses/?expression=((A)'), 400, 'InvalidRSEExpression', /^Problem with parentheses\./);
    const syntax = /^Expression does not comply to RSE Expression syntax/;
    expectError(await alice.get('/rses/?expression=A%20B%20C%3D'), 400, 'InvalidRSEExpression', syntax);
    const type = await alice.get('/rses/?expression=rse_type%3DPAPER');
    expectError(type, 400, 'InvalidObject', 'Invalid rse_type: PAPER');
    const flag = await alice.get('/rses/?expression=volatile%3Dperhaps');
    expectError(flag, 400, 'InvalidObject', 'Invalid boolean value: perhaps');
  });

  it('is a stream only, needs a token, and takes no other method', async () => {
    const answer = await alice.get('/rses/', { headers: { Accept: 'application/json' } });
    const message = "The requested content type application/json is not supported. Use ['application/x-json-stream'].";
    expectError(answer, 406, 'UnsupportedRequestedContentType', message);
    expectError(await nobody.get('/rses/'), 401, 'CannotAuthenticate');
    expectError(await call('POST', '/rses/', { as: root }), 405, 'MethodNotAllowed');
  });
});
