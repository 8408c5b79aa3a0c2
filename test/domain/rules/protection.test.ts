/** Files of a rule stay protected, and new ones are protected, whatever becomes of accounts, files and quotas. */
import { beforeEach, describe, expect, it } from 'vitest';

import { type LeasedTransfer, leaseTransfers } from '../../../lib/domain/requests/lease-transfers.ts';
import { reportTransfers } from '../../../lib/domain/requests/report-transfers.ts';
import { setLimitOnRse } from '../../../lib/operations/accounts/set-account-limits.ts';
import { deleteAccount, updateAccount } from '../../../lib/operations/accounts/update-account.ts';
import { importFleet } from '../../../lib/operations/fleet/import-fleet.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { declareBad } from '../../../lib/operations/replicas/declare-replicas.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { setRseAttribute } from '../../../lib/operations/rses/set-attribute.ts';
import { updateRse } from '../../../lib/operations/rses/update-rse.ts';
import { analyseRule } from '../../../lib/operations/rules/analyse-rule.ts';
import { updateRule } from '../../../lib/operations/rules/update-rule.ts';
import { insertAccount } from '../../../lib/store/entities/account.ts';
import { asFile, getDid } from '../../../lib/store/entities/did.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import { listDueWork } from '../../../lib/store/entities/work.ts';
import { data } from '../dids/catalogue.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

const hour = 3_600_000;
const day = 24 * hour;

let world: RuleCatalogue;

beforeEach(async () => {
  world = await newRuleCatalogue();
});

async function newAccount(account: string): Promise<void> {
  const times = { createdAt: 1, updatedAt: 1, suspendedAt: null, deletedAt: null };
  const made = { account, type: 'USER', status: 'ACTIVE', email: null, attributes: {}, ...times };
  await world.store.write(async () => [insertAccount(made, () => new Error('twice'))]);
  await setLimitOnRse(world.at(), { account, rse: 'AAA', bytes: 1e9 });
}

const put = (rse: string, state: 'A' | 'U' | 'D', ...names: string[]) =>
  updateReplicas(world.at(), { rse, files: Array.from(names, (name) => ({ ...data(name), state })) });
const repairs = async (id: string) => {
  const due = await Array.fromAsync(listDueWork(world.at().store.table.latest(), Number.MAX_SAFE_INTEGER));
  return due.filter(({ task }) => task.kind === 'repair' && task.ruleId === id).length;
};

describe('the rules of an account', () => {
  it.each([
    ['is suspended', () => updateAccount(world.at(), 'x', { status: 'SUSPENDED' })],
    ['is deleted', () => deleteAccount(world.at(), 'x')],
    [
      'is deleted by an import that does not name it',
      () => importFleet(world.at(), { accounts: [{ account: 'y', email: 'y@example.org' }] }),
    ],
  ])(
    'go on when it %s: new files are locked and copied, stuck locks repaired, later rules placed',
    async (_how, end) => {
      await newAccount('x');
      await world.register('AAA', ['there', 'later']);
      await world.register('BBB', ['away', 'broken']);
      await world.add('ds', 'DATASET');
      await world.attach('ds', ['broken']);
      await world.add('old', 'DATASET');
      await world.attach('old', ['later']);
      const id = await world.rule('ds', { account: 'x' });
      const delayed = await world.rule('old', { account: 'x', delay_injection: 60 });
      await put('AAA', 'U', 'broken');
      expect(await world.show(id)).toBe('STUCK 0/0/1');
      await end();
      await world.grow('ds', ['there', 'away']);
      expect([await world.show(id), await world.replicas('there'), await world.replicas('away')]).toEqual([
        'STUCK 1/1/1',
        'AAA:A[O]',
        'AAA:C[R] BBB:A[]',
      ]);
      await world.work(hour);
      expect([await world.show(id), (await world.read(id)).error]).toEqual(['REPLICATING 1/2/0', undefined]);
      expect(await world.show(delayed)).toBe('OK 1/0/0');
      await world.recount('x');
      await expect(world.rule('old', { account: 'x', rse_expression: 'BBB' })).rejects.toThrow(
        'Account x does not exist',
      );
    },
  );
});

