import { beforeAll, describe, expect, it } from 'vitest';

import {
  asRoot,
  type Client,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  nobody,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();
const unknown = uniqueName('none');

let alice: Client;
let admin: Client;
beforeAll(async () => {
  [alice, admin] = [await newAccount(), await newAccount({ admin: true })];
});

/** A section of its own with options. */
async function newSection(options: Readonly<Record<string, unknown>>): Promise<string> {
  const section = uniqueName('sect');
  expectCreated(await root.post('/config', { [section]: options }));
  return section;
}

describe('configuration: setting (interface 4.6, access 4.1)', () => {
  it('by the path: creates section and option, then changes the value', async () => {
    const section = uniqueName('sect');
    for (const value of ['first', 'second']) {
      expectCreated(await root.put(`/config/${section}/option/${value}`));
      expect((await root.get(`/config/${section}/option`)).json()).toBe(value);
    }
    expect((await root.get(`/config/${section}`)).json()).toEqual({ option: 'second' });
  });

  it('by a body: options of several sections at once', async () => {
    const [one, two] = [uniqueName('sect'), uniqueName('sect')];
    expectCreated(await root.post('/config', { [one]: { a: 'x', b: 'y' }, [two]: { a: 'z' } }));
    expect((await root.get(`/config/${one}`)).json()).toEqual({ a: 'x', b: 'y' });
    expect((await root.get('/config')).json()).toMatchObject({ [one]: { a: 'x', b: 'y' }, [two]: { a: 'z' } });
  });

  it('200 options at once, all or none of them', async () => {
    const options = Object.fromEntries(Array.from({ length: 200 }, (_value, index) => [`o${index}`, `v${index}`]));
    const section = await newSection(options);
    expect((await root.get(`/config/${section}`)).json()).toEqual(options);

    const other = uniqueName('sect');
    const answer = await root.post('/config', { [other]: { good: 'x', bad: null } });
    expectError(answer, 400, 'ConfigurationError', `Could not set value 'None' for section '${other}' option 'bad'`);
    expectError(await root.get(`/config/${other}`), 404, 'ConfigNotFound');
  });

  it('by two concurrent callers: both succeed, one value is kept', async () => {
    const section = uniqueName('sect');
    const values = Array.from({ length: 20 }, (_value, index) => `v${index}`);
    const answers = await Promise.all(values.map((value) => root.put(`/config/${section}/option/${value}`)));
    for (const answer of answers) expectCreated(answer);
    expect(values).toContain((await root.get(`/config/${section}/option`)).json());
  });

  it('values are texts, numbers and booleans; anything else is 400 ConfigurationError', async () => {
    const section = await newSection({ text: 'a b', whole: 5, part: 1.5, yes: true, large: 1, empty: '' });
    expectCreated(
      await root.post('/config', undefined, { rawBody: `{"${section}": {"large": 123456789012345678901234}}` }),
    );
    const { text } = await root.get(`/config/${section}`);
    expect(JSON.parse(text)).toMatchObject({ text: 'a b', whole: 5, part: 1.5, yes: true, empty: '' });
    expect(text).toContain('123456789012345678901234');
    for (const value of [null, [], [1], {}, { a: 1 }]) {
      expectError(await root.post('/config', { [section]: { text: value } }), 400, 'ConfigurationError');
    }
    expect((await root.get(`/config/${section}/text`)).json()).toBe('a b');
  });

  it('names of up to 128 characters and values of up to 4000', async () => {
    const section = `${uniqueName()}-${'\u{1F434}'.repeat(80)}`;
    const option = '\u{1F434}'.repeat(128);
    expectCreated(await root.post('/config', { [section]: { [option]: 'v'.repeat(4000) } }));
    const path = `/config/${encodeURIComponent(section)}/${encodeURIComponent(option)}`;
    expect((await root.get(path)).json()).toBe('v'.repeat(4000));
    for (const body of [
      { ['s'.repeat(129)]: { a: 'b' } },
      { [unknown]: { ['o'.repeat(129)]: 'b' } },
      { [unknown]: { a: 'v'.repeat(4001) } },
      { ['\u{1F434}'.repeat(128)]: { ['\u{1F434}'.repeat(128)]: 'b' } },
      { [unknown]: Object.fromEntries(Array.from({ length: 1001 }, (_value, index) => [`o${index}`, 'v'])) },
    ]) {
      expectError(await root.post('/config', body), 400, 'ConfigurationError');
    }
    expectError(await root.put(`/config/${unknown}/a/${'v'.repeat(4001)}`), 400, 'ConfigurationError');
    expectError(await root.get(`/config/${unknown}`), 404, 'ConfigNotFound');
  });

  it('a body that is not an object of objects is refused; an empty one succeeds', async () => {
    expectError(await root.post('/config', []), 400, 'TypeError', 'body must be a json dictionary');
    expectError(await root.post('/config'), 400, 'ValueError', 'cannot decode json parameter dictionary');
    for (const options of [[], 'text', null, 5]) {
      expectError(await root.post('/config', { [unknown]: options }), 400, 'ValueError', '');
    }
    expectCreated(await root.post('/config', {}));
    expectCreated(await root.post('/config', { [unknown]: {} }));
    expectError(await root.get(`/config/${unknown}`), 404, 'ConfigNotFound');
  });
});

describe('configuration: reading (access 4.1, 4.2)', () => {
  it('texts that look like booleans or numbers are answered as such', async () => {
    const texts = {
      a: ['YES', true],
      b: ['off', false],
      c: ['007', 7],
      d: ['1_000', 1000],
      e: [' 42 ', 42],
      f: ['3.14', 3.14],
      g: ['1e5', 100_000],
      h: ['None', 'None'],
      i: [' true ', ' true '],
      j: ['0x10', '0x10'],
      k: ['inf', 'inf'],
      l: ['1e400', '1e400'],
      m: ['-7', -7],
    } as const;
    const pairs = (index: 0 | 1) => Object.fromEntries(Object.entries(texts).map(([key, both]) => [key, both[index]]));
    const section = await newSection(pairs(0));
    expect((await root.get(`/config/${section}`)).json()).toEqual(pairs(1));
  });

  it('names may hold anything, and are case-sensitive', async () => {
    const section = `${uniqueName('sect')} #%/é'"`;
    const options = { 'a#b': 'x', 'a%23b': 'y', '': 'z', constructor: 'c', toString: 't', A: '1', a: '2' };
    expectCreated(await root.post('/config', { [section]: options }));
    const path = `/config/${encodeURIComponent(section)}`;
    expect((await root.get(path)).json()).toEqual({ ...options, A: 1, a: 2 });
    expect((await root.get(`${path}/a%23b`)).json()).toBe('x');
    expect((await root.get(`${path}/constructor`)).json()).toBe('c');
    expectError(await root.get(`/config/${unknown}/constructor`), 404, 'ConfigNotFound');
    expectCreated(await root.post('/config', undefined, { rawBody: `{"${unknown}-p": {"__proto__": "p"}}` }));
    expect((await root.get(`/config/${unknown}-p`)).text).toBe('{"__proto__":"p"}');
  });

  it('a section does not include others whose names begin with its name', async () => {
    const section = await newSection({ a: 'x' });
    expectCreated(await root.post('/config', { [`${section}#`]: { b: 'y' }, [`${section}-`]: { b: 'y' } }));
    expect((await root.get(`/config/${section}`)).json()).toEqual({ a: 'x' });
  });

  it('a missing section or option is 404 ConfigNotFound', async () => {
    const section = await newSection({ a: 'x' });
    expectError(
      await root.get(`/config/${unknown}`),
      404,
      'ConfigNotFound',
      `No configuration found for section '${unknown}'`,
    );
    expectError(
      await root.get(`/config/${section}/b`),
      404,
      'ConfigNotFound',
      `No configuration found for section '${section}' option 'b'`,
    );
    expectError(await root.get(`/config/${'x'.repeat(3000)}`), 404, 'ConfigNotFound');
    expectError(await root.get(`/config/${section}/${'x'.repeat(3000)}`), 404, 'ConfigNotFound');
  });

  it('both slash forms are served', async () => {
    const section = await newSection({ a: 'x' });
    expect((await root.get('/config/')).json()).toMatchObject({ [section]: { a: 'x' } });
    expect((await root.get(`/config/${section}/`)).json()).toEqual({ a: 'x' });
  });
});

describe('configuration: deleting (access 4.1)', () => {
  it('an option; the section goes with its last one', async () => {
    const section = await newSection({ a: 'x', b: 'y' });
    expectEmpty(await root.delete(`/config/${section}/a`));
    expectError(await root.delete(`/config/${section}/a`), 404, 'ConfigNotFound');
    expect((await root.get(`/config/${section}`)).json()).toEqual({ b: 'y' });
    expectEmpty(await root.delete(`/config/${section}/b`));
    expectError(await root.get(`/config/${section}`), 404, 'ConfigNotFound');
  });

  it('a section with all its options, and no other', async () => {
    const section = await newSection(
      Object.fromEntries(Array.from({ length: 30 }, (_value, index) => [`o${index}`, 'v'])),
    );
    expectCreated(await root.post('/config', { [`${section}-`]: { a: 'x' } }));
    expectEmpty(await root.delete(`/config/${section}`));
    expectError(await root.get(`/config/${section}`), 404, 'ConfigNotFound');
    expectError(await root.delete(`/config/${section}`), 404, 'ConfigNotFound');
    expect((await root.get(`/config/${section}-`)).json()).toEqual({ a: 'x' });
  });
});

describe('configuration: permissions (access 4.3)', () => {
  it('root and admins; others are 401 before anything is read', async () => {
    const section = await newSection({ a: 'x' });
    expect((await admin.get(`/config/${section}/a`)).json()).toBe('x');
    const name = alice.account;
    const cases = [
      [await alice.get('/config'), `${name} cannot retrieve sections. `],
      [await alice.get(`/config/${unknown}`), `${name} cannot check existence of section ${unknown}. `],
      [await alice.delete(`/config/${section}`), `${name} cannot check existence of section ${section}. `],
      [await alice.get(`/config/${section}/b`), `Access to '${section}' option 'b' denied`],
      [
        await alice.delete(`/config/${section}/a`),
        `${name} cannot check existence of option a from section ${section}. `,
      ],
      [await alice.put(`/config/${section}/a/y`), `${name} cannot set option a to y in section ${section}. `],
      [
        await alice.post('/config', { [section]: { a: 'y' } }),
        `${name} cannot set option a to y in section ${section}. `,
      ],
    ] as const;
    for (const [answer, message] of cases) expectError(answer, 401, 'AccessDenied', message);
    expect((await root.get(`/config/${section}`)).json()).toEqual({ a: 'x' });
  });

  it('a token is needed', async () => {
    for (const path of ['/config', `/config/${unknown}`, `/config/${unknown}/a`]) {
      expectError(await nobody.get(path), 401, 'CannotAuthenticate', 'Token must be set.');
    }
  });
});
