/** A bad replica that no rule needs may be deleted at once, where the file has another copy (replication 1.8). */
import { beforeAll, describe, expect, it } from 'vitest';

import { expectStatus, register, states } from '../support/replicas.ts';
import { expectState, newReplicationSetup, putReplicaStates, type ReplicationSetup } from '../support/replication.ts';
import { expectGone, newRule, update } from '../support/rules.ts';
import { asRoot, uniqueName } from '../support/server.ts';

const root = asRoot();
let setup: ReplicationSetup;

beforeAll(async () => {
  // Prefixes of its own: PFNs are declared, which must lead to one RSE.
  setup = await newReplicationSetup({ one: `/${uniqueName('one')}`, two: `/${uniqueName('two')}` });
});

const obsolete = 'Thu, 01 Jan 1970 00:00:00 UTC';
const did = (name: string) => ({ scope: setup.scope, name });
const deletable = async (name: string) => {
  const answer = await root.get(`/replicas/deletable?rse=${setup.one}`);
  expectStatus(answer, 200);
  const lines = answer.lines() as { name: string; state: string; tombstone: string }[];
  return lines.flatMap((line) => (line.name === name ? [[line.state, line.tombstone]] : []));
};
/** A file on the first RSE, and on the second one unless it is the only copy. */
const newFile = async (isOnlyCopy = false) => {
  const name = uniqueName('f');
  await register(setup.one, setup.scope, [name]);
  if (!isOnlyCopy) await register(setup.two, setup.scope, [name]);
  return name;
};
const pfnOf = async (name: string) => {
  const answer = await root.get(`/rses/${setup.one}/lfns2pfns?lfn=${setup.scope}:${name}`);
  return String(Object.values(answer.json() as object)[0]);
};
const declareBad = async (name: string) =>
  expectStatus(await root.post('/replicas/bad', { replicas: [{ ...did(name), rse: setup.one }], reason: 'r' }), 201);

describe('a bad replica without locks', () => {
  it.each([
    ['POST /replicas/bad by name', declareBad],
    [
      'POST /replicas/bad by PFN',
      async (name: string) =>
        expectStatus(await root.post('/replicas/bad', { replicas: [await pfnOf(name)], reason: 'r' }), 201),
    ],
    [
      'POST /replicas/bad/dids',
      async (name: string) =>
        expectStatus(await root.post('/replicas/bad/dids', { dids: [did(name)], rse: setup.one, reason: 'r' }), 201),
    ],
    [
      'POST /replicas/bad/pfns',
      async (name: string) =>
        expectStatus(
          await root.post('/replicas/bad/pfns', { pfns: [await pfnOf(name)], state: 'BAD', reason: 'r' }),
          201,
        ),
    ],
    ['PUT /replicas', (name: string) => putReplicaStates(setup.one, [did(name)], 'D')],
  ])('may be deleted at once where another copy is: %s', async (_route, declare) => {
    const name = await newFile();
    await declare(name);
    await expect.poll(() => deletable(name)).toEqual([['BAD', obsolete]]);
    expect(await states(setup.scope, name)).toMatchObject({ [setup.one]: 'BAD', [setup.two]: 'AVAILABLE' });
  });

  it('stays while it is the only copy, and may be deleted once there is another one', async () => {
    const name = await newFile(true);
    await declareBad(name);
    expect(await deletable(name)).toEqual([]);
    await register(setup.two, setup.scope, [name]);
    await expect.poll(() => deletable(name)).toEqual([['BAD', obsolete]]);
  });

  it('stays while the other copy is on its way', async () => {
    const name = await newFile();
    await putReplicaStates(setup.two, [did(name)], 'C');
    await declareBad(name);
    expect(await deletable(name)).toEqual([]);
    await putReplicaStates(setup.two, [did(name)], 'A');
    await expect.poll(() => deletable(name)).toEqual([['BAD', obsolete]]);
  });

  it('is kept again when it turns out to be good', async () => {
    const name = await newFile();
    await declareBad(name);
    await expect.poll(() => deletable(name)).toHaveLength(1);
    await putReplicaStates(setup.one, [did(name)], 'A');
    expect(await deletable(name)).toEqual([]);
  });
});

describe('a bad replica with locks', () => {
  it('is asked for again, and not deleted', async () => {
    const name = await newFile();
    const id = await newRule(did(name), setup.one, {}, setup.owner);
    await declareBad(name);
    await expectState(id, 'REPLICATING 0/1/0');
    expect(await deletable(name)).toEqual([]);
  });

  it('may be deleted at once when the last rule ends and there is another copy', async () => {
    const name = await newFile(true);
    const id = await newRule(did(name), setup.one, {}, setup.owner);
    await declareBad(name);
    await expectState(id, 'STUCK 0/0/1');
    expect(await deletable(name)).toEqual([]);
    await update(id, { lifetime: 0 });
    await expectGone(id);
    expect(await deletable(name)).not.toContainEqual(['BAD', obsolete]);
    await register(setup.two, setup.scope, [name]);
    await expect.poll(() => deletable(name)).toEqual([['BAD', obsolete]]);
  });
});
