import { beforeAll, describe, expect, it } from 'vitest';

import { asRoot, type Client, expectCreated, expectError, newAccount, uniqueName } from '../support/server.ts';

const root = asRoot();
let alice: Client;

beforeAll(async () => {
  alice = await newAccount();
});

const addKey = async (convention: object) => {
  const key = uniqueName('key');
  expectCreated(await root.post(`/meta_conventions/${key}`, { key_type: 'ALL', ...convention }));
  return key;
};

const addValue = (key: string, value: unknown) => root.post(`/meta_conventions/${encodeURIComponent(key)}/`, { value });

describe('metadata conventions (dids 2.29)', () => {
  it('list keys and the values that were added to them, as text', async () => {
    const key = await addKey({ value_type: "<class 'int'>", value_regexp: null });
    expect((await alice.get('/meta_conventions/')).json()).toContain(key);
    expectCreated(await addValue(key, 5));
    expect((await alice.get(`/meta_conventions/${key}/`)).json()).toEqual(['5']);
    expect((await alice.get('/meta_conventions/no-such-key')).json()).toEqual([]);
    expectError(await addValue(key, 5), 409, 'Duplicate', `key-value '${key}-5' already exists!`);
    expectError(
      await root.post(`/meta_conventions/${key}`, { key_type: 'D' }),
      409,
      'Duplicate',
      `key '${key}' already exists!`,
    );
  });

  it.each([
    ["<class 'int'>", 5, 'five'],
    ["<class 'float'>", 5.5, '5.5'],
    ["<class 'str'>", '5', 5],
  ])('refuse values that are not of the type %s', async (value_type, good, bad) => {
    const key = await addKey({ value_type });
    expectCreated(await addValue(key, good));
    const message = `The value ${bad} for the key ${key} does not match the required type ${value_type}`;
    expectError(await addValue(key, bad), 400, 'InvalidValueForKey', message);
  });

  it('match a regular expression of Python from the start of a value', async () => {
    const key = await addKey({ value_regexp: '(?P<kind>AOD|RAW)\\d' });
    expectCreated(await addValue(key, 'RAW2x'));
    expectError(await addValue(key, 'xRAW2'), 400, 'InvalidValueForKey');
    expectError(
      await root.post('/meta_conventions/bad-re', { key_type: 'ALL', value_regexp: '(' }),
      400,
      'InvalidValueForKey',
    );
  });

  it('take any text as key and value, the separator of our table included', async () => {
    const key = `${uniqueName('k')}#1%/ü`;
    expectCreated(await root.post(`/meta_conventions/${encodeURIComponent(key)}`, { key_type: 'C' }));
    expectCreated(await addValue(key, 'a#b%23'));
    expect((await alice.get(`/meta_conventions/${encodeURIComponent(key)}`)).json()).toEqual(['a#b%23']);
    expectError(await addValue(key, 'x'.repeat(2000)), 400, 'InvalidValueForKey');
    expectError(await root.post(`/meta_conventions/${'k'.repeat(2000)}`, { key_type: 'C' }), 400, 'InvalidObject');
  });

  it('are for root and admins, of known types, and of keys that exist', async () => {
    expectError(await alice.post('/meta_conventions/x', { key_type: 'ALL' }), 401, 'AccessDenied');
    expectError(
      await alice.post('/meta_conventions/x/', { value: 'v' }),
      401,
      'AccessDenied',
      `Account ${alice.account} can not add value v to key x. `,
    );
    expectError(await root.post('/meta_conventions/x', { key_type: 'MAGIC' }), 400, 'UnsupportedKeyType');
    expectError(
      await root.post('/meta_conventions/x', { key_type: 'ALL', value_type: 'str' }),
      400,
      'UnsupportedValueType',
    );
    expectError(await addValue('no-such-key', 'v'), 404, 'KeyNotFound', "key 'no-such-key' does not exist!");
  });
});
