import { beforeEach, describe, expect, it } from 'vitest';

import { rowsOf } from '../../../lib/domain/paging/page.ts';
import { stateOfRule } from '../../../lib/domain/values/rule-state.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { declareBad } from '../../../lib/operations/replicas/declare-replicas.ts';
import { listBadStates } from '../../../lib/operations/replicas/list-bad-states.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { addRse } from '../../../lib/operations/rses/add-rse.ts';
import { asFile, getDid } from '../../../lib/store/entities/did.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import { changeRule, deleteRule } from '../../../lib/store/entities/rule-writes.ts';
import { listTransfersTo } from '../../../lib/store/entities/transfer.ts';
import { listDueWork } from '../../../lib/store/entities/work.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';
import { placeRule, readRule } from './place-rule.ts';

let catalogue: Catalogue;
let disk: string;

beforeEach(async () => {
  catalogue = await newCatalogue();
  disk = (await getRse(catalogue.at().store.table, 'DISK'))?.id ?? '';
  await catalogue.add('ds', 'DATASET');
  await catalogue.attach('ds', ['f', 'g'], 7);
});

const replicaOf = async (name: string, rseId = disk) =>
  asFile(await getDid(catalogue.at().store.table, data(name)))?.replicas.get(rseId);
const put = (state: 'A' | 'U' | 'C' | 'D', names: readonly string[], more: object = {}) =>
  updateReplicas(catalogue.at(), { rse: 'DISK', files: names.map((name) => ({ ...data(name), state, ...more })) });
const wanted = async () => {
  const transfers = await Array.fromAsync(listTransfersTo(catalogue.at().store.table, disk));
  return transfers.map(({ did }) => did.name);
};
const toRepair = async () => {
  const notes = await Array.fromAsync(listDueWork(catalogue.at().store.table, Date.now() + 86_400_000));
  return notes.map(({ task }) => task.kind === 'repair' && task.ruleId);
};
const counters = async (id: string) => {
  const rule = await readRule(catalogue, id);
  return [stateOfRule(rule), rule.ok, rule.replicating, rule.stuck];
};
const lockStates = async (name: string) =>
  Object.values((await replicaOf(name))?.locks ?? {}).map(({ state }) => state);

describe('a replica that becomes available (replication 3.5)', () => {
  it('makes its locks OK from any state, and the rule with its last lock', async () => {
    const id = await placeRule(catalogue, disk, {
      locks: { f: { state: 'C', lock: 'R' }, g: { state: 'U', lock: 'S' } },
      stuckAt: 1,
      error: 'no source',
    });
    expect(await wanted()).toEqual(['f']);
    await put('A', ['f']);
    expect(await counters(id)).toEqual(['STUCK', 1, 0, 1]);
    expect(await readRule(catalogue, id)).toMatchObject({ error: 'no source', stuckAt: 1 });
    expect(await wanted()).toEqual([]);
    expect(await replicaOf('f')).not.toHaveProperty('askedBy');
    await put('A', ['g']);
    expect(await counters(id)).toEqual(['OK', 2, 0, 0]);
    const rule = await readRule(catalogue, id);
    expect(rule).not.toHaveProperty('error');
    expect(rule).not.toHaveProperty('stuckAt');
    expect(await lockStates('g')).toEqual(['O']);
  });

  it('is counted once for each rule with a lock, also when it is reported several times', async () => {
    const [one, two] = [
      await placeRule(catalogue, disk, { locks: { f: { state: 'C', lock: 'R' } } }),
      await placeRule(catalogue, disk, { locks: { f: { state: 'C', lock: 'R' }, g: { lock: 'O' } } }),
    ];
    await put('A', ['f', 'f']);
    await put('A', ['f', 'g']);
    expect(await counters(one)).toEqual(['OK', 1, 0, 0]);
    expect(await counters(two)).toEqual(['OK', 2, 0, 0]);
  });

  it('leaves a suspended rule suspended, and one that could not be placed stuck', async () => {
    const locks = { f: { state: 'C', lock: 'R' } } as const;
    const suspended = await placeRule(catalogue, disk, { locks, status: 'SUSPENDED', error: 'too long' });
    const failed = await placeRule(catalogue, disk, { locks, status: 'FAILED', error: 'no quota' });
    await put('A', ['f']);
    expect(await counters(suspended)).toEqual(['SUSPENDED', 1, 0, 0]);
    expect(await counters(failed)).toEqual(['STUCK', 1, 0, 0]);
    expect(await readRule(catalogue, failed)).toMatchObject({ error: 'no quota' });
  });

  it('loses the lock of a deleted rule, and is then as one that was uploaded anew', async () => {
    const gone = await placeRule(catalogue, disk, { locks: { f: { state: 'C', lock: 'R' }, g: { lock: 'O' } } });
    const kept = await placeRule(catalogue, disk, { locks: { g: { lock: 'O' } } });
    const rule = await readRule(catalogue, gone);
    await catalogue.store.write(async () => deleteRule(rule));
    await put('A', ['f', 'g']);
    expect(await replicaOf('f')).toMatchObject({ state: 'A' });
    expect(await replicaOf('f')).not.toHaveProperty('locks');
    expect(await replicaOf('f')).not.toHaveProperty('tombstone');
    expect(Object.keys((await replicaOf('g'))?.locks ?? {})).toEqual([kept]);
    expect(await replicaOf('g')).not.toHaveProperty('tombstone');
    expect(await counters(kept)).toEqual(['OK', 1, 0, 0]);
  });

  it('does not change a rule when it is registered again', async () => {
    const id = await placeRule(catalogue, disk, { locks: { f: { state: 'C', lock: 'R' } } });
    await addReplicas(catalogue.at(), {
      rse: 'DISK',
      files: [{ ...data('f'), bytes: 7, state: 'A' }],
      ignore_availability: false,
    });
    expect(await counters(id)).toEqual(['REPLICATING', 0, 1, 0]);
    expect(await replicaOf('f')).toMatchObject({ state: 'C' });
  });
});

