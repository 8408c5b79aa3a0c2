import { beforeAll, describe, expect, it } from 'vitest';

import { collect, expectStatus, newStorageRse, register } from '../support/replicas.ts';
import { newReplicationSetup, putReplicaStates, type ReplicationSetup } from '../support/replication.ts';
import { allow, expectGone, newRule, update } from '../support/rules.ts';
import { asRoot, expectEmpty, expectError, newAccount, uniqueName } from '../support/server.ts';
import { walk } from '../support/walk.ts';

const root = asRoot();
let setup: ReplicationSetup;

/** A line of the list. */
interface Line {
  readonly name: string;
  readonly state: string;
  readonly [member: string]: unknown;
}

beforeAll(async () => {
  setup = await newReplicationSetup();
});

const did = (name: string) => ({ scope: setup.scope, name });
const list = async (rse: string, as = root): Promise<Line[]> => {
  const answer = await as.get(`/replicas/deletable?rse=${rse}`);
  expectStatus(answer, 200);
  return answer.lines() as Line[];
};
const names = async (rse: string) => (await list(rse)).map(({ name }) => name);
const free = async (rse: string, ...files: readonly string[]) =>
  expectStatus(
    await root.post('/replicas/tombstone', { replicas: files.map((name) => ({ rse, scope: setup.scope, name })) }),
    201,
  );

/** Ends a rule now, and waits until its locks are gone. */
async function end(id: string, purge: boolean): Promise<void> {
  expectEmpty(await update(id, { purge_replicas: purge }));
  expectEmpty(await update(id, { lifetime: 0 }));
  await expectGone(id);
}

/** A new RSE with files on it, named after the RSE and numbered. */
async function newFilledRse(count: number, options: object = {}): Promise<{ rse: string; files: string[] }> {
  const rse = await newStorageRse({ prefix: '/free', ...options });
  await allow(setup.account, rse);
  const files = Array.from({ length: count }, (_none, index) => `${rse}.${index}`);
  if (count > 0) await register(rse, setup.scope, files);
  return { rse, files };
}

