import { beforeAll, describe, expect, it } from 'vitest';

import { addRse } from '../support/rses.ts';
import { asRoot, type Client, expectCreated, newAccount, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();
const atOnce = 20;

let scope: string;
let home: string;
beforeAll(async () => {
  [scope, home] = await Promise.all([newScope(), addRse()]);
});

/** New DIDs of a size each: files, or datasets of two files. */
async function newDids(count: number, bytes: number, type: 'FILE' | 'DATASET'): Promise<string[]> {
  const names = Array.from({ length: count }, () => uniqueName('quota'));
  const files =
    type === 'FILE'
      ? names.map((name) => ({ scope, name, bytes }))
      : names.flatMap((name) => ['a', 'b'].map((part) => ({ scope, name: `${name}.${part}`, bytes: bytes / 2 })));
  expectCreated(await root.post('/replicas', { rse: home, files }));
  if (type === 'FILE') return names;
  const datasets = names.map((name) => ({
    scope,
    name,
    type,
    dids: [
      { scope, name: `${name}.a` },
      { scope, name: `${name}.b` },
    ],
  }));
  expect((await root.post('/dids', datasets)).status).toBe(201);
  return names;
}

const limit = (client: Client, kind: string, on: string, bytes: number) =>
  root.post(`/accounts/${client.account}/limits/${kind}/${encodeURIComponent(on)}`, { bytes });

/** An account with a quota on each of some RSEs. */
async function accountWith(bytes: number, ...rses: readonly string[]): Promise<Client> {
  const client = await newAccount();
  for (const rse of rses) expectCreated(await limit(client, 'local', rse, bytes));
  return client;
}

/** Asks for a rule on each DID at the same time. @returns The statuses, how often each. */
async function askAtOnce(client: Client, names: readonly string[], rule: object): Promise<Record<number, number>> {
  const answers = await Promise.all(
    names.map((name) => client.post('/rules/', { dids: [{ scope, name }], account: null, copies: 1, ...rule })),
  );
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function usedBytes(client: Client): Promise<number> {
  const usages = (await root.get(`/accounts/${client.account}/usage`)).lines() as { bytes: number }[];
  return usages.reduce((sum, { bytes }) => sum + bytes, 0);
}

describe('rules of one account that are asked for at the same time', () => {
  it.each(['FILE', 'DATASET'] as const)('keep to its limit on an RSE together: each on a %s', async (type) => {
    const rse = await addRse();
    const client = await accountWith(100, rse);
    const names = await newDids(atOnce, 60, type);
    expect(await askAtOnce(client, names, { rse_expression: rse })).toEqual({ 201: 1, 409: atOnce - 1 });
    expect(await usedBytes(client)).toBe(60);
  });

  it('are all accepted if they fit together', async () => {
    const rse = await addRse();
    const client = await accountWith(1_000, rse);
    const names = await newDids(atOnce, 49, 'FILE');
    expect(await askAtOnce(client, names, { rse_expression: rse })).toEqual({ 201: atOnce });
    expect(await usedBytes(client)).toBe(atOnce * 49);
  });

  it('keep to its limit on an expression together, on different RSEs too', async () => {
    const [one, two] = [await addRse(), await addRse()];
    const client = await accountWith(1_000, one, two);
    expectCreated(await limit(client, 'global', `${one}|${two}`, 100));
    const names = await newDids(atOnce, 60, 'FILE');
    const half = atOnce / 2;
    const counts = await Promise.all([
      askAtOnce(client, names.slice(0, half), { rse_expression: one }),
      askAtOnce(client, names.slice(half), { rse_expression: two }),
    ]);
    expect(counts.map(({ 201: made = 0 }) => made).toSorted((a, b) => a - b)).toEqual([0, 1]);
    expect(await usedBytes(client)).toBe(60);
  });

  it('keep to its limits if tasks place them', async () => {
    const rse = await addRse();
    const client = await accountWith(100, rse);
    const names = await newDids(atOnce, 60, 'DATASET');
    expect(await askAtOnce(client, names, { rse_expression: rse, asynchronous: true })).toEqual({ 201: atOnce });
    const states = async () => {
      const rules = (await root.get(`/rules/?account=${client.account}`)).lines() as { state: string }[];
      return rules
        .map(({ state }) => state)
        .toSorted()
        .join();
    };
    await expect.poll(states, { timeout: 30_000 }).toMatch(/^REPLICATING(,STUCK){19}$/);
    expect(await usedBytes(client)).toBe(60);
  });

  it('keep to its limit where it was changed, or files are attached, meanwhile', async () => {
    const rse = await addRse();
    const client = await accountWith(100, rse);
    const [dataset = ''] = await newDids(1, 2, 'DATASET');
    expect(await askAtOnce(client, [dataset], { rse_expression: rse })).toEqual({ 201: 1 });
    const names = await newDids(atOnce, 60, 'FILE');
    const [counts] = await Promise.all([
      askAtOnce(client, names.slice(1), { rse_expression: rse }),
      root.post(`/dids/${scope}/${dataset}/dids`, { dids: [{ scope, name: names[0] }] }),
      limit(client, 'local', rse, 101),
    ]);
    await expect.poll(() => usedBytes(client), { timeout: 30_000 }).toBe(62);
    expect(counts[201] ?? 0).toBeLessThanOrEqual(1);
  });
});

describe('the copies of one rule', () => {
  it('share a limit on an expression', async () => {
    const [one, two] = [await addRse(), await addRse()];
    const client = await accountWith(1_000, one, two);
    expectCreated(await limit(client, 'global', `${one}|${two}`, 100));
    const [[large = ''], [small = '']] = [await newDids(1, 60, 'FILE'), await newDids(1, 50, 'FILE')];
    const rule = { rse_expression: `${one}|${two}`, copies: 2 };
    expect(await askAtOnce(client, [large], rule)).toEqual({ 409: 1 });
    expect(await askAtOnce(client, [small], rule)).toEqual({ 201: 1 });
    expect(await usedBytes(client)).toBe(100);
  });
});