describe('a replica that becomes unavailable (replication 3.5)', () => {
  it('makes all its locks STUCK, also those that were OK, and its rules, with the given error', async () => {
    const id = await placeRule(catalogue, disk, { locks: { f: { lock: 'O' }, g: { state: 'C', lock: 'R' } } });
    await put('U', ['f'], { error_message: 'x'.repeat(300) });
    expect(await counters(id)).toEqual(['STUCK', 0, 1, 1]);
    const stuck = await readRule(catalogue, id);
    expect(stuck.error).toBe(`${'x'.repeat(245)}...`);
    expect(stuck.stuckAt).toBeTypeOf('number');
    expect(await toRepair()).toEqual([id]);
    await put('U', ['g'], { error_message: 'second' });
    expect(await readRule(catalogue, id)).toMatchObject({ error: 'second', stuckAt: stuck.stuckAt, stuck: 2 });
    expect(await wanted()).toEqual([]);
    expect(await toRepair()).toEqual([id]);
    await put('U', ['g']);
    expect(await readRule(catalogue, id)).not.toHaveProperty('error');
  });

  it('gives a suspended rule no error', async () => {
    const id = await placeRule(catalogue, disk, { locks: { f: { lock: 'O' } }, status: 'SUSPENDED' });
    await put('U', ['f'], { error_message: 'broken' });
    expect(await counters(id)).toEqual(['SUSPENDED', 0, 0, 1]);
    expect(await readRule(catalogue, id)).not.toHaveProperty('error');
  });

  it('makes its locks REPLICATING while somebody brings it, and STUCK when it is bad and there is no other', async () => {
    const id = await placeRule(catalogue, disk, { locks: { f: { lock: 'O' } } });
    await put('C', ['f']);
    expect(await counters(id)).toEqual(['REPLICATING', 0, 1, 0]);
    await put('D', ['f']);
    expect(await counters(id)).toEqual(['STUCK', 0, 0, 1]);
    expect(await readRule(catalogue, id)).toMatchObject({ error: 'MissingSourceReplica' });
    expect(await wanted()).toEqual([]);
  });
});

