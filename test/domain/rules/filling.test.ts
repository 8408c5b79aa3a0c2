import { beforeEach, describe, expect, it } from 'vitest';

import { runTaskOfKey } from '../../../lib/background/run-work.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { setStatus } from '../../../lib/operations/dids/set-status.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import { updateRule } from '../../../lib/operations/rules/update-rule.ts';
import { asCollection, getDid } from '../../../lib/store/entities/did.ts';
import { listChildren } from '../../../lib/store/entities/edge.ts';
import { listDueWork } from '../../../lib/store/entities/work.ts';
import { data, interrupted } from '../dids/catalogue.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;
let files = 0;

/** More files than one step locks. */
const many = Array.from({ length: 130 }, (_none, index) => `m${String(index).padStart(3, '0')}`);

beforeEach(async () => {
  world = await newRuleCatalogue();
  files = 0;
  await world.add('ds', 'DATASET');
  await world.register('AAA', many);
  await world.attach('ds', many);
});

/** Attaches a file, and detaches one of the first; the stream delivers both at once. */
async function change(): Promise<void> {
  files += 1;
  // Names in between: before and after the files that were read already.
  const name = `m${String(files * 7).padStart(3, '0')}-new`;
  await world.register('AAA', [name]);
  const isClosed = await world.grow('ds', [name]).then(
    () => false,
    () => true,
  );
  if (isClosed) return;
  const old = many[files - 1] ?? '';
  await world.detach('ds', [old]);
  await world.follow(world.tell('detached', 'ds', [old]));
}

/** A context with a concurrent change of the dataset between each read and write. */
const inBetween = (): Context => world.at(Date.now(), interrupted(world.store, change));

/** Runs due tasks, with a concurrent change of the dataset before each of the first steps is written. */
async function workInBetween(steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    for await (const { key } of listDueWork(world.at().store.table, Date.now())) {
      await runTaskOfKey(inBetween(), key, 0);
      break;
    }
  }
  for await (const { failures } of listDueWork(world.at().store.table, Date.now() + 86_400_000)) {
    expect(failures).toBeUndefined();
  }
}

async function expectPlaced(id: string): Promise<void> {
  await world.work();
  await world.work(120_000);
  const { length } = asCollection(await getDid(world.at().store.table, data('ds'))) ?? {};
  expect(await world.show(id)).toBe(`OK ${length}/0/0`);
  expect(await world.replicas(many[0] ?? '')).toBe('AAA:A[]');
  await world.recount();
}

describe('a dataset under constant concurrent changes', () => {
  const wish = { dids: [data('ds')], account: null, copies: 1, rse_expression: 'AAA' };

  it('gets a rule', async () => {
    const [id = ''] = await addRules(inBetween(), wish);
    expect(files).toBeLessThan(5);
    expect(await world.show(id)).toMatch(/^INJECT/);
    await expectPlaced(id);
  });

  it.each(['DATASET', 'NONE', 'ALL'])(
    'gets the locks of a rule that a task places, with grouping %s',
    async (grouping) => {
      const [id = ''] = await addRules(world.at(), { ...wish, asynchronous: true, grouping });
      await workInBetween(6);
      expect(files).toBeGreaterThan(3);
      await expectPlaced(id);
    },
  );

  it('gets the locks of a rule on a container', async () => {
    await world.add('top', 'CONTAINER');
    await world.attach('top', ['ds']);
    const id = await world.rule('top', { asynchronous: true });
    await workInBetween(6);
    await expectPlaced(id);
  });

  it('is repaired', async () => {
    await world.limit('AAA', 1);
    const id = await world.rule('ds', { asynchronous: true });
    await world.work();
    expect(await world.show(id)).toBe('STUCK 0/0/0');
    await world.limit('AAA', 1e12);
    await updateRule(world.at(), id, { boost_rule: true });
    await workInBetween(6);
    await expectPlaced(id);
  });

  it('can be closed', async () => {
    await setStatus(inBetween(), data('ds'), { open: false });
    const { table } = world.at().store;
    const length = (await Array.fromAsync(listChildren(table, data('ds')))).length;
    expect(await getDid(table, data('ds'))).toMatchObject({ open: false, length, bytes: 10 * length });
  });
});
