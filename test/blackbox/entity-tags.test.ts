/** `ETag`, `If-Match` and `If-None-Match` (docs/api.md, Changes on condition). */
import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, it } from 'vitest';

import { newDataset, newRule, newRuleSetup, type RuleSetup } from '../support/rules.ts';
import { asRoot, expectCreated, expectError, newScope, uniqueName } from '../support/server.ts';
import { addSubscription } from '../support/subscriptions.ts';

const root = asRoot();

let scope: string;
let setup: RuleSetup;
beforeAll(async () => {
  [scope, setup] = await Promise.all([newScope(), newRuleSetup()]);
});

const ifMatch = (tag: string) => ({ headers: { 'If-Match': tag } });

async function tagOf(path: string): Promise<string> {
  const { status, headers } = await root.get(path);
  expect(status).toBe(200);
  const tag = headers.get('ETag');
  expect(tag).toMatch(/^"[^"]+"$/);
  return String(tag);
}

async function dataset(): Promise<string> {
  const path = `/dids/${scope}/${uniqueName('ds')}`;
  expect((await root.post(path, { type: 'DATASET' })).status).toBe(201);
  return path;
}

/** A resource, where its tag is, and two changes of it that succeed one after the other. */
interface Case {
  readonly at: string;
  readonly change: (options?: { headers: Record<string, string> }) => ReturnType<typeof root.put>;
  readonly other: () => ReturnType<typeof root.put>;
}

const cases: Readonly<Record<string, () => Promise<Case>>> = {
  'the status of a DID': async () => {
    const did = await dataset();
    return {
      at: `${did}/status`,
      change: (options) => root.put(`${did}/status`, { open: false }, options),
      other: () => root.post(`${did}/meta/colour`, { value: 'red' }),
    };
  },
  'the metadata of a DID': async () => {
    const did = await dataset();
    return {
      at: `${did}/meta`,
      change: (options) => root.post(`${did}/meta/colour`, { value: 'blue' }, options),
      other: () => root.post(`${did}/meta`, { meta: { colour: 'red' } }),
    };
  },
  'the content of a DID': async () => {
    const did = await dataset();
    const files = (count: number) =>
      Array.from({ length: count }, () => ({ scope, name: uniqueName('file'), bytes: 1 }));
    return {
      at: did,
      change: (options) => root.post(`${did}/dids`, { rse: setup.one, dids: files(40) }, options),
      other: () => root.post(`${did}/dids`, { rse: setup.one, dids: files(1) }),
    };
  },
  'a rule': async () => {
    const rule = `/rules/${await newRule(await newDataset(setup.scope, setup.one, 1), setup.two)}`;
    return {
      at: rule,
      change: (options) => root.put(rule, { options: { comment: 'one' } }, options),
      other: () => root.put(rule, { options: { comment: 'other' } }),
    };
  },
  'the end of a rule': async () => {
    const rule = `/rules/${await newRule(await newDataset(setup.scope, setup.one, 1), setup.two)}`;
    return {
      at: rule,
      change: (options) => root.delete(rule, {}, options),
      other: () => root.put(rule, { options: { comment: 'other' } }),
    };
  },
  'an RSE': async () => {
    const rse = `/rses/${uniqueName('tag').toUpperCase()}`;
    expectCreated(await root.post(rse, {}));
    return {
      at: rse,
      change: (options) => root.put(rse, { city: 'Bern' }, options),
      other: () => root.post(`${rse}/attr/tier`, { value: '1' }),
    };
  },
  'an attribute of an RSE': async () => {
    const rse = `/rses/${uniqueName('tag').toUpperCase()}`;
    expectCreated(await root.post(rse, {}));
    return {
      at: `${rse}/attr`,
      change: (options) => root.post(`${rse}/attr/tier`, { value: '1' }, options),
      other: () => root.put(`${rse}/limits`, { name: 'MinFreeSpace', value: 1 }),
    };
  },
  'a subscription': async () => {
    const name = uniqueName('sub');
    expect((await addSubscription(root, name)).status).toBe(201);
    const path = `/subscriptions/root/${name}`;
    return {
      at: path,
      change: (options) => root.put(path, { options: { comments: 'one' } }, options),
      other: () => root.put(path, { options: { comments: 'other' } }),
    };
  },
  'an option of the configuration': async () => {
    const path = `/config/${uniqueName()}/colour`;
    expectCreated(await root.put(`${path}/red`));
    return {
      at: path,
      change: (options) => root.put(`${path}/green`, undefined, options),
      other: () => root.put(`${path}/blue`),
    };
  },
};

