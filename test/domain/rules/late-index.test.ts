import { beforeEach, describe, expect, it } from 'vitest';

import { followContent } from '../../../lib/domain/rules/engine/follow-content.ts';
import { recheckLater } from '../../../lib/domain/rules/engine/recheck-later.ts';
import { recheck } from '../../../lib/domain/rules/engine/recheck.ts';
import type { TaskStep } from '../../../lib/domain/values/worker.ts';
import { getEdges } from '../../../lib/store/entities/edge.ts';
import type { TableChange } from '../../../lib/store/stream/change.ts';
import { withLateIndex } from '../../support/late-index.ts';
import { data } from '../dids/catalogue.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;
let id: string;

beforeEach(async () => {
  world = await newRuleCatalogue();
  await world.register('AAA', ['f']);
  for (const name of ['d1', 'd2']) await world.add(name, 'DATASET');
  await world.add('top', 'CONTAINER');
  await world.attach('d1', ['f']);
  await world.attach('top', ['d1', 'd2']);
  id = await world.rule('top');
  // The file moves.
  await world.attach('d2', ['f']);
  await world.detach('d1', ['f']);
});

/** A store whose index does not show attachments yet that contain a text. */
const without = (name: string) => withLateIndex(world.store, (text) => !text.includes(name));

async function follow(changes: readonly TableChange[], store = without('d2')): Promise<void> {
  await followContent.run(world.at(Date.now(), store), await Promise.all(changes.map(asItIs)));
}

/** A change with the attachment as it is in the table. */
async function asItIs(change: TableChange): Promise<TableChange> {
  if (change.kind !== 'edge' || change.after === undefined) return change;
  const [after = change.after] = await getEdges(world.at().store.table, [change.after]);
  return { ...change, after };
}

describe('a file that moves below a rule while the index lags', () => {
  it('stays locked if both changes are delivered in one batch', async () => {
    await follow([...world.tell('detached', 'd1', ['f']), ...world.tell('attached', 'd2', ['f'])]);
    expect(await world.replicas('f')).toBe('AAA:A[O]');
  });

  it('is checked again if they are not', async () => {
    await follow(world.tell('attached', 'd2', ['f']));
    await follow(world.tell('detached', 'd1', ['f']));
    await world.work();
    await world.work(120_000);
    expect(await world.replicas('f')).toBe('AAA:A[O]');
    expect(await world.show(id)).toBe('OK 1/0/0');
    await world.recount();
  });
});

describe('content attached while the index does not show its ancestors', () => {
  it.each(['a file', 'a dataset'])('is locked as soon as the index shows them: %s', async (what) => {
    await world.register('AAA', ['late', 'later']);
    await world.add('box', 'CONTAINER');
    await world.add('d3', 'DATASET');
    await world.attach('d3', ['late']);
    if (what === 'a file') await world.attach('box', ['d3']);
    await world.attach('top', ['box']);
    const blind = without('box');
    await follow(world.tell('attached', 'top', ['box'], 'CONTAINER'), blind);
    await world.work();
    if (what === 'a file') {
      await world.attach('d3', ['later']);
      await follow(world.tell('attached', 'd3', ['later']), blind);
    } else {
      await world.attach('box', ['d3']);
      await follow(world.tell('attached', 'box', ['d3'], 'DATASET'), blind);
      await world.attach('d3', ['later']);
      await follow(world.tell('attached', 'd3', ['later']), blind);
    }
    await world.work(120_000);
    expect(await Promise.all(['f', 'late', 'later'].map((name) => world.replicas(name)))).toEqual(
      Array(3).fill('AAA:A[O]'),
    );
    expect(await world.show(id)).toBe('OK 3/0/0');
    await world.recount();
  });
});

