import { beforeAll, describe, expect, it } from 'vitest';

import { expectStatus, register } from '../support/replicas.ts';
import { expectState, newReplicationSetup, type ReplicationSetup } from '../support/replication.ts';
import { newRule } from '../support/rules.ts';
import { asRoot, expectError, newAccount, uniqueName } from '../support/server.ts';

const root = asRoot();
let setup: ReplicationSetup;

beforeAll(async () => {
  setup = await newReplicationSetup();
  // Other tests may have limited all RSEs.
  for (const limit of (await root.get('/requests/transfer_limits')).lines()) {
    expectStatus(await root.delete('/requests/transfer_limits', limit), 200);
  }
});

interface Leased {
  readonly scope: string;
  readonly name: string;
  readonly lease: string;
  readonly [member: string]: unknown;
}

async function want(): Promise<{ name: string; rule: string }> {
  const name = uniqueName('f');
  await register(setup.one, setup.scope, [name]);
  return { name, rule: await newRule({ scope: setup.scope, name }, setup.two, {}, setup.owner) };
}

/** Leases until a file is among what is leased: the index of due transfers may lag. */
async function leaseOf(name: string): Promise<Leased> {
  let found: Leased | undefined;
  await expect
    .poll(async () => {
      const answer = await root.post('/requests/lease', { holder: 'test', dst_rse: setup.two, seconds: 60 });
      expectStatus(answer, 200);
      found ??= (answer.json() as Leased[]).find((leased) => leased.name === name);
      return found?.name;
    })
    .toBe(name);
  if (found === undefined) throw new Error('nothing was leased');
  return found;
}

const report = async (leased: Leased, more: object) => {
  const { scope, name, lease } = leased;
  const body = { rse: setup.two, requests: [{ scope, name, lease, ...more }] };
  const answer = await root.post('/requests/report', body);
  expectStatus(answer, 200);
  return (answer.json() as object[])[0];
};

describe('POST /requests/lease and /requests/report', () => {
  it('give a mover what it needs, and carry out what it reports', async () => {
    const { name, rule } = await want();
    const { scope, one, two } = setup;
    const leased = await leaseOf(name);
    expect(leased).toMatchObject({
      scope,
      name,
      bytes: 10,
      adler32: '0cc737eb',
      dest_rse: two,
      dest_url: expect.stringMatching(new RegExp(`^file://localhost/two/.*/${name}$`)),
      overwrite: false,
      sources: [{ rse: one, url: expect.stringMatching(new RegExp(`^file://localhost/one/.*/${name}$`)), failures: 0 }],
      rule_id: rule,
      retry_count: 0,
      external_id: null,
      expires_at: expect.stringMatching(/ UTC$/),
    });
    const shown = (await root.get(`/requests/${scope}/${name}/${two}`)).json();
    expect(shown).toMatchObject({ state: 'SUBMITTING', last_processed_by: 'test', source_rse: one });
    expect(await report(leased, { state: 'SUBMITTED', external_id: 'job 1' })).toMatchObject({ state: 'SUBMITTED' });
    // Tools print it in upper case, and without leading zeros.
    const done = { state: 'DONE', bytes: 10, adler32: 'CC737EB' };
    const answer = { scope, name, lease: leased.lease, state: 'DONE', retry_count: 0, next_at: null, err_msg: null };
    expect(await report(leased, done)).toEqual(answer);
    expect(await report(leased, done)).toEqual(answer);
    await expectState(rule, 'OK 1/0/0');
    const path = `/requests/history/list?src_rse=${one}&dst_rse=${two}&request_states=D`;
    await expect
      .poll(async () => (await root.get(path)).lines() as object[])
      .toContainEqual(expect.objectContaining({ name, state: 'DONE', external_id: 'job 1', source_rse: one }));
    expect((await root.get(`/requests/history/${scope}/${name}/${two}`)).json()).toMatchObject({ state: 'DONE' });
  });

  it('count a failure, and offer the transfer later', async () => {
    const { name } = await want();
    const leased = await leaseOf(name);
    expect(await report(leased, { state: 'FAILED', err_msg: 'no space left' })).toMatchObject({
      state: 'QUEUED',
      retry_count: 1,
      next_at: expect.stringMatching(/ UTC$/),
      err_msg: 'no space left',
    });
    const shown = (await root.get(`/requests/${setup.scope}/${name}/${setup.two}`)).json();
    expect(shown).toMatchObject({ state: 'QUEUED', retry_count: 1, err_msg: 'no space left' });
  });

  it('are for root, admins and accounts with the attribute mover', async () => {
    const mover = await newAccount();
    const bodies = [
      ['/requests/lease', { holder: 'm', dst_rse: setup.one }, 'lease requests'],
      [
        '/requests/report',
        { rse: setup.one, requests: [{ scope: setup.scope, name: 'x', lease: 'x', state: 'DONE' }] },
        'report on requests',
      ],
    ] as const;
    for (const [path, body, what] of bodies) {
      expectError(await mover.post(path, body), 401, 'AccessDenied', `${mover.account} cannot ${what}. `);
    }
    const attribute = { key: 'mover', value: 'true' };
    expectStatus(await root.post(`/accounts/${mover.account}/attr/mover`, attribute), 201);
    for (const [path, body] of bodies) expectStatus(await mover.post(path, body), 200);
  });

  it('refuse what is no lease and no report', async () => {
    const lease = { holder: 'm', dst_rse: setup.two };
    for (const more of [
      { limit: 0 },
      { limit: 501 },
      { seconds: 9 },
      { seconds: 1e9 },
      { holder: '' },
      { schemes: [] },
    ]) {
      expectError(await root.post('/requests/lease', { ...lease, ...more }), 400, 'InvalidObject');
    }
    expectError(await root.post('/requests/lease', { ...lease, dst_rse: 'NONE' }), 404, 'RSENotFound');
    expectError(await root.post('/requests/lease', { ...lease, dst_rse: 'a=(' }), 400, 'InvalidRSEExpression');
    expectError(await root.post('/requests/lease', { ...lease, src_rse: 'NONE' }), 404, 'RSENotFound');
    const one = { scope: 's', name: 'n', lease: 'l', state: 'DONE' };
    for (const requests of [[], [{ ...one, state: 'A' }], [{ ...one, bytes: -1 }], [{ ...one, lease: 7 }]]) {
      expectError(await root.post('/requests/report', { rse: setup.two, requests }), 400, 'InvalidObject');
    }
    expectError(await root.post('/requests/report', { rse: 'NONE', requests: [one] }), 404, 'RSENotFound');
    const odd = { rse: setup.two, requests: [{ ...one, scope: '#', name: '' }] };
    expect((await root.post('/requests/report', odd)).json()).toMatchObject([{ state: 'LOST' }]);
  });

  it('ignore an Idempotency-Key for a lease: each takes other transfers', async () => {
    const { name } = await want();
    const headers = { 'Idempotency-Key': uniqueName('key') };
    const wish = { holder: 'test', dst_rse: setup.two };
    const names: string[] = [];
    await expect
      .poll(async () => {
        const answer = await root.post('/requests/lease', wish, { headers });
        names.push(...(answer.json() as Leased[]).map((leased) => leased.name));
        return names.filter((one) => one === name);
      })
      .toEqual([name]);
    expect(names).toHaveLength(new Set(names).size);
  });
});