describe('a file of which only a bad replica is left (replication 1.8)', () => {
  const availability = async (name: string) => asFile(await getDid(world.at().store.table, data(name)))?.availability;
  const declare = (name: string) =>
    declareBad(world.at(), { replicas: [{ ...data(name), rse: 'AAA' }], pfns: [], reason: 'burnt', force: false });
  let id: string;

  beforeEach(async () => {
    await world.register('AAA', ['f1', 'f2', 'f3']);
    await world.add('ds', 'DATASET');
    await world.attach('ds', ['f1', 'f2']);
    id = await world.rule('ds');
    await declare('f1');
  });

  it('is LOST, and its rule says so and protects all others for years, until people decide', async () => {
    expect([await world.show(id), (await world.read(id)).error]).toEqual(['STUCK 1/0/1', 'MissingSourceReplica']);
    expect(await availability('f1')).toBe('LOST');
    for (let age = hour; age < 700 * day; age *= 2) await world.work(age);
    expect([await world.show(id), (await world.read(id)).error]).toEqual(['STUCK 1/0/1', 'MissingSourceReplica']);
    await world.grow('ds', ['f3']);
    expect([await world.show(id), await world.replicas('f3')]).toEqual(['STUCK 2/0/1', 'AAA:A[O]']);
    await world.recount();
    await world.detach('ds', ['f1']);
    await world.follow(world.tell('detached', 'ds', ['f1']));
    expect(await world.show(id)).toBe('OK 2/0/0');
    await world.recount();
  });

  it('is found again with the next replica that can be read, and copied', async () => {
    await addReplicas(world.at(), { rse: 'BBB', files: [{ ...data('f1'), bytes: 10 }], ignore_availability: false });
    expect(await availability('f1')).toBe('AVAILABLE');
    await world.work(hour);
    expect([await world.show(id), await world.replicas('f1')]).toEqual(['REPLICATING 1/1/0', 'AAA:C[R] BBB:A[]']);
    await put('AAA', 'A', 'f1');
    expect([await world.show(id), await availability('f1')]).toEqual(['OK 2/0/0', 'AVAILABLE']);
  });

  it('is found again when the bad replica turns out to be good', async () => {
    await put('AAA', 'A', 'f1');
    expect([await world.show(id), await availability('f1')]).toEqual(['OK 2/0/0', 'AVAILABLE']);
  });
});

describe('a rule that can lock nothing new', () => {
  const stuckFor = async (hinder: () => Promise<unknown>, more: Parameters<RuleCatalogue['rule']>[1] = {}) => {
    await world.register('AAA', ['good', 'new']);
    await world.register('BBB', ['failed', 'arrived']);
    await world.add('ds', 'DATASET');
    await world.attach('ds', ['good', 'failed', 'arrived']);
    const id = await world.rule('ds', more);
    await put('AAA', 'U', 'failed');
    await hinder();
    await world.grow('ds', ['new']);
    return id;
  };

  it.each([['ALL'], ['DATASET'], ['NONE']] as const)(
    'keeps its locks, repairs them for ever, and says why, with grouping %s and a quota that shrank',
    async (grouping) => {
      const id = await stuckFor(() => world.limit('AAA', 5), { grouping });
      const quota = "There is insufficient quota on any of the target RSE's to fulfill the operation.";
      expect([await world.show(id), (await world.read(id)).error]).toEqual(['STUCK 1/1/1', quota]);
      await world.work(hour);
      expect([await world.show(id), (await world.read(id)).error]).toEqual(['STUCK 1/2/0', quota]);
      expect(await world.replicas('failed')).toBe('AAA:C[R] BBB:A[]');
      await put('AAA', 'A', 'failed', 'arrived');
      await world.work(400 * day);
      expect([await world.show(id), (await world.read(id)).error]).toEqual(['STUCK 3/0/0', quota]);
      await world.limit('AAA', 500);
      await world.work(402 * day);
      expect([await world.show(id), await world.replicas('new')]).toEqual(['OK 4/0/0', 'AAA:A[O]']);
      await world.recount();
    },
  );

  it('keeps its locks when no RSE is writable, and goes on when one is', async () => {
    const id = await stuckFor(() => updateRse(world.at(), 'AAA', { availability_write: false }));
    expect(await world.show(id)).toBe('STUCK 1/1/1');
    await put('AAA', 'A', 'failed', 'arrived');
    await world.work(400 * day);
    const blocked = 'RSE excluded; not available for writing.';
    expect([await world.show(id), (await world.read(id)).error]).toEqual(['STUCK 3/0/0', blocked]);
    await updateRse(world.at(), 'AAA', { availability_write: true });
    await world.work(402 * day);
    expect(await world.show(id)).toBe('OK 4/0/0');
    await world.recount();
  });

  it('is repaired by one task at a time, the more rarely the longer it is stuck, however often people ask', async () => {
    const id = await stuckFor(() => world.limit('AAA', 5));
    for (let asked = 0; asked < 5; asked += 1) {
      await updateRule(world.at(), id, { boost_rule: true });
      await world.work(asked * hour);
    }
    await world.work(day);
    const first = await world.read(id);
    expect(await repairs(id)).toBe(1);
    await world.work(30 * day);
    const last = await world.read(id);
    expect(await repairs(id)).toBe(1);
    const pause = Number(last.repairAt) - (Date.now() + 30 * day);
    expect(pause).toBeGreaterThan(Number(first.repairAt) - (Date.now() + day));
    expect(pause).toBeLessThanOrEqual(day);
  });
});