describe('a bad replica with locks (replication 1.8)', () => {
  const declare = (name: string, rse: string) =>
    declareBad(catalogue.at(), { replicas: [{ ...data(name), rse }], pfns: [], reason: 'burnt', force: false });
  const logged = async () =>
    (await Array.fromAsync(rowsOf(listBadStates(catalogue.at(), { list_pfns: false })))).map(
      (line) => typeof line === 'object' && line.state,
    );

  it('is requested again from any source if the file has another replica', async () => {
    await addRse(catalogue.at(), 'TAPE', {});
    const copy = { rse: 'TAPE', files: [{ ...data('f'), bytes: 7 }], ignore_availability: false };
    await addReplicas(catalogue.at(), copy);
    const id = await placeRule(catalogue, disk, {
      locks: { f: { lock: 'O' }, g: { lock: 'O' } },
      sourceReplicaExpression: 'ELSEWHERE',
    });
    expect(await declare('f', 'DISK')).toEqual({});
    expect(await counters(id)).toEqual(['REPLICATING', 1, 1, 0]);
    expect(await replicaOf('f')).toMatchObject({ state: 'C', askedBy: id });
    expect(await wanted()).toEqual(['f']);
    expect(await readRule(catalogue, id)).not.toHaveProperty('sourceReplicaExpression');
    expect(await declare('f', 'DISK')).toEqual({ DISK: ['data:f Already declared'] });
    expect(await logged()).toEqual(['BAD']);
    await put('A', ['f']);
    expect(await counters(id)).toEqual(['OK', 2, 0, 0]);
    expect(await logged()).toEqual(['RECOVERED']);
    expect(await wanted()).toEqual([]);
  });

  it('makes the rule STUCK if it was the only replica', async () => {
    const id = await placeRule(catalogue, disk, { locks: { f: { lock: 'O' } } });
    await declare('f', 'DISK');
    expect(await counters(id)).toEqual(['STUCK', 0, 0, 1]);
    expect(await readRule(catalogue, id)).toMatchObject({ error: 'MissingSourceReplica' });
    expect(await replicaOf('f')).toMatchObject({ state: 'D' });
    expect(await wanted()).toEqual([]);
    await put('A', ['f']);
    expect(await counters(id)).toEqual(['OK', 1, 0, 0]);
  });
});

describe('the cost of a change of state', () => {
  const costOf = async (name: string) => (await measure(() => put('A', [name]))).cost;

  it('is a read and a write without locks, and one more read with locks', async () => {
    expect(await costOf('f')).toEqual({ rru: 2, wru: 1, requests: 3, roundTrips: 2 });
    await placeRule(catalogue, disk, { locks: { f: { state: 'C', lock: 'R' } } });
    // File, transfer and rule in one transaction.
    expect(await costOf('f')).toMatchObject({ rru: 3, requests: 4, roundTrips: 3 });
    expect(await costOf('f')).toEqual({ rru: 3, wru: 1, requests: 4, roundTrips: 3 });
  });
});

describe('concurrently', () => {
  it('the last two replicas of a rule make it OK, and a lock that becomes stuck keeps its error', async () => {
    const id = await placeRule(catalogue, disk, {
      locks: { f: { state: 'C', lock: 'R' }, g: { state: 'U', lock: 'S' } },
      error: 'old',
      stuckAt: 1,
    });
    await Promise.all([put('A', ['g']), put('U', ['f'], { error_message: 'new' })]);
    expect(await counters(id)).toEqual(['STUCK', 1, 0, 1]);
    expect(await readRule(catalogue, id)).toMatchObject({ error: 'new' });
    await Promise.all([put('A', ['f']), put('A', ['g']), put('A', ['f'])]);
    expect(await counters(id)).toEqual(['OK', 2, 0, 0]);
  });

  it('many replicas that become available one by one or in bulk are all counted', async () => {
    const names = Array.from({ length: 60 }, (_value, index) => `n${index}`);
    await catalogue.attach('ds', names, 7);
    const id = await placeRule(catalogue, disk, {
      locks: Object.fromEntries(names.map((name) => [name, { state: 'C', lock: 'R' }] as const)),
    });
    const singles = names.slice(0, 30);
    await Promise.all([
      ...singles.map((name) => put('A', [name])),
      put('A', names.slice(30)),
      put('A', names.slice(45)),
    ]);
    expect(await counters(id)).toEqual(['OK', 60, 0, 0]);
    expect(await wanted()).toEqual([]);
  });

  it('the deletion of a rule does not fail the change of a replica', async () => {
    const id = await placeRule(catalogue, disk, { locks: { f: { state: 'C', lock: 'R' } } });
    const rule = await readRule(catalogue, id);
    await catalogue.store.write(async () => [changeRule(id, { set: { removing: true } })]);
    const fresh = await readRule(catalogue, id);
    expect(fresh.rev).not.toBe(rule.rev);
    await Promise.all([put('A', ['f']), catalogue.store.write(async () => deleteRule(await readRule(catalogue, id)))]);
    expect(await replicaOf('f')).toMatchObject({ state: 'A' });
  });
});
