/** The header `Idempotency-Key` (docs/api.md, Repeats). */
import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, it } from 'vitest';

import { addRse } from '../support/rses.ts';
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
const replayed = 'Idempotent-Replayed';

let scope: string;
beforeAll(async () => {
  scope = await newScope();
});

const keyed = (key: string = randomUUID()) => ({ headers: { 'Idempotency-Key': key } });
const dataset = { type: 'DATASET' };

const fileElements = (prefix: string, count: number) =>
  Array.from({ length: count }, (_value, index) => ({ scope, name: `${prefix}.${index}`, bytes: 1 }));

async function newDataset(): Promise<string> {
  const path = `/dids/${scope}/${uniqueName('ds')}`;
  expect((await root.post(path, dataset)).status).toBe(201);
  return path;
}

describe('a repeat with the same key', () => {
  it('gets the first answer, marked, in place of a conflict', async () => {
    const [path, options] = [`/dids/${scope}/${uniqueName()}`, keyed()];
    const first = await root.post(path, dataset, options);
    const second = await root.post(path, dataset, options);
    expect([first.status, first.text, first.headers.get(replayed)]).toEqual([201, 'Created', null]);
    expect([second.status, second.text, second.headers.get(replayed)]).toEqual([201, 'Created', 'true']);
    expectError(await root.post(path, dataset), 409, 'DataIdentifierAlreadyExists');
  });

  it('has no effect, even after other changes', async () => {
    const [option, options] = [`/config/${uniqueName()}/colour`, keyed()];
    expectCreated(await root.put(`${option}/red`, undefined, options));
    expectCreated(await root.put(`${option}/blue`));
    const repeat = await root.put(`${option}/red`, undefined, options);
    expectCreated(repeat);
    expect(repeat.headers.get(replayed)).toBe('true');
    expect((await root.get(option)).json()).toBe('blue');
  });

  it('has no effect if the first request found nothing to do', async () => {
    const [option, options] = [`/config/${uniqueName()}/colour`, keyed()];
    expectCreated(await root.put(`${option}/red`));
    expectCreated(await root.put(`${option}/red`, undefined, options));
    expectCreated(await root.put(`${option}/blue`));
    expect((await root.put(`${option}/red`, undefined, options)).headers.get(replayed)).toBe('true');
    expect((await root.get(option)).json()).toBe('blue');
  });

  it('has no effect if the first request wrote nothing at all', async () => {
    const options = keyed();
    expectCreated(await root.post('/config', {}, options));
    expect((await root.post('/config', {}, options)).headers.get(replayed)).toBe('true');
  });

  it('gets the ids that the first one created', async () => {
    const [rse, did, options] = [await addRse(), await newDataset(), keyed()];
    expectCreated(await root.post(`/accounts/root/limits/local/${rse}`, { bytes: -1 }));
    const body = { dids: [{ scope, name: did.split('/').at(-1) }], account: null, copies: 1, rse_expression: rse };
    const first = await root.post('/rules', body, options);
    const second = await root.post('/rules', body, options);
    expect(first.status).toBe(201);
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(second.headers.get('Content-Type')).toBe(first.headers.get('Content-Type'));
    expect((await root.get(`${did}/rules`)).lines()).toHaveLength(1);
  });

  it('gets the headers of the first answer', async () => {
    const [path, options] = [`/scopes/root/${uniqueName()}`, keyed()];
    const first = await root.post(path, undefined, options);
    const second = await root.post(path, undefined, options);
    expectCreated(second);
    expect(first.headers.get('Location')).toContain(path);
    expect(second.headers.get('Location')).toBe(first.headers.get('Location'));
  });

  it('of a bulk request writes nothing a second time', async () => {
    const [rse, did, options] = [await addRse(), await newDataset(), keyed()];
    const body = { rse, dids: fileElements(uniqueName('f'), 60) };
    expect((await root.post(`${did}/dids`, body, options)).status).toBe(201);
    const repeat = await root.post(`${did}/dids`, body, options);
    expect([repeat.status, repeat.headers.get(replayed)]).toEqual([201, 'true']);
    expect((await root.get(did)).json()).toMatchObject({ length: 60, bytes: 60 });
  });

  it('gets a long answer in full', async () => {
    const [rse, options] = [await addRse(), keyed()];
    const body = {
      rse,
      reason: 'x',
      dids: fileElements(uniqueName('unknown'), 500).map(({ name }) => ({ scope, name })),
    };
    const first = await root.post('/replicas/bad/dids', body, options);
    const second = await root.post('/replicas/bad/dids', body, options);
    expect(first.json()).toHaveLength(500);
    expect(second.text).toBe(first.text);
    expect(second.headers.get(replayed)).toBe('true');
  });

  it('gets the ids of many rules, in their order', async () => {
    const [rse, options] = [await addRse(), keyed()];
    expectCreated(await root.post(`/accounts/root/limits/local/${rse}`, { bytes: -1 }));
    const names = Array.from({ length: 30 }, () => uniqueName('ds'));
    const dids = names.map((name) => ({ scope, name }));
    expect(
      (
        await root.post(
          '/dids',
          dids.map((did) => ({ ...did, ...dataset })),
        )
      ).status,
    ).toBe(201);
    const body = { dids, account: null, copies: 1, rse_expression: rse };
    const first = await root.post('/rules', body, options);
    const second = await root.post('/rules', body, options);
    expect(first.json()).toHaveLength(30);
    expect([second.text, second.headers.get(replayed)]).toEqual([first.text, 'true']);
  });

  it('of a move makes no second rule', async () => {
    const [from, to, did, options] = [await addRse(), await addRse(), await newDataset(), keyed()];
    for (const rse of [from, to]) expectCreated(await root.post(`/accounts/root/limits/local/${rse}`, { bytes: -1 }));
    const wish = { dids: [{ scope, name: did.split('/').at(-1) }], account: null, copies: 1, rse_expression: from };
    const [rule] = (await root.post('/rules', wish)).json() as string[];
    const first = await root.post(`/rules/${rule}/move`, { rse_expression: to }, options);
    const second = await root.post(`/rules/${rule}/move`, { rse_expression: to }, options);
    expect(first.status).toBe(201);
    expect([second.status, second.text, second.headers.get(replayed)]).toEqual([201, first.text, 'true']);
    const rules = (await root.get(`${did}/rules`)).lines() as { rse_expression: string }[];
    expect(rules.filter((one) => one.rse_expression === to)).toHaveLength(1);
  });
});