describe('a dataset detached while the index does not show its ancestors', () => {
  it('loses its locks as soon as the index shows them', async () => {
    await world.register('AAA', ['late']);
    await world.add('box', 'CONTAINER');
    await world.add('d3', 'DATASET');
    await world.attach('d3', ['late']);
    await world.attach('box', ['d3']);
    // With this grouping no dataset lock names the rule.
    const own = await world.rule('top', { grouping: 'NONE', rse_expression: 'AAA|BBB' });
    await world.attach('top', ['box']);
    const blind = without('box');
    await follow(world.tell('attached', 'top', ['box'], 'CONTAINER'), blind);
    await world.work();
    expect(await world.show(own)).toBe('OK 2/0/0');
    await world.detach('box', ['d3']);
    await follow(world.tell('detached', 'box', ['d3'], 'DATASET'), blind);
    await world.work(120_000);
    expect(await world.show(own)).toBe('OK 1/0/0');
    await world.recount();
  });
});

describe('a dataset with a locked file before the placement reaches it', () => {
  it.each(['ALL', 'DATASET'] as const)('has all its files locked, with grouping %s', async (grouping) => {
    await world.register('AAA', ['old', 'new']);
    await world.add('all', 'CONTAINER');
    await world.add('box', 'CONTAINER');
    await world.add('d3', 'DATASET');
    await world.attach('d3', ['old']);
    await world.attach('box', ['d3']);
    await world.attach('all', ['d1']);
    await world.attach('d1', ['f']);
    const own = await world.rule('all', { grouping });
    await world.attach('all', ['box']);
    await world.attach('d3', ['new']);
    // From another shard of the stream, and delivered first.
    await world.follow(world.tell('attached', 'd3', ['new']));
    await world.follow(world.tell('attached', 'all', ['box'], 'CONTAINER'));
    await world.work();
    expect(await world.show(own)).toBe('OK 3/0/0');
    await world.recount();
  });
});

describe('the decision of a recheck that races with another change (a function frozen in between)', () => {
  /** Plans the recheck of the file, runs another change, and only then writes the plan. */
  async function lookAround(act: () => Promise<void>): Promise<void> {
    const { store } = world.at();
    const task = { kind: 'recheck', ruleId: id, files: [data('f')] } as const;
    const note = { key: { PK: 'WORK#0', SK: 'test' }, task, due: 0, rev: 1 };
    const steps = recheck(world.at(), store.table.latest(), note);
    const step: TaskStep = 'next' in steps ? (await steps.next()).value : await steps;
    await act();
    await store.write(async () => step.writes);
    await world.work();
    await world.work(120_000);
  }

  beforeEach(async () => {
    await world.follow([...world.tell('attached', 'd2', ['f']), ...world.tell('detached', 'd1', ['f'])]);
    await world.work(120_000);
  });

  it('is reverted if the file that it locks was detached before', async () => {
    await world.detach('d2', ['f']);
    await world.follow(world.tell('detached', 'd2', ['f']));
    await world.work(120_000);
    await world.attach('d2', ['f']);
    await lookAround(async () => {
      await world.detach('d2', ['f']);
      await world.follow(world.tell('detached', 'd2', ['f']));
    });
    expect(await world.replicas('f')).toBe('AAA:A[]');
    expect(await world.show(id)).toBe('OK 0/0/0');
    await world.recount();
  });

  it('is reverted if the file that it unlocks was attached before', async () => {
    await world.detach('d2', ['f']);
    await lookAround(() => world.grow('d2', ['f']));
    expect(await world.replicas('f')).toBe('AAA:A[O]');
    expect(await world.show(id)).toBe('OK 1/0/0');
    await world.recount();
  });
});

describe('a rule on a file whose locks are checked again (a detachment could not be followed)', () => {
  it('keeps its locks, with and without a parent of the file', async () => {
    const own = await world.rule('f');
    for (const act of [async () => {}, () => world.detach('d2', ['f'])]) {
      await act();
      await world.store.write(async () => recheckLater(own, [data('f')], 0));
      await world.work();
      expect(await world.show(own)).toBe('OK 1/0/0');
    }
    await world.recount();
  });
});