describe.each(Object.entries(cases))('%s', (_name, make) => {
  it('is changed if its tag is the one that was read', async () => {
    const { at, change } = await make();
    const tag = await tagOf(at);
    expect((await change(ifMatch(tag))).status).toBeLessThan(300);
    expect(await tagOf(at)).not.toBe(tag);
  });

  it('is not changed after another change', async () => {
    const { at, change, other } = await make();
    const tag = await tagOf(at);
    expect((await other()).status).toBeLessThan(300);
    const before = (await root.get(at)).text;
    expectError(await change(ifMatch(tag)), 412, 'PreconditionFailed');
    expect((await root.get(at)).text).toBe(before);
    expect((await change(ifMatch(`"none", ${await tagOf(at)}`))).status).toBeLessThan(300);
  });

  it('is changed by one of many concurrent requests with the same tag', async () => {
    const { at, change } = await make();
    const tag = await tagOf(at);
    const statuses = (await Promise.all([1, 2, 3].map(() => change(ifMatch(tag))))).map(({ status }) => status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    // The second request may also fail for another reason by then.
    expect(statuses.filter((status) => status >= 300 && status !== 412 && status !== 409)).toEqual([]);
  });

  it('is not changed with a weak tag, and changed with `*`', async () => {
    const { at, change } = await make();
    expectError(await change(ifMatch(`W/${await tagOf(at)}`)), 412, 'PreconditionFailed');
    expect((await change(ifMatch('*'))).status).toBeLessThan(300);
  });
});

describe('If-Match on a missing resource', () => {
  it('is refused', async () => {
    const path = `/config/${uniqueName()}/colour`;
    expectError(await root.put(`${path}/red`, undefined, ifMatch('*')), 412, 'PreconditionFailed');
    expectError(await root.get(path), 404, 'ConfigNotFound');
    expectError(
      await root.put(`/dids/${scope}/none/status`, { open: true }, ifMatch('*')),
      404,
      'DataIdentifierNotFound',
    );
    expectError(
      await root.put(`/dids/${scope}/a%23b/status`, { open: true }, ifMatch('*')),
      404,
      'DataIdentifierNotFound',
    );
  });

  it('is refused if the resource was created again under its name', async () => {
    const path = `/config/${uniqueName()}/colour`;
    expectCreated(await root.put(`${path}/red`));
    const tag = await tagOf(path);
    expect((await root.delete(path)).status).toBe(200);
    expectCreated(await root.put(`${path}/red`));
    expectError(await root.put(`${path}/blue`, undefined, ifMatch(tag)), 412, 'PreconditionFailed');
  });
});

describe('If-Match on a request without effect', () => {
  it('is refused nevertheless after another change', async () => {
    const path = `/config/${uniqueName()}/colour`;
    expectCreated(await root.put(`${path}/red`));
    const tag = await tagOf(path);
    expectCreated(await root.put(`${path}/blue`));
    expectError(await root.put(`${path}/blue`, undefined, ifMatch(tag)), 412, 'PreconditionFailed');
    expectCreated(await root.put(`${path}/blue`, undefined, ifMatch(await tagOf(path))));
  });
});

describe('more changes than one condition can hold', () => {
  it('are refused', async () => {
    const did = await dataset();
    const dids = Array.from({ length: 120 }, () => ({ scope, name: uniqueName('file'), bytes: 1 }));
    expect((await root.post(`${did}/dids`, { rse: setup.one, dids })).status).toBe(201);
    const named = { dids: dids.map(({ name }) => ({ scope, name })) };
    expectError(await root.delete(`${did}/dids`, named, ifMatch(await tagOf(did))), 413, 'PayloadTooLarge');
    expect((await root.get(did)).json()).toMatchObject({ length: 120 });
    expect((await root.delete(`${did}/dids`, named)).status).toBe(200);
  });
});

describe('If-Match with an Idempotency-Key', () => {
  it('gives a repeat the first answer, although the tag has changed', async () => {
    const did = await dataset();
    const options = { headers: { ...ifMatch(await tagOf(did)).headers, 'Idempotency-Key': randomUUID() } };
    const first = await root.put(`${did}/status`, { open: false }, options);
    const second = await root.put(`${did}/status`, { open: false }, options);
    expect([first.status, second.status, second.headers.get('Idempotent-Replayed')]).toEqual([200, 200, 'true']);
    const other = { headers: { ...options.headers, 'Idempotency-Key': randomUUID() } };
    expectError(await root.put(`${did}/status`, { open: true }, other), 412, 'PreconditionFailed');
  });
});

describe('If-None-Match', () => {
  const known = (tag: string) => ({ headers: { 'If-None-Match': tag } });

  it.each([
    'the status of a DID',
    'the metadata of a DID',
    'an RSE',
    'a subscription',
    'an option of the configuration',
  ])('spares who has %s its body, until it changes', async (name) => {
    const { at, change } = await (cases[name] as () => Promise<Case>)();
    const tag = await tagOf(at);
    const same = await root.get(at, known(`"none", W/${tag}`));
    expect([same.status, same.text, same.headers.get('ETag')]).toEqual([304, '', tag]);
    expect((await change()).status).toBeLessThan(300);
    const changed = await root.get(at, known(tag));
    expect(changed.status).toBe(200);
    expect(changed.text).not.toBe('');
  });

  it('does not omit a body that depends on other resources', async () => {
    const { at } = await (cases['a rule'] as () => Promise<Case>)();
    expect((await root.get(at, known(await tagOf(at)))).status).toBe(200);
    const container = `/dids/${scope}/${uniqueName('cnt')}`;
    const child = await dataset();
    const dids = [{ scope, name: child.split('/').at(-1) }];
    expect((await root.post(container, { type: 'CONTAINER', dids })).status).toBe(201);
    const tag = await tagOf(`${container}?dynamic=1`);
    expect((await root.get(`${container}?dynamic=1`, known(tag))).status).toBe(200);
  });
});