describe('two requests with the same key at once', () => {
  it.each([3, 30])('take effect once, with %i new files', async (count) => {
    const [rse, did, options] = [await addRse(), await newDataset(), keyed()];
    const body = { rse, dids: fileElements(uniqueName('f'), count) };
    const answers = await Promise.all([1, 2, 3].map(() => root.post(`${did}/dids`, body, options)));
    for (const answer of answers) {
      if (answer.status === 201) continue;
      expectError(answer, 409, 'IdempotencyKeyInUse');
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    expect(answers.filter(({ status, headers }) => status === 201 && headers.get(replayed) === null)).toHaveLength(1);
    expect((await root.get(did)).json()).toMatchObject({ length: count, bytes: count });
    expect((await root.post(`${did}/dids`, body, options)).headers.get(replayed)).toBe('true');
  });
});

describe('a key that was used', () => {
  it('is refused with another body, another path, and on another route', async () => {
    const [path, options] = [`/dids/${scope}/${uniqueName()}`, keyed()];
    expect((await root.post(path, dataset, options)).status).toBe(201);
    const message = 'The Idempotency-Key was sent with another request before.';
    for (const answer of [
      await root.post(path, { type: 'CONTAINER' }, options),
      await root.post(`/dids/${scope}/${uniqueName()}`, dataset, options),
      await root.put(`${path}/status`, { open: false }, options),
      await root.post(`${path}?x=1`, dataset, options),
    ]) {
      expectError(answer, 422, 'IdempotencyKeyMismatch', message);
    }
    expect((await root.get(path)).json()).toMatchObject({ open: true, type: 'DATASET' });
  });

  it('is refused with another password in a header', async () => {
    const [path, options] = [`/identities/root/userpass`, keyed()];
    const headers = { 'X-Rucio-Username': uniqueName(), 'X-Rucio-Password': 'one', 'X-Rucio-Email': 'a@example.org' };
    const send = (password: string) =>
      root.put(path, undefined, { headers: { ...options.headers, ...headers, 'X-Rucio-Password': password } });
    expectCreated(await send('one'));
    expectError(await send('two'), 422, 'IdempotencyKeyMismatch');
    expect((await send('one')).headers.get(replayed)).toBe('true');
  });

  it('is free for every other account', async () => {
    const [alice, bob]: Client[] = [await newAccount({ admin: true }), await newAccount({ admin: true })];
    const options = keyed();
    for (const client of [alice, bob]) {
      const answer = await client?.put(`/config/${uniqueName()}/colour/red`, undefined, options);
      expect([answer?.status, answer?.headers.get(replayed)]).toEqual([201, null]);
    }
  });
});

describe('a request that was refused', () => {
  it('is carried out when it is repeated', async () => {
    const [name, options] = [uniqueName(), keyed()];
    const path = `/dids/${scope}/${name}/dids`;
    const body = { dids: [{ scope, name: uniqueName('child') }] };
    expectError(await root.post(path, body, options), 404, 'DataIdentifierNotFound');
    expect((await root.post(`/dids/${scope}/${name}`, { type: 'CONTAINER' })).status).toBe(201);
    expect((await root.post(`/dids/${scope}/${body.dids[0]?.name}`, dataset)).status).toBe(201);
    const repeat = await root.post(path, body, options);
    expect([repeat.status, repeat.headers.get(replayed)]).toEqual([201, null]);
  });

  it('leaves its key unused', async () => {
    const options = keyed();
    expectError(await root.put(`/dids/${scope}/none/status`, { open: false }, options), 404, 'DataIdentifierNotFound');
    expect((await root.post(`/dids/${scope}/${uniqueName()}`, dataset, options)).status).toBe(201);
  });
});

describe('the text of a key', () => {
  it('may be quoted, as a string of a structured field', async () => {
    const path = `/config/${uniqueName()}/colour/red`;
    const key = uniqueName('say"');
    expectCreated(await root.put(path, undefined, keyed(key)));
    const quoted = `"${key.replaceAll('"', String.raw`\"`)}"`;
    expect((await root.put(path, undefined, keyed(quoted))).headers.get(replayed)).toBe('true');
  });

  it.each(['', '""', '"open', '"a"b"', 'x'.repeat(256)])('is refused: %j', async (key) => {
    const section = uniqueName();
    expectError(
      await root.put(`/config/${section}/colour/red`, undefined, keyed(key)),
      400,
      'InvalidObject',
      /^Problem validating Idempotency-Key: /,
    );
    expect((await root.get(`/config/${section}`)).status).toBe(404);
  });

  it('has up to 255 characters', async () => {
    const key = uniqueName().padEnd(255, 'é');
    const path = `/config/${uniqueName()}/colour/red`;
    expectCreated(await root.put(path, undefined, keyed(Buffer.from(key).toString('latin1').slice(0, 255))));
  });
});

describe('requests that write nothing', () => {
  it('ignore a key', async () => {
    const options = keyed();
    for (const answer of [
      await root.post('/dids/bulkmeta', { dids: [] }, options),
      await root.post('/replicas/list', { dids: [] }, options),
      await root.get('/scopes/', options),
    ]) {
      expect([answer.status, answer.headers.get(replayed)]).toEqual([200, null]);
    }
    expectEmpty(await root.put(`/accounts/root`, {}, options));
  });
});
