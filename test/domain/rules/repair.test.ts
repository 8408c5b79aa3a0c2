import { beforeEach, describe, expect, it } from 'vitest';

import { clock } from '../../../lib/clock.ts';
import { removeRuleNow } from '../../../lib/domain/rules/life-cycle/remove-rule.ts';
import { deleteReplicas } from '../../../lib/operations/replicas/delete-replicas.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { updateRse } from '../../../lib/operations/rses/update-rse.ts';
import { updateRule } from '../../../lib/operations/rules/update-rule.ts';
import { listTransfersTo } from '../../../lib/store/entities/transfer.ts';
import { data } from '../dids/catalogue.ts';
import { placeRule } from '../replicas/place-rule.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;
let id: string;

beforeEach(async () => {
  world = await newRuleCatalogue();
  await world.register('BBB', ['f1', 'f2']);
  await world.register('CCC', ['f1', 'f2']);
  await world.add('ds', 'DATASET');
  await world.attach('ds', ['f1', 'f2']);
  id = await world.rule('ds');
  expect(await world.show(id)).toBe('REPLICATING 0/2/0');
});

const wanted = async () =>
  (await Array.fromAsync(listTransfersTo(world.at().store.table, world.rseIds.AAA))).map(({ did }) => did.name);

describe('a rule that is declared stuck while it is REPLICATING (replication 2.4, 3.9)', () => {
  it('is REPLICATING again when it is repaired in the same request', async () => {
    await updateRule(world.at(), id, { state: 'STUCK', boost_rule: true });
    await world.work();
    expect(await world.show(id)).toBe('REPLICATING 0/2/0');
    expect((await world.read(id)).error).toBeUndefined();
    expect(await wanted()).toEqual(['f1', 'f2']);
    await world.recount();
  });

  it('is REPLICATING again when it is repaired later', async () => {
    await updateRule(world.at(), id, { state: 'STUCK' });
    await world.work();
    expect(await world.show(id)).toBe('STUCK 0/0/2');
    await world.work(2_000_000);
    expect(await world.show(id)).toBe('REPLICATING 0/2/0');
    await world.recount();
  });

  it('requests the cancelled transfers again', async () => {
    await updateRule(world.at(), id, { state: 'STUCK', cancel_requests: true });
    await world.work();
    expect(await wanted()).toEqual([]);
    expect(await world.show(id)).toBe('STUCK 0/0/2');
    await updateRule(world.at(), id, { boost_rule: true });
    await world.work();
    expect(await world.show(id)).toBe('REPLICATING 0/2/0');
    expect(await wanted()).toEqual(['f1', 'f2']);
    await world.recount();
  });

  it('takes its requests for copies along when it ends', async () => {
    await updateRule(world.at(), id, { state: 'STUCK' });
    await world.work();
    expect(await wanted()).toEqual(['f1', 'f2']);
    await removeRuleNow(world.store, id, { now: Date.now(), until: clock.now() + 10_000 });
    expect(await wanted()).toEqual([]);
    expect(await world.replicas('f1')).toBe('AAA:U[] BBB:A[] CCC:A[]');
    await world.recount();
  });

  it('takes the request of a rule along that has ended before, and keeps it until then', async () => {
    const files = [{ ...data('f1'), state: 'U' as const }];
    await updateReplicas(world.at(), { rse: 'AAA', files });
    const other = await world.rule('f1', { account: 'root' });
    expect(await world.replicas('f1')).toBe('AAA:C[RS] BBB:A[] CCC:A[]');
    const ending = { now: Date.now(), until: clock.now() + 10_000 };
    await removeRuleNow(world.store, other, ending);
    expect(await wanted()).toEqual(['f1', 'f2']);
    await removeRuleNow(world.store, id, ending);
    expect(await wanted()).toEqual([]);
    await world.recount();
  });

  const makeAvailable = (...names: readonly string[]) => {
    const files = names.map((name) => ({ scope: 'data', name, state: 'A' as const }));
    return updateReplicas(world.at(), { rse: 'AAA', files });
  };

  it('locks what was attached while it was suspended, though its stuck locks end before the repair', async () => {
    await updateRule(world.at(), id, { state: 'SUSPENDED' });
    await world.register('BBB', ['f3']);
    await world.grow('ds', ['f3']);
    expect(await world.show(id)).toBe('SUSPENDED 0/2/0');
    await updateRule(world.at(), id, { state: 'STUCK' });
    await makeAvailable('f1', 'f2');
    expect(await world.show(id)).toBe('STUCK 2/0/0');
    await world.work(2_000_000);
    expect(await world.show(id)).toBe('REPLICATING 2/1/0');
    expect(await wanted()).toEqual(['f3']);
    await world.recount();
  });

  it.each([1, 101])('locks what had no quota, though its %d stuck locks end before the repair', async (count) => {
    const names = Array.from({ length: count }, (_name, index) => `g${index}`);
    await world.register('BBB', names);
    await world.add('more', 'DATASET');
    await world.attach('more', names);
    id = await world.rule('more');
    await world.work();
    await world.limit('AAA', 1);
    await world.register('BBB', ['late']);
    await world.grow('more', ['late']);
    expect(await world.show(id)).toBe(`STUCK 0/${count}/0`);
    await updateRule(world.at(), id, { state: 'STUCK' });
    await world.work();
    expect(await world.show(id)).toBe(`STUCK 0/0/${count}`);
    await makeAvailable(...names);
    expect(await world.show(id)).toBe(`STUCK ${count}/0/0`);
    await world.limit('AAA', 1e12);
    await world.work(2_000_000);
    expect(await world.show(id)).toBe(`REPLICATING ${count}/1/0`);
    await world.recount();
  });

  it('has the error if it stays stuck', async () => {
    const files = [{ ...data('f1'), state: 'U' as const, error_message: 'no space left' }];
    await updateReplicas(world.at(), { rse: 'AAA', files });
    expect((await world.read(id)).error).toBe('no space left');
    await updateRse(world.at(), 'AAA', { availability_write: false });
    await updateRule(world.at(), id, { state: 'STUCK', boost_rule: true });
    await world.work();
    expect(await world.read(id)).toMatchObject({ error: 'RSE excluded; not available for writing.' });
    await updateRse(world.at(), 'AAA', { availability_write: true });
    await updateRule(world.at(), id, { source_replica_expression: 'AAA' });
    await updateRule(world.at(), id, { boost_rule: true });
    await world.work();
    expect(await world.read(id)).toMatchObject({ error: 'MissingSourceReplica', stuck: 1, replicating: 1 });
    await world.recount();
  });
});

