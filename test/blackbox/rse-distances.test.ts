import { beforeAll, describe, expect, it } from 'vitest';

import { addRse } from '../support/rses.ts';
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

const idOf = async (rse: string) => ((await root.get(`/rses/${rse}`)).json() as { id: string }).id;

/** The two spellings of the path; the second is that of spec/interface.md 4.4. */
const spellings = ['distances', 'attr'] as const;

let alice: Client;
let a: string;
let b: string;
beforeAll(async () => {
  [alice, a, b] = await Promise.all([newAccount(), addRse(), addRse()]);
});

/** The one distance that there is. */
async function distance(source: string, destination: string): Promise<unknown> {
  const [found, ...others] = (await alice.get(`/rses/${source}/distances/${destination}`)).json() as {
    distance: unknown;
    ranking: unknown;
  }[];
  expect(others).toEqual([]);
  expect(found?.ranking).toBe(found?.distance);
  return found?.distance;
}

describe('the distance of an RSE from another one (rses 1.9, 4)', () => {
  it.each(spellings)('is shown under /%s as a list of one record or none', async (spelling) => {
    const [source, destination] = [await addRse(), await addRse()];
    const path = `/rses/${source}/${spelling}/${destination}`;
    const before = await alice.get(path);
    expect(`${before.status} ${before.text}`).toBe('200 []');
    expect(before.headers.get('Content-Type')).toBe('application/json');
    expectCreated(await root.post(path, { distance: 3 }));
    const date = expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d UTC$/) as unknown;
    expect((await alice.get(path)).json()).toEqual([
      {
        src_rse_id: await idOf(source),
        dest_rse_id: await idOf(destination),
        src_rse: source,
        dest_rse: destination,
        distance: 3,
        ranking: 3,
        created_at: date,
        updated_at: date,
      },
    ]);
    expect((await alice.get(`/rses/${destination}/${spelling}/${source}`)).json()).toEqual([]);
  });

  it.each([
    [{ distance: 7 }, 7],
    [{ distance: 0 }, 0],
    [{ distance: -5 }, -5],
    [{ ranking: 4 }, 4],
    [{ distance: 1, ranking: 4 }, 1],
    [{ distance: null, ranking: 4 }, 4],
    [{ distance: null }, null],
    [{}, null],
    [{ parameter: { distance: 9 } }, 9],
    [{ parameters: { ranking: 2 } }, 2],
    [{ distance: 2 ** 31 - 1, unknown: [] }, 2 ** 31 - 1],
  ])('is set by the body %j, both on creation and on change', async (body, expected) => {
    const [source, destination] = [await addRse(), await addRse()];
    expectCreated(await root.post(`/rses/${source}/distances/${destination}`, body));
    expect(await distance(source, destination)).toBe(expected);
    expectEmpty(await root.put(`/rses/${source}/distances/${destination}`, { distance: 12 }));
    expect(await distance(source, destination)).toBe(12);
    expectEmpty(await root.put(`/rses/${source}/distances/${destination}`, body));
    expect(await distance(source, destination)).toBe(expected);
  });

  it('from an RSE to itself is allowed', async () => {
    const rse = await addRse();
    expectCreated(await root.post(`/rses/${rse}/distances/${rse}`, { distance: 0 }));
    expect(await distance(rse, rse)).toBe(0);
  });

  it('stays when RSEs are renamed or disabled', async () => {
    const [source, destination] = [await addRse(), await addRse()];
    expectCreated(await root.post(`/rses/${source}/distances/${destination}`, { distance: 5, bidirectional: true }));
    const renamed = uniqueName('RSE').toUpperCase();
    expectCreated(await root.put(`/rses/${source}`, { name: renamed }));
    expect((await root.delete(`/rses/${destination}`)).status).toBe(200);
    expect(await distance(renamed, destination)).toBe(5);
    expect((await alice.get(`/rses/${destination}/distances/${renamed}`)).json()).toMatchObject([
      { src_rse: destination, dest_rse: renamed, distance: 5 },
    ]);
    expectEmpty(await root.put(`/rses/${renamed}/distances/${destination}`, { distance: 6 }));
    expect(await distance(renamed, destination)).toBe(6);
  });
});