describe('a copy that nobody can make', () => {
  const minute = 60_000;
  const at = (ms: number) => world.at(Date.now() + ms);
  const destination = async () => {
    const rse = await getRse(world.at().store.table.latest(), 'AAA');
    if (rse === undefined) throw new Error('no RSE');
    return rse;
  };
  const lease = async (ms: number) =>
    leaseTransfers(at(ms), { holder: 'm', destinations: [await destination()], limit: 10, seconds: 60 });
  const report = async (ms: number, leased: readonly LeasedTransfer[], state: 'DONE' | 'MISMATCH_SCHEME') => {
    const reports = Array.from(leased, (one) => ({
      ...one.details.transfer.did,
      lease: one.lease.id,
      state,
      adler32: '0cc737eb',
    }));
    await reportTransfers(at(ms), await destination(), reports);
  };
  const showAll = async (id: string) => {
    const { rule_error: error, transfers } = await analyseRule(world.at(), id);
    return [await world.show(id), error, transfers.map(({ name, last_error: last }) => `${name}: ${last}`)];
  };

  beforeEach(async () => {
    await world.register('BBB', ['f1', 'f2']);
    await world.add('ds', 'DATASET');
    await world.attach('ds', ['f1', 'f2']);
  });

  it('is said on the rule and for each file while it has no source, stays asked for, and is made when it has one', async () => {
    const id = await world.rule('ds');
    await updateRse(world.at(), 'BBB', { availability_read: false });
    expect(await lease(0)).toEqual([]);
    const missing = 'MissingSourceReplica';
    const stuck = ['STUCK 0/0/2', missing, [`f1: ${missing}`, `f2: ${missing}`]];
    expect(await showAll(id)).toEqual(stuck);
    await world.work(hour);
    expect(await lease(hour)).toEqual([]);
    await world.work(400 * day);
    expect(await showAll(id)).toEqual(stuck);
    await world.recount();
    await updateRse(world.at(), 'BBB', { availability_read: true });
    const leased = await lease(2 * hour);
    expect(leased.map(({ details }) => details.transfer.did.name).toSorted()).toEqual(['f1', 'f2']);
    await report(2 * hour, leased, 'DONE');
    expect([await world.show(id), (await world.read(id)).error]).toEqual(['OK 2/0/0', undefined]);
    await world.recount();
  });

  it('is told file by file while the rule is REPLICATING: nobody has asked for it, or its RSE is closed', async () => {
    const id = await world.rule('ds');
    const replicating = 'This replication rule is currently REPLICATING';
    const told = async (ms: number) => {
      const { rule_error: error, transfers } = await analyseRule(at(ms), id);
      return [error, transfers.map(({ name, last_error: last }) => `${name}: ${last}`)];
    };
    expect(await told(0)).toEqual([replicating, []]);
    const unserved = 'No mover has asked for the copy: AAA has no attribute mover.';
    expect(await told(2 * minute)).toEqual([replicating, [`f1: ${unserved}`, `f2: ${unserved}`]]);
    await setRseAttribute(world.at(), { rse: 'AAA', key: 'mover', value: 'webdav' });
    const silent = 'No mover has asked for the copy, although AAA has the attribute mover=webdav.';
    expect(await told(2 * minute)).toEqual([replicating, [`f1: ${silent}`, `f2: ${silent}`]]);
    await updateRse(world.at(), 'AAA', { availability_write: false });
    const closed = 'RSE excluded; not available for writing.';
    expect(await told(0)).toEqual([replicating, [`f1: ${closed}`, `f2: ${closed}`]]);
    await updateRse(world.at(), 'BBB', { availability_read: false });
    expect(await told(0)).toEqual([replicating, ['f1: MissingSourceReplica', 'f2: MissingSourceReplica']]);
  });

  it('is REPLICATING again as soon as a mover takes it', async () => {
    const id = await world.rule('ds');
    await updateRse(world.at(), 'BBB', { availability_read: false });
    await lease(0);
    expect(await world.show(id)).toBe('STUCK 0/0/2');
    await updateRse(world.at(), 'BBB', { availability_read: true });
    expect(await lease(11 * minute)).toHaveLength(2);
    expect([await world.show(id), (await world.read(id)).error]).toEqual(['REPLICATING 0/2/0', undefined]);
    await world.recount();
  });

  it('is said again when it was cancelled and asked for anew', async () => {
    const id = await world.rule('ds');
    await updateRse(world.at(), 'BBB', { availability_read: false });
    await lease(0);
    await updateRule(world.at(), id, { state: 'STUCK', cancel_requests: true, boost_rule: true });
    await put('AAA', 'U', 'f1', 'f2');
    await world.work();
    expect(await world.show(id)).toBe('REPLICATING 0/2/0');
    await lease(minute);
    expect(await world.show(id)).toBe('STUCK 0/0/2');
    await world.recount();
  });

  it('is said when a mover finds no way', async () => {
    const id = await world.rule('ds');
    await report(0, await lease(0), 'MISMATCH_SCHEME');
    expect(await showAll(id)).toEqual([
      'STUCK 0/0/2',
      'MISMATCH_SCHEME',
      ['f1: MISMATCH_SCHEME', 'f2: MISMATCH_SCHEME'],
    ]);
    await report(11 * minute, await lease(11 * minute), 'DONE');
    expect(await world.show(id)).toBe('OK 2/0/0');
    await world.recount();
  });
});
