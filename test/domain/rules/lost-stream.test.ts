/** A catalogue whose stream was lost, as after a restore: nothing follows what was changed until it is looked for. */
import { setTimeout as sleep } from 'node:timers/promises';

import { beforeEach, describe, expect, it } from 'vitest';

import { followOwed } from '../../../lib/background/follow-owed.ts';
import { fastReactions, slowReactions } from '../../../lib/background/reactions.ts';
import type { CatalogueEvent } from '../../../lib/contract/schemas/event.ts';
import type { Reaction } from '../../../lib/domain/values/reaction.ts';
import { setStatus } from '../../../lib/operations/dids/set-status.ts';
import { addSubscription } from '../../../lib/operations/subscriptions/add-subscription.ts';
import { endOfEvents, listEvents } from '../../../lib/store/entities/event.ts';
import { listRulesOf } from '../../../lib/store/entities/rule.ts';
import { type ChangeOf, changesOf } from '../../../lib/store/stream/change.ts';
import { oweChangesSince } from '../../../local/owe-changes.ts';
import { data } from '../dids/catalogue.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

const reactions = { fast: fastReactions, slow: slowReactions };

let world: RuleCatalogue;
let since: number;

/** Marks all changes up to now as followed. */
async function loseStream(): Promise<void> {
  await sleep(2);
  since = Date.now();
}

/** Looks for what was changed since the stream was lost, and follows it; returns the number of changes. */
async function catchUp(from: number | undefined = since): Promise<number> {
  const { changes } = await oweChangesSince(world.store, from);
  expect(await followOwed(world.store, reactions)).toMatchObject({ done: true });
  await world.work(120_000);
  return changes;
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_value, index) => `${prefix}${index}`);

beforeEach(async () => {
  world = await newRuleCatalogue();
});