describe('distances in both directions (rses 1.10 to 1.12)', () => {
  it('are created together or not at all', async () => {
    const [source, destination] = [await addRse(), await addRse()];
    const path = `/rses/${source}/distances/${destination}`;
    const message = `Distance from ${source} to ${destination} already exists!`;
    expectCreated(await root.post(`/rses/${destination}/distances/${source}`, { distance: 1 }));
    expectError(await root.post(path, { distance: 2, bidirectional: true }), 409, 'Duplicate', message);
    expect((await alice.get(path)).json()).toEqual([]);
    expect((await root.delete(`/rses/${destination}/distances/${source}`)).status).toBe(200);
    expectCreated(await root.post(path, { distance: 2, bidirectional: 'TRUE' }));
    expect([await distance(source, destination), await distance(destination, source)]).toEqual([2, 2]);
  });

  it('from an RSE to itself are 409', async () => {
    const rse = await addRse();
    const answer = await root.post(`/rses/${rse}/distances/${rse}`, { distance: 1, bidirectional: true });
    expectError(answer, 409, 'Duplicate', `Distance from ${rse} to ${rse} already exists!`);
    expect((await alice.get(`/rses/${rse}/distances/${rse}`)).json()).toEqual([]);
  });

  it('are changed and deleted if they exist', async () => {
    const [source, destination] = [await addRse(), await addRse()];
    const [there, back] = [`/rses/${source}/distances/${destination}`, `/rses/${destination}/distances/${source}`];
    expectEmpty(await root.put(there, { distance: 1, bidirectional: true }));
    expect((await alice.get(there)).json()).toEqual([]);
    expectCreated(await root.post(back, { distance: 1 }));
    expectEmpty(await root.put(there, { distance: 2, bidirectional: 1 }));
    expect((await alice.get(there)).json()).toEqual([]);
    expect(await distance(destination, source)).toBe(2);

    expectCreated(await root.post(there, { distance: 3 }));
    expect((await root.delete(there)).text).toBe('Deleted');
    expect(await distance(destination, source)).toBe(2);
    const answer = await root.delete(`${there}?bidirectional=True`);
    expect(`${answer.status} ${answer.text}`).toBe('200 Deleted');
    expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    for (const path of [there, back]) expect((await alice.get(path)).json()).toEqual([]);
    expect((await root.delete(there)).text).toBe('Deleted');
  });

  it('exactly one of many concurrent creations succeeds', async () => {
    const [source, destination] = [await addRse(), await addRse()];
    const [there, back] = [`/rses/${source}/distances/${destination}`, `/rses/${destination}/distances/${source}`];
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((number) =>
        root.post(number % 2 === 0 ? there : back, { distance: number, bidirectional: true }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    expect(await distance(source, destination)).toBe(await distance(destination, source));
  });
});

describe('the path that attributes and distances share (rses 9.2)', () => {
  it('POST is an attribute with a value, and a distance with a distance or a ranking', async () => {
    const [source, destination] = [await addRse(), await addRse()];
    const path = `/rses/${source}/attr/${destination}`;
    expectCreated(await root.post(path, { value: true, distance: 8 }));
    expect((await alice.get(path)).json()).toEqual([]);
    expect((await alice.get(`/rses/${source}/attr/`)).json()).toMatchObject({ [destination]: true });
    expectCreated(await root.post(path, { ranking: 8, bidirectional: true }));
    expect([await distance(source, destination), await distance(destination, source)]).toEqual([8, 8]);
    const [third, fourth] = [await addRse(), await addRse()];
    expectCreated(await root.post(`/rses/${third}/attr/${fourth}`, { paramaters: { distance: 1 } }));
    expect(await distance(third, fourth)).toBe(1);
    expectCreated(await root.post(`/rses/${third}/attr/tier`, { parameter: { value: 1 } }));
    expect((await alice.get(`/rses/${third}/attr`)).json()).toMatchObject({ tier: '1' });
  });

  it('POST of neither is 400 about the value', async () => {
    for (const body of [{}, { bidirectional: true }, { parameter: {} }]) {
      expectError(await root.post(`/rses/${a}/attr/${b}`, body), 400, 'KeyError', "'value' not defined");
    }
  });

  it('PUT changes the distance, DELETE takes the attribute away', async () => {
    const [source, destination] = [await addRse(), await addRse()];
    const path = `/rses/${source}/attr/${destination}`;
    expectCreated(await root.post(path, { distance: 1 }));
    expectCreated(await root.post(path, { value: 'x' }));
    expectEmpty(await root.put(path, { distance: 2 }));
    expectEmpty(await root.delete(path));
    expectError(await root.delete(path), 404, 'RSEAttributeNotFound');
    expect(await distance(source, destination)).toBe(2);
  });
});

describe('refused requests about distances (rses 1.9 to 1.12)', () => {
  const methods = [
    ['POST', 'distances', 'add'],
    ['PUT', 'distances', 'update'],
    ['POST', 'attr', 'add'],
    ['PUT', 'attr', 'update'],
  ] as const;

  it.each(methods)('%s under /%s: invalid bodies', async (method, spelling) => {
    const path = `/rses/${a}/${spelling}/${b}`;
    const send = (body: unknown) => call(method, path, { as: root, body });
    const raw = (rawBody: string) => call(method, path, { as: root, rawBody });
    expectError(await raw(''), 400, 'ValueError', 'cannot decode json parameter dictionary');
    expectError(await raw('{'), 400, 'ValueError', 'cannot decode json parameter dictionary');
    expectError(await send([]), 400, 'TypeError', 'body must be a json dictionary');
    for (const distances of ['3', 1.5, true, [], {}, 2 ** 31, -(2 ** 31) - 1, 2 ** 60]) {
      expectError(await send({ distance: distances }), 400, 'InvalidObject', /^Problem validating/);
      expectError(await send({ ranking: distances }), 400, 'InvalidObject', /^Problem validating/);
    }
    const odd = { distance: 1, bidirectional: 'both' };
    expectError(await send(odd), 400, 'TypeError', "'bidirectional' must be a boolean type.");
    const none = { distance: 1, bidirectional: null };
    expectError(await send(none), 400, 'KeyError', "'bidirectional' not defined");
    expect((await alice.get(path)).json()).toEqual([]);
  });

  it.each(methods)(
    '%s under /%s: callers other than admins, before the RSEs are read',
    async (method, spelling, verb) => {
      const message = `Account ${alice.account} can not ${verb} RSE distances. `;
      const body = { distance: 1 };
      for (const path of [`/rses/${a}/${spelling}/${b}`, `/rses/NO-SUCH/${spelling}/${b}`]) {
        expectError(await call(method, path, { as: alice, body }), 401, 'AccessDenied', message);
      }
      expectError(await call(method, `/rses/${a}/${spelling}/${b}`, { body }), 401, 'CannotAuthenticate');
    },
  );

  const paths = methods.map(([method, spelling]) => [method, spelling] as const);
  it.each([['GET', 'distances'], ['GET', 'attr'], ['DELETE', 'distances'], ...paths] as const)(
    '%s under /%s: unknown RSEs, the source first',
    async (method, spelling) => {
      const send = (source: string, destination: string) => {
        const options = { as: root, ...(method === 'POST' || method === 'PUT' ? { body: { distance: 1 } } : {}) };
        return call(method, `/rses/${source}/${spelling}/${destination}`, options);
      };
      const message = (name: string) => `RSE '${name}' cannot be found in vo 'def'`;
      expectError(await send('NO-SUCH', 'NOR-THIS'), 404, 'RSENotFound', message('NO-SUCH'));
      expectError(await send(a, 'NO-SUCH'), 404, 'RSENotFound', message('NO-SUCH'));
      expectError(await send(a, '__proto__'), 404, 'RSENotFound', message('__proto__'));
      expectError(await send(a, 'x'.repeat(1100)), 404, 'RSENotFound');
    },
  );

  it('a pair that has one already is 409', async () => {
    const [source, destination] = [await addRse(), await addRse()];
    expectCreated(await root.post(`/rses/${source}/distances/${destination}`, { distance: 1 }));
    const message = `Distance from ${source} to ${destination} already exists!`;
    for (const spelling of spellings) {
      const answer = await root.post(`/rses/${source}/${spelling}/${destination}`, { distance: 2 });
      expectError(answer, 409, 'Duplicate', message);
    }
    expect(await distance(source, destination)).toBe(1);
  });

  it('DELETE: callers other than admins, and invalid booleans', async () => {
    const path = `/rses/${a}/distances/${b}`;
    const message = `Account ${alice.account} can not update RSE distances. `;
    expectError(await alice.delete(path), 401, 'AccessDenied', message);
    expectError(await nobody.delete(path), 401, 'CannotAuthenticate');
    for (const value of ['maybe', '']) {
      const answer = await root.delete(`${path}?bidirectional=${value}`);
      expectError(answer, 400, 'TypeError', "'bidirectional' must be a boolean type.");
    }
  });

  it('GET: an Accept without JSON, and no token', async () => {
    for (const spelling of spellings) {
      const path = `/rses/${a}/${spelling}/${b}`;
      const headers = { Accept: 'application/x-json-stream' };
      expectError(await alice.get(path, { headers }), 406, 'UnsupportedRequestedContentType');
      expectError(await nobody.get(path), 401, 'CannotAuthenticate', 'Token must be set.');
    }
  });
});