describe('GET /replicas/deletable (Dapple)', () => {
  it('lists replicas with a tombstone that has passed, with size, PFN and since when', async () => {
    const { rse, files } = await newFilledRse(3);
    const [one = '', two = ''] = files;
    expect(await list(rse)).toEqual([]);
    await free(rse, two);
    await free(rse, one);
    const { id } = (await root.get(`/rses/${rse}`)).json() as { id: string };
    const [first, ...others] = await list(rse, await newAccount());
    expect(first).toEqual({
      scope: setup.scope,
      name: two,
      rse,
      rse_id: id,
      bytes: 10,
      state: 'AVAILABLE',
      pfn: expect.stringMatching(new RegExp(`^file://localhost/free/.*/${two}$`)),
      tombstone: 'Thu, 01 Jan 1970 00:00:00 UTC',
      since: expect.stringMatching(/ UTC$/),
    });
    expect(new Date(String(first?.['since'])).getTime()).toBeGreaterThan(Date.now() - 60_000);
    expect(others.map(({ name }) => name)).toEqual([one]);
  });

  it('lists a replica from the end of its last rule until a new rule locks it; what was set free at once comes first', async () => {
    const { rse, files } = await newFilledRse(3);
    const dataset = uniqueName('ds');
    await collect('DATASET', setup.scope, dataset, files);
    const rule = await newRule(did(dataset), rse, {}, setup.owner);
    const other = await newRule(did(files[0] ?? ''), rse, {}, setup.owner);
    expect(await names(rse)).toEqual([]);
    await end(rule, false);
    expect(new Set(await names(rse))).toEqual(new Set(files.slice(1)));
    await free(rse, files[2] ?? '');
    expect(await names(rse)).toEqual([files[2], files[1]]);
    await end(other, true);
    expect(await names(rse)).toEqual([files[2], files[0], files[1]]);
    await newRule(did(dataset), rse, {}, setup.owner);
    expect(await names(rse)).toEqual([]);
  });

  it('lists no replica that was deleted, and none that was registered anew since', async () => {
    const { rse, files } = await newFilledRse(2);
    await free(rse, ...files);
    expectEmpty(await root.delete('/replicas', { rse, files: files.slice(0, 1).map(did) }));
    expect(await names(rse)).toEqual(files.slice(1));
    await register(rse, setup.scope, files);
    expect(await names(rse)).toEqual([]);
    await free(rse, ...files);
    expect(new Set(await names(rse))).toEqual(new Set(files));
  });

  it('follows the attribute tombstone_delay: at once if it is negative, not before its time if it is positive', async () => {
    for (const [delay, listed] of [
      ['-1', true],
      ['86400', false],
    ] as const) {
      const { rse } = await newFilledRse(0);
      expectStatus(await root.post(`/rses/${rse}/attr/tombstone_delay`, { value: delay }), 201);
      await register(rse, setup.scope, [`${rse}.f`]);
      expect(await names(rse)).toEqual(listed ? [`${rse}.f`] : []);
    }
  });

  it('leaves out an available replica while a copy of its file is under way, since it may be the source', async () => {
    const { rse, files } = await newFilledRse(1);
    const [file = ''] = files;
    await free(rse, file);
    await newRule(did(file), setup.two, {}, setup.owner);
    expect(await names(rse)).toEqual([]);
    await putReplicaStates(setup.two, [did(file)], 'A');
    expect(await names(rse)).toEqual([file]);
  });

  it('leaves out the last copy of a file that a rule needs, and lists it once there is another one', async () => {
    const { rse, files } = await newFilledRse(1);
    const [file = ''] = files;
    await free(rse, file);
    await newRule(did(file), setup.two, {}, setup.owner);
    await putReplicaStates(setup.two, [did(file)], 'U');
    expect(await names(rse)).toEqual([]);
    await register(setup.one, setup.scope, [file]);
    expect(await names(rse)).toEqual([file]);
  });

  it('leaves out a replica that somebody deletes just now, and one that is being uploaded or was uploaded anew', async () => {
    const { rse, files } = await newFilledRse(3);
    const [being = '', bad = '', copying = ''] = files;
    await free(rse, ...files);
    await putReplicaStates(rse, [did(being)], 'B');
    await putReplicaStates(rse, [did(bad)], 'U');
    await putReplicaStates(rse, [did(copying)], 'C');
    expect((await list(rse)).map(({ name, state }) => [name, state])).toEqual([[bad, 'UNAVAILABLE']]);
    await putReplicaStates(rse, [did(copying)], 'A');
    expect(await names(rse)).toEqual([bad]);
  });

  it('has no PFN where no protocol can delete', async () => {
    const { rse, files } = await newFilledRse(1, { prefix: undefined });
    await free(rse, ...files);
    expect(await list(rse)).toMatchObject([{ name: files[0], pfn: null }]);
  });

  it('comes in pages, in the same order', async () => {
    const { rse, files } = await newFilledRse(23);
    await free(rse, ...files.slice(7));
    await free(rse, ...files.slice(0, 7));
    const all = await list(rse);
    expect(all).toHaveLength(23);
    const pages = (await walk(root, `/replicas/deletable?rse=${rse}`, 5)) as Line[][];
    expect(pages.map((page) => page.length)).toEqual([5, 5, 5, 5, 3]);
    expect(pages.flat()).toEqual(all);
    expect(new Set(all.slice(0, 16).map(({ name }) => name))).toEqual(new Set(files.slice(7)));
  });

  it('needs the name of an RSE', async () => {
    expectError(await root.get('/replicas/deletable?rse=NONE'), 404, 'RSENotFound');
    expectStatus(await root.get('/replicas/deletable'), 400);
  });
});
