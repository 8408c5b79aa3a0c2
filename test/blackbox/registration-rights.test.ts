/** Attaching with an RSE registers files and replicas, and needs the same rights as /replicas (docs/security.md). */
import { beforeAll, describe, expect, it } from 'vitest';

import { list, newStorageRse, register } from '../support/replicas.ts';
import { asRoot, type Client, expectError, newAccount, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();
const checked = { bytes: 10, adler32: '0cc737eb' };

let jdoe: Client;
/** Of jdoe, and of somebody else. */
let own: string;
let foreign: string;
/** With a limit of jdoe's, and without. */
let allowed: string;
let tape: string;

beforeAll(async () => {
  jdoe = await newAccount();
  [own, foreign, allowed, tape] = await Promise.all([
    newScope({ owner: jdoe.account }),
    newScope(),
    newStorageRse(),
    newStorageRse({ prefix: '/tape', deterministic: false }),
  ]);
  expect((await root.post(`/accounts/${jdoe.account}/limits/local/${allowed}`, { bytes: 1_000 })).status).toBe(201);
});

const file = (scope: string, more: object = {}) => ({ scope, name: uniqueName('file'), ...checked, ...more });

async function newDid(type: string, name = uniqueName('did')): Promise<string> {
  expect((await jdoe.post(`/dids/${own}/${name}`, { type })).status).toBe(201);
  return name;
}

const onTape = (rse: string) =>
  `Account ${jdoe.account} can not add file replicas on ${rse}. It has no quota on ${rse}.`;
const notOwn = (rse: string) =>
  `Account ${jdoe.account} can not add file replicas on ${rse}. Scope ${foreign} is not its own.`;

describe('attaching with an RSE', () => {
  /** Every request that can register, given what it names. */
  const requests = {
    'POST /dids/{scope}/{name}/dids': async (dids: object[], rse: string) =>
      jdoe.post(`/dids/${own}/${await newDid('DATASET')}/dids`, { dids, rse }),
    'POST /dids/attachments': async (dids: object[], rse: string) =>
      jdoe.post('/dids/attachments', [{ scope: own, name: await newDid('DATASET'), dids, rse }]),
    'POST /dids/{scope}/{name}': (dids: object[], rse: string) =>
      jdoe.post(`/dids/${own}/${uniqueName('did')}`, { type: 'DATASET', dids, rse }),
    'POST /dids': (dids: object[], rse: string) =>
      jdoe.post('/dids', [{ scope: own, name: uniqueName('did'), type: 'DATASET', dids, rse }]),
  };

  it.each(Object.entries(requests))('%s registers own files where the account has a limit', async (_name, send) => {
    const made = file(own);
    expect((await send([made], allowed)).status).toBe(201);
    expect((await list(own, [made.name]))[0]?.states).toHaveProperty(allowed);
  });

  it.each(Object.entries(requests))('%s does not create a file in a scope of another account', async (_name, send) => {
    const squatted = file(foreign);
    expectError(await send([squatted], allowed), 401, 'AccessDenied', notOwn(allowed));
    expect((await root.get(`/dids/${foreign}/${squatted.name}`)).status).toBe(404);
  });

  it.each(Object.entries(requests))('%s does not give a file of another account a replica', async (_name, send) => {
    const victim = uniqueName('victim');
    await register(allowed, foreign, [victim]);
    const trap = { scope: foreign, name: victim, ...checked, pfn: 'file://localhost/tape/other-content' };
    expectError(await send([trap], tape), 401, 'AccessDenied', notOwn(tape));
    expect(Object.keys((await list(foreign, [victim]))[0]?.states ?? {})).toEqual([allowed]);
  });

  it.each(Object.entries(requests))('%s registers nothing where the account has no limit', async (_name, send) => {
    const made = file(own, { pfn: 'file://localhost/tape/x' });
    expectError(await send([made], tape), 401, 'AccessDenied', onTape(tape));
    expect((await root.get(`/dids/${own}/${made.name}`)).status).toBe(404);
  });

  it.each(Object.entries(requests))(
    '%s does not create a file of another account on an RSE where everybody may register',
    async (_name, send) => {
      const scratch = await newStorageRse({ name: `${uniqueName('r').toUpperCase()}_SCRATCHDISK` });
      const squatted = file(foreign);
      expectError(
        await send([squatted], scratch),
        401,
        'AccessDenied',
        `Operation involves the following new files which will require the creation of new DIDs:\n` +
          `[{'scope': '${foreign}', 'name': '${squatted.name}', 'type': <DIDType.FILE: 'F'>}]\n` +
          `However, account ${jdoe.account} can not add file DIDs on ${scratch}`,
      );
    },
  );

  it.each(Object.entries(requests))('%s attaches files that have a replica there already', async (_name, send) => {
    const victim = uniqueName('known');
    await register(tape, foreign, [victim], { pfn: `file://localhost/tape/${victim}` });
    const named = { scope: foreign, name: victim, ...checked, pfn: `file://localhost/tape/${victim}` };
    expect((await send([named], tape)).status).toBe(201);
  });
});

describe('filling an archive', () => {
  const archive = async () => {
    const name = `${uniqueName('archive')}.zip`;
    await register(allowed, own, [name]);
    return `/dids/${own}/${name}/dids`;
  };

  it('does not create a file in a scope of another account', async () => {
    const squatted = file(foreign);
    const answer = await jdoe.post(await archive(), { dids: [squatted] });
    expectError(answer, 401, 'AccessDenied', `Account ${jdoe.account} can not bulk add data identifier. `);
    expect((await root.get(`/dids/${foreign}/${squatted.name}`)).status).toBe(404);
  });

  it('gives no access to a file of another account', async () => {
    const victim = uniqueName('victim');
    await register(allowed, foreign, [victim]);
    const answer = await jdoe.post(await archive(), { dids: [{ scope: foreign, name: victim }] });
    expectError(answer, 401, 'AccessDenied', `Account ${jdoe.account} can not bulk add data identifier. `);
  });
});

describe('new DIDs', () => {
  it('cannot have a locked rule that the account may not make', async () => {
    const name = uniqueName('did');
    const rules = [{ copies: 1, rse_expression: allowed, locked: true }];
    const answer = await jdoe.post(`/dids/${own}/${name}`, { type: 'DATASET', rules });
    expectError(answer, 401, 'AccessDenied', `Account ${jdoe.account} can not add data identifier to scope ${own}. `);
  });
});