describe('after a lost stream', () => {
  it('rules lock what was attached since, at any depth, and no file that was attached before is read again', async () => {
    for (const name of ['old', 'set', 'late']) await world.add(name, 'DATASET');
    for (const name of ['box', 'inner']) await world.add(name, 'CONTAINER');
    await world.attach('old', names('old.', 3), 10);
    const [ofSet, ofBox] = [await world.rule('set'), await world.rule('box')];
    await loseStream();
    await world.attach('set', names('f.', 30), 10);
    await world.attach('late', names('g.', 5), 10);
    await world.attach('inner', ['late']);
    await world.attach('box', ['inner']);
    expect([await world.show(ofSet), await world.show(ofBox)]).toEqual(['OK 0/0/0', 'OK 0/0/0']);
    // 35 files, their attachments and those of 2 collections; datasets, usage.
    const changes = await catchUp();
    expect([await world.show(ofSet), await world.show(ofBox)]).toEqual(['REPLICATING 0/30/0', 'REPLICATING 0/5/0']);
    expect(changes).toBeLessThan(90);
    await world.recount();
    // Once more, and from the beginning: what was done stays as it is.
    await catchUp(0);
    expect([await world.show(ofSet), await world.show(ofBox)]).toEqual(['REPLICATING 0/30/0', 'REPLICATING 0/5/0']);
    await world.recount();
  });

  it('rules release what was detached since, files and whole collections, and keep what was attached again', async () => {
    await world.add('set', 'DATASET');
    await world.add('box', 'CONTAINER');
    await world.add('part', 'DATASET');
    await world.attach('set', names('f.', 4), 10);
    await world.attach('part', names('g.', 4), 10);
    await world.attach('box', ['part']);
    const [ofSet, ofBox] = [await world.rule('set'), await world.rule('box')];
    expect([await world.show(ofSet), await world.show(ofBox)]).toEqual(['REPLICATING 0/4/0', 'REPLICATING 0/4/0']);
    await loseStream();
    await world.detach('set', ['f.0', 'f.1']);
    await world.attach('set', ['f.1']);
    await world.detach('box', ['part']);
    await catchUp();
    expect([await world.show(ofSet), await world.show(ofBox)]).toEqual(['REPLICATING 0/3/0', 'OK 0/0/0']);
    await world.recount();
  });

  it('subscriptions make rules for what is new since, and for nothing that was there before', async () => {
    await world.add('old', 'DATASET');
    await loseStream();
    const options = {
      filter: { scope: ['data'] },
      replication_rules: [{ rse_expression: 'BBB', copies: 1, activity: 'Staging' }],
      comments: null,
      lifetime: undefined,
      retroactive: false,
      dry_run: false,
    };
    await addSubscription(world.at(), { account: 'root', name: 'all' }, options);
    await world.add('new', 'DATASET');
    await world.attach('old', ['f'], 10);
    await catchUp();
    const rulesOf = async (name: string) =>
      (await Array.fromAsync(listRulesOf(world.at().store.table, data(name)))).length;
    expect([await rulesOf('new'), await rulesOf('old')]).toEqual([1, 0]);
    await world.recount();
  });

  it('events tell what is new, changed, closed and detached since, with the same ids if it is found twice', async () => {
    await world.add('old', 'DATASET');
    await world.add('before', 'DATASET');
    await world.attach('old', ['f', 'g'], 10);
    await loseStream();
    await world.add('new', 'DATASET');
    await world.attach('new', ['h'], 10);
    await world.detach('old', ['f']);
    await setStatus(world.at(), data('old'), { open: false });
    await catchUp();
    const told = await events();
    const types = (subject: string) =>
      told.filter((event) => event.subject === `data:${subject}`).map(({ type }) => type);
    expect(types('new')).toEqual(expect.arrayContaining(['CREATE_DTS', 'ATTACH']));
    expect(types('old')).toEqual(expect.arrayContaining(['CLOSE', 'DETACH']));
    expect(types('h')).toEqual(expect.arrayContaining(['CREATE_FILE', 'ADD_REPLICA']));
    expect([...types('before'), ...types('g')]).toEqual([]);
    await catchUp();
    const ids = (list: readonly CatalogueEvent[]) => new Set(list.map(({ id }) => id));
    expect(ids(await events())).toEqual(ids(told));
  });

  it('events tell the newest state, with an id of its own, if the stream is lost again and only locks have changed', async () => {
    await world.add('new', 'DATASET');
    await loseStream();
    await world.register('AAA', ['h']);
    await world.attach('new', ['h']);
    await catchUp();
    const former = new Set((await events()).map(({ id }) => id));
    await world.rule('new');
    await catchUp();
    const added = (await events()).filter(({ subject, id }) => subject === 'data:h' && !former.has(id));
    expect(added.map(({ type, data: { lock_cnt: locks } }) => [type, locks])).toContainEqual(['ADD_REPLICA', 1]);
  });

  it('a change that can not be followed does not keep the others from it, and a failing network keeps all', async () => {
    await world.add('set', 'DATASET');
    const rule = await world.rule('set');
    await loseStream();
    await world.attach('set', names('f.', 9), 10);
    await oweChangesSince(world.store, since);
    const failing = (error: (change: ChangeOf<'edge'>) => Error | undefined): Reaction => ({
      name: 'failing',
      kinds: ['edge'],
      async run(_context, changes) {
        for (const change of changesOf('edge', changes)) {
          const failure = error(change);
          if (failure !== undefined) throw failure;
        }
      },
    });
    const lost = failing(() => Object.assign(new Error('no answer'), { name: 'TimeoutError' }));
    await expect(followOwed(world.store, { fast: [lost], slow: [] })).rejects.toThrow('delivered again');
    const odd = failing(({ after }) => (after?.child.name === 'f.4' ? new Error('an unexpected type') : undefined));
    expect(await followOwed(world.store, { fast: [odd, ...fastReactions], slow: [] })).toMatchObject({ done: true });
    expect(await world.show(rule)).toBe('REPLICATING 0/9/0');
    expect(await followOwed(world.store, reactions)).toEqual({ records: 0, done: true });
  });

  it('looks by default from 13 hours before the last event, from the beginning if there is none', async () => {
    await world.add('set', 'DATASET');
    expect(await oweChangesSince(world.store)).toMatchObject({ since: 0 });
    await followOwed(world.store, reactions);
    const { since: from } = await oweChangesSince(world.store);
    const end = await endOfEvents(world.at().store.table);
    expect(from).toBe((end?.at ?? 0) - 13 * 3_600_000);
  });
});

async function events(): Promise<CatalogueEvent[]> {
  const { table } = world.at().store;
  const end = await endOfEvents(table);
  if (end === undefined) return [];
  const texts = await Array.fromAsync(listEvents(table, { at: end.at - 60_000, index: -1 }, end));
  return texts.flat().map(({ text }) => JSON.parse(text) as CatalogueEvent);
}