describe('a replica that is being deleted from the RSE of a rule (replication 1.9)', () => {
  beforeEach(async () => {
    await world.register('AAA', ['f3']);
    await world.register('BBB', ['f3']);
    await updateReplicas(world.at(), { rse: 'AAA', files: [{ ...data('f3'), state: 'B' }] });
  });

  it('has no lock when its file is attached, so that it can go; then the file is copied', async () => {
    await world.grow('ds', ['f3']);
    expect([await world.show(id), (await world.read(id)).error]).toEqual([
      'STUCK 0/2/0',
      'There are not enough target RSEs to fulfil the request at this time.',
    ]);
    expect(await world.replicas('f3')).toBe('AAA:B[] BBB:A[]');
    await world.recount();
    await deleteReplicas(world.at(), { rse: 'AAA', files: [data('f3')], ignore_availability: false });
    await world.work(2_000_000);
    expect(await world.show(id)).toBe('REPLICATING 0/3/0');
    expect(await world.replicas('f3')).toBe('AAA:C[R] BBB:A[]');
    await world.recount();
  });

  it('loses the lock that an earlier version has set, at the repair', async () => {
    await world.attach('ds', ['f3']);
    await placeRule(world, world.rseIds.AAA, { rseExpression: 'AAA|AAA', locks: { f3: { lock: 'S' } } });
    const [other = ''] = Object.keys((await world.file('f3')).replicas.get(world.rseIds.AAA)?.locks ?? {});
    expect(await world.replicas('f3')).toBe('AAA:B[S] BBB:A[]');
    await updateRule(world.at(), other, { boost_rule: true });
    await world.work();
    expect(await world.replicas('f3')).toBe('AAA:B[] BBB:A[]');
    expect((await world.read(other)).status).toBe('FAILED');
    await world.recount();
  });
});
