import { beforeAll, describe, expect, it } from 'vitest';

import { hideExpiredDid } from '../../../lib/background/erase-did.ts';
import { runTaskOfKey } from '../../../lib/background/run-work.ts';
import { clock } from '../../../lib/clock.ts';
import { markLocksStuck } from '../../../lib/domain/rules/life-cycle/mark-locks-stuck.ts';
import { removeExpired, removeRuleNow } from '../../../lib/domain/rules/life-cycle/remove-rule.ts';
import type { TaskStep, Worker } from '../../../lib/domain/values/worker.ts';
import { addDids } from '../../../lib/operations/dids/add-dids.ts';
import { getAccountUsage } from '../../../lib/store/entities/account-usage.ts';
import { insertDatasetLock, getDatasetLocks } from '../../../lib/store/entities/dataset-lock.ts';
import { getFiles, type Replica } from '../../../lib/store/entities/did.ts';
import { listPastRules } from '../../../lib/store/entities/past-rule.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import { changeRuleOwner } from '../../../lib/store/entities/rule-writes.ts';
import { getRule, type NewRule } from '../../../lib/store/entities/rule.ts';
import { advanceWork, deleteWork, getWork, insertWork, type Task } from '../../../lib/store/entities/work.ts';
import type { Key } from '../../../lib/store/keys/key-parts.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';
import { placeRule, readRule } from '../replicas/place-rule.ts';

/** One file for each dataset of a container: more datasets than one step handles. */
const names = Array.from({ length: 110 }, (_none, index) => `f${String(index).padStart(3, '0')}`);
const inFirstPart = 90;
const [first = ''] = names;
let catalogue: Catalogue;
let rseId: string;

beforeAll(async () => {
  catalogue = await newCatalogue();
  rseId = (await getRse(catalogue.at().store.table, 'DISK'))?.id ?? '';
  const datasets = names.map((name) => ({
    ...data(`ds-${name}`),
    type: 'DATASET' as const,
    dids: [{ ...data(name), bytes: 1 }],
    rse: 'DISK',
  }));
  await addDids(catalogue.at(), datasets);
  await catalogue.add('all', 'CONTAINER');
  await catalogue.attach(
    'all',
    datasets.map(({ name }) => name),
  );
}, 120_000);

const whole = { did: data('all'), didType: 'CONTAINER' } as const;
const someDataset = data(`ds-${first}`);

/** A rule on the container with a lock on each file, and one on a dataset. */
async function place(lock: 'O' | 'R' | 'S', more: Partial<NewRule> = {}): Promise<string> {
  const state = lock === 'O' ? {} : ({ state: 'C' } as const);
  const locks = Object.fromEntries(names.map((name) => [name, { lock, ...state }]));
  const ruleId = await placeRule(catalogue, rseId, { ...whole, ...more, locks });
  await catalogue.store.write(async () => [insertDatasetLock({ did: someDataset, ruleId, rseId, createdAt: 1 })]);
  return ruleId;
}

async function note(task: Task): Promise<Key> {
  const { item, ...insert } = insertWork(task, Date.now());
  await catalogue.store.write(async () => [{ item, ...insert }]);
  return { PK: item.PK, SK: item.SK };
}

const run = (key: Key) => runTaskOfKey(catalogue.at(), key, Number.POSITIVE_INFINITY);

/** Runs one step of a task, as a separate worker would. */
async function runStep(key: Key, worker: Worker): Promise<void> {
  await catalogue.store.write(async (latest) => {
    const work = await getWork(latest.latest(), key);
    if (work === undefined) return [];
    const [step] = await Array.fromAsync(
      worker(catalogue.at(), latest, work as Parameters<Worker>[2]) as AsyncGenerator<TaskStep>,
    );
    const { writes, position } = step as TaskStep;
    return [...writes, position === undefined ? deleteWork(work) : advanceWork(work, position)];
  });
}
const table = () => catalogue.at().store.table;
const replicas = async (): Promise<(Replica | undefined)[]> =>
  (await getFiles(table(), names.map(data))).map((file) => file.replicas.get(rseId));
const lockStates = async (id: string) => new Set((await replicas()).map((replica) => replica?.locks?.[id]?.state));
const filesOf = async (account: string) => Number((await getAccountUsage(table(), account, rseId))?.files ?? 0);
const past = async (id: string) =>
  (await Array.fromAsync(listPastRules(table(), data('all')))).filter((rule) => rule.id === id);

