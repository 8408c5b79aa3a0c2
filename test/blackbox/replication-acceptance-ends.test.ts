/** Acceptance of rules and replicas (spec/replication.md 8): the end of rules and DIDs. */
import { beforeAll, describe, expect, it } from 'vitest';

import { collect, expectStatus, register } from '../support/replicas.ts';
import {
  expectProtection,
  expectState,
  locksOf,
  newReplicationSetup,
  type ReplicationSetup,
  putReplicaStates,
  stateOf,
  expireDidsNow,
  usageOf,
} from '../support/replication.ts';
import { expectGone, linesOf, newRule, ruleOf, update } from '../support/rules.ts';
import { asRoot, expectEmpty, expectError, uniqueName } from '../support/server.ts';

const root = asRoot();
let setup: ReplicationSetup;

beforeAll(async () => {
  setup = await newReplicationSetup();
});

const did = (name: string) => ({ scope: setup.scope, name });

/** A file on the first RSE, in a dataset of its own. */
async function newFile(): Promise<{ file: string; dataset: string }> {
  const [file, dataset] = [uniqueName('f'), uniqueName('ds')];
  await register(setup.one, setup.scope, [file]);
  await collect('DATASET', setup.scope, dataset, [file]);
  return { file, dataset };
}

const move = async (id: string, rse: string, more: object = {}) => {
  const answer = await root.post(`/rules/${id}/move`, { rule_id: id, rse_expression: rse, ...more });
  expectStatus(answer, 201);
  return String(answer.json());
};

describe('acceptance of replication (replication 8)', () => {
  it('7. a deleted rule is listed for an hour; after the expiry job its locks are gone, and history has two lines', async () => {
    const { scope, one, owner } = setup;
    for (const purge of [false, true]) {
      const { file, dataset } = await newFile();
      const id = await newRule(did(dataset), one, {}, owner);
      expectEmpty(await owner.delete(`/rules/${id}`, { purge_replicas: purge }));
      const [listed] = await linesOf(`/dids/${scope}/${dataset}/rules`);
      const left = Date.parse(String(listed?.expires_at)) - Date.now();
      expect(left).toBeGreaterThan(3_500_000);
      expect(left).toBeLessThanOrEqual(3_601_000);
      expectEmpty(await owner.delete(`/rules/${id}`, { purge_replicas: null }));
      await expectProtection(did(file), one, 1, null);
      expectEmpty(await update(id, { lifetime: 0 }));
      await expectGone(id);
      expect(await locksOf(id)).toEqual({});
      expect(await linesOf(`/locks/${scope}/${dataset}?did_type=dataset`)).toEqual([]);
      await expectProtection(did(file), one, 0, purge ? 0 : 'birth');
      const history = await linesOf(`/rules/${scope}/${dataset}/history`);
      expect(history.map((line) => line['rule_id'])).toEqual([id, id]);
    }
  });

  it('8. neither a locked rule nor a parent rule with a child is deleted', async () => {
    const { dataset } = await newFile();
    const id = await newRule(did(dataset), setup.one, { locked: true }, setup.owner);
    expectError(await root.delete(`/rules/${id}`, { purge_replicas: null }), 409, 'UnsupportedOperation', /is locked/);
    expectEmpty(await update(id, { locked: false }));
    await move(id, setup.two);
    expectError(await root.delete(`/rules/${id}`, { purge_replicas: null }), 409, 'UnsupportedOperation', /child rule/);
  });

  it('9. a moved rule keeps its child until PUT A, then goes, and its purge flag decides the tombstone', async () => {
    const { one, two, owner } = setup;
    for (const purge of [false, true]) {
      const { file, dataset } = await newFile();
      const id = await newRule(did(dataset), one, { purge_replicas: purge }, owner);
      const child = await move(id, two);
      expect(await ruleOf(id)).toMatchObject({ child_rule_id: child, state: 'OK' });
      expect(await stateOf(child)).toBe('REPLICATING 0/1/0');
      await putReplicaStates(two, [did(file)], 'A');
      expect(await stateOf(child)).toBe('OK 1/0/0');
      await expectGone(id);
      await expectProtection(did(file), one, 0, purge ? 0 : 'birth');
      await expectProtection(did(file), two, 1, null);
    }
  });

  it('10. a rule that waits for approval has no locks; approved it is placed without limit, denied it is gone', async () => {
    const ask = async () => {
      const { dataset } = await newFile();
      return newRule(did(dataset), setup.one, { ask_approval: true, account: 'root' });
    };
    const [approved, denied] = [await ask(), await ask()];
    expect(await stateOf(approved)).toBe('WAITING_APPROVAL 0/0/0');
    expect(await locksOf(approved)).toEqual({});
    expectEmpty(await update(approved, { approve: true }));
    await expectState(approved, 'OK 1/0/0');
    expect(await ruleOf(approved)).toMatchObject({ ignore_account_limit: true });
    expectEmpty(await update(denied, { approve: false }));
    await expectGone(denied);
  });

  it('11. an expired DID: its rules are removed, tombstones at the epoch, it is detached and removed', async () => {
    const { scope, one, owner, account } = await newReplicationSetup();
    const dying = async (ruled: 'dataset' | 'container') => {
      const [file, dataset, container] = [uniqueName('f'), uniqueName('ds'), uniqueName('co')];
      await register(one, scope, [file]);
      await collect('DATASET', scope, dataset, [file]);
      await collect('CONTAINER', scope, container, [dataset]);
      const on = ruled === 'dataset' ? dataset : container;
      const id = await newRule({ scope, name: on }, one, {}, owner);
      await expectProtection({ scope, name: file }, one, 1, null);
      expectStatus(await root.post(`/dids/${scope}/${dataset}/meta/lifetime`, { value: -1 }), 201);
      return { file: { scope, name: file }, dataset, container, id };
    };
    const [own, above] = [await dying('dataset'), await dying('container')];
    await expireDidsNow();
    for (const { dataset, container } of [own, above]) {
      const status = async () => (await root.get(`/dids/${scope}/${dataset}`)).status;
      await expect.poll(status, { timeout: 150_000 }).toBe(404);
      expect(await linesOf(`/dids/${scope}/${container}/dids`)).toEqual([]);
    }
    await expectGone(own.id);
    await expectProtection(own.file, one, 0, 0);
    // The remaining rule has no content below its DID any more, and does not purge replicas.
    await expectState(above.id, 'OK 0/0/0');
    await expectProtection(above.file, one, 0, 'birth');
    await expect.poll(() => usageOf(account, one)).toEqual([0, 0]);
  }, 180_000);
});