describe('the removal of a rule (replication 3.7)', () => {
  it('removes everything, whatever the steps and the number of concurrent workers', async () => {
    const before = await filesOf('root');
    const id = await place('O', { expiresAt: 1 });
    expect(await filesOf('root')).toBe(before + 110);
    const key = await note({ kind: 'remove', ruleId: id });
    await Promise.all([run(key), run(key), run(key)]);
    expect(await getRule(table(), id)).toBeUndefined();
    expect(await getWork(table(), key)).toBeUndefined();
    expect(await lockStates(id)).toEqual(new Set([undefined]));
    expect(await getDatasetLocks(table(), someDataset, id)).toEqual([]);
    expect(await filesOf('root')).toBe(before);
    expect(await past(id)).toMatchObject([{ id, account: 'root', endedAt: expect.any(Number) }]);
    const created = (await getFiles(table(), [data(first)]))[0]?.createdAt;
    expect((await replicas())[0]).toMatchObject({ state: 'A', tombstone: created });
  });

  it('marks a large rule first, then releases its locks, then deletes it', async () => {
    const id = await place('O', { expiresAt: 1, purgeReplicas: true });
    const key = await note({ kind: 'remove', ruleId: id });
    const steps: unknown[] = [];
    while ((await getWork(table(), key)) !== undefined) {
      await runStep(key, removeExpired);
      const rule = await getRule(table(), id);
      steps.push(rule === undefined ? 'gone' : [rule.removing, rule.ok]);
    }
    expect(steps).toEqual([[true, 110], [true, 110 - inFirstPart], 'gone']);
    expect(new Set((await replicas()).map((replica) => replica?.tombstone))).toEqual(new Set([0]));
  });

  it.each([
    ['does not expire', {}],
    ['expires later', { expiresAt: Date.now() + 3_600_000 }],
    ['is locked', { expiresAt: 1, locked: true }],
    ['waits for another one', { expiresAt: 1, childRuleId: 'x' }],
  ])('skips a rule that %s; the task is deleted', async (_why, more) => {
    const id = await placeRule(catalogue, rseId, { ...more, ...whole, locks: { [first]: { lock: 'O' } } });
    const key = await note({ kind: 'remove', ruleId: id });
    await run(key);
    expect(await getWork(table(), key)).toBeUndefined();
    expect(await readRule(catalogue, id)).toMatchObject({ ok: 1 });
    expect(await past(id)).toEqual([]);
  });

  it('is done for a DID that is being deleted, with a deadline, whatever the options of the rule', async () => {
    await catalogue.add('dying', 'DATASET');
    await catalogue.attach('dying', names.slice(0, 2));
    const locks = { f000: { lock: 'O' }, f001: { lock: 'S' } } as const;
    const id = await placeRule(catalogue, rseId, { did: data('dying'), didType: 'DATASET', locked: true, locks });
    expect(await hideExpiredDid(catalogue.store, data('dying'), Date.now(), () => true)).toBe(true);
    const options = { now: Date.now(), until: clock.now() + 10_000, purgeReplicas: true };
    expect(await removeRuleNow(catalogue.store, id, options)).toBe(true);
    expect(await getRule(table(), id)).toBeUndefined();
    expect((await replicas()).slice(0, 2)).toMatchObject([{ tombstone: 0 }, { tombstone: 0 }]);
    expect(await removeRuleNow(catalogue.store, id, options)).toBe(true);
  });

  it('resumes after the deadline', async () => {
    const id = await place('R');
    const options = { now: Date.now(), until: 0 };
    expect(await removeRuleNow(catalogue.store, id, options)).toBe(false);
    expect(await readRule(catalogue, id)).toMatchObject({ removing: true, replicating: 110 });
    let calls = 1;
    while (!(await removeRuleNow(catalogue.store, id, { ...options, until: clock.now() + 60_000 }))) calls += 1;
    expect(calls).toBe(1);
    // It has no lock of another rule.
    const [file] = await getFiles(table(), [data(names.at(-1) ?? '')]);
    const replica = file?.replicas.get(rseId);
    expect(replica).toMatchObject({ state: 'U', tombstone: 0 });
    expect(replica).not.toHaveProperty('askedBy');
  });
});

describe('another account for a rule (replication 2.4)', () => {
  it('is charged once, whatever the steps and the number of concurrent workers', async () => {
    const [before, root] = [await filesOf('heir'), await filesOf('root')];
    const id = await place('S');
    const rule = await readRule(catalogue, id);
    await catalogue.store.write(async () => changeRuleOwner(rule, 'heir', {}, () => new Error('duplicate')));
    const keys = [await note({ kind: 'charge', ruleId: id }), await note({ kind: 'charge', ruleId: id })];
    await Promise.all([...keys, ...keys].map((key) => run(key)));
    expect(await filesOf('heir')).toBe(before + 110);
    expect(await filesOf('root')).toBe(root);
    await run(await note({ kind: 'charge', ruleId: id }));
    expect(await filesOf('heir')).toBe(before + 110);
    await removeRuleNow(catalogue.store, id, { now: Date.now(), until: clock.now() + 60_000 });
    expect(await filesOf('heir')).toBe(before);
  });
});

describe('a rule that is declared stuck (replication 2.4)', () => {
  it('gets its state from its locks again when all REPLICATING ones are stuck', async () => {
    const id = await place('R', { status: 'FAILED' });
    const key = await note({ kind: 'stick', ruleId: id });
    await runStep(key, markLocksStuck);
    const stuck = inFirstPart;
    expect(await readRule(catalogue, id)).toMatchObject({ status: 'FAILED', replicating: 110 - stuck, stuck });
    await Promise.all([run(key), run(key)]);
    expect(await readRule(catalogue, id)).toMatchObject({ status: 'ACTIVE', replicating: 0, stuck: 110 });
    expect(await lockStates(id)).toEqual(new Set(['S']));
    expect((await replicas())[0]).toMatchObject({ state: 'C', askedBy: id });
    await run(await note({ kind: 'stick', ruleId: id, cancels: true }));
    expect(await readRule(catalogue, id)).toMatchObject({ status: 'ACTIVE', stuck: 110 });
    await removeRuleNow(catalogue.store, id, { now: Date.now(), until: clock.now() + 60_000 });
  });
});
