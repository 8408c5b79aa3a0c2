import { beforeAll, describe, expect, it } from 'vitest';

import { consumeChanges } from '../../../lib/background/consume-changes.ts';
import { expireDids } from '../../../lib/background/expire-dids.ts';
import { runDueWork } from '../../../lib/background/run-work.ts';
import { rowsOf } from '../../../lib/domain/paging/page.ts';
import { matchNewDids } from '../../../lib/domain/subscriptions/engine/match-new-dids.ts';
import { setLimitOnRse } from '../../../lib/operations/accounts/set-account-limits.ts';
import { resurrect } from '../../../lib/operations/dids/resurrect.ts';
import { setMetadata } from '../../../lib/operations/dids/set-metadata.ts';
import { listSubscriptionFailures } from '../../../lib/operations/subscriptions/list-failures.ts';
import { listSubscriptionMatches } from '../../../lib/operations/subscriptions/list-matches.ts';
import { listDueWork } from '../../../lib/store/entities/work.ts';
import { keyOf, type Plan } from '../../../lib/store/items/plan.ts';
import { fillItem } from '../../support/full-items.ts';
import { withLateIndex } from '../../support/late-index.ts';
import { data, interrupted } from '../dids/catalogue.ts';
import { type SubscriptionCatalogue, newSubscriptionCatalogue } from './subscription-catalogue.ts';

let world: SubscriptionCatalogue;
beforeAll(async () => {
  world = await newSubscriptionCatalogue();
});

const day = 86_400_000;
const disk = { rse_expression: 'medium=disk', copies: 1 };
const failures = (name: string) =>
  Array.fromAsync(rowsOf(listSubscriptionFailures(world.at(), { account: 'root', name })));
const again = (name: string) => setMetadata(world.at(), data(name), { key: 'is_new', value: true, recursive: false });
const notes = async () => {
  const found = await Array.fromAsync(listDueWork(world.store.begin().table.latest(), Date.now() + 100 * day));
  return found.filter(({ task }) => task.kind === 'match');
};

/** Makes a dataset whose first match fails, and which is then deleted; a retry would succeed. */
async function makeDeletedMatch(name: string): Promise<void> {
  await world.subscribe(name, { pattern: name }, [{ rse_expression: 'nowhere', copies: 1 }]);
  await world.make(`${name}.1`, 'DATASET', { lifetime: -10 });
  await expireDids({ store: world.store.begin(), now: Date.now() });
  await world.change(name, { replication_rules: [disk] });
}

describe('a failing match of a subscription', () => {
  it('is tried six times, then listed until the DID is new again and the match succeeds', async () => {
    await world.subscribe('poor', { pattern: 'poor' }, [disk, { rse_expression: 'FULL', copies: 1 }]);
    await world.make('poor.1');
    expect(await world.show('poor.1')).toEqual(['1 of medium=disk']);
    for (let attempt = 2; attempt <= 6; attempt += 1) {
      expect(await failures('poor')).toEqual([]);
      expect(await notes()).toMatchObject([{ task: { attempts: attempt - 1, templates: [1] } }]);
      await world.work(day * attempt);
    }
    expect(await notes()).toEqual([]);
    expect(await failures('poor')).toMatchObject([
      {
        scope: 'data',
        name: 'poor.1',
        did_type: 'DATASET',
        replication_rules: [1],
        attempts: 6,
        exception: 'InsufficientAccountLimit',
        message: expect.stringContaining('insufficient quota'),
      },
    ]);
    await setLimitOnRse(world.at(), { account: 'root', rse: 'FULL', bytes: 1e12 });
    await again('poor.1');
    await world.tell('poor.1');
    expect(await world.show('poor.1')).toEqual(['1 of FULL', '1 of medium=disk']);
    expect(await failures('poor')).toEqual([]);
  });

  it('of a dataset that has no byte left leaves its neighbours their rules, whether they are told together or alone', async () => {
    await world.subscribe('packed', { pattern: String.raw`packed\..*` }, [disk]);
    const names = Array.from({ length: 20 }, (_none, index) => `packed.${index}`);
    for (const name of names) await world.add(name, 'DATASET');
    await fillItem(world.store, data('packed.7'));
    await consumeChanges(world.at(), await world.changesOf(...names), [matchNewDids]);
    const others = names.filter((name) => name !== 'packed.7');
    for (const name of others) expect(await world.show(name)).toEqual(['1 of medium=disk']);
  });

  it('with one malformed expression creates no rules at all', async () => {
    await world.subscribe('bad', { pattern: 'bad' }, [disk, { rse_expression: 'medium=', copies: 1 }]);
    await world.make('bad.1');
    expect(await world.show('bad.1')).toEqual([]);
    await world.change('bad', { replication_rules: [disk] });
    await world.work(day);
    expect(await world.show('bad.1')).toEqual(['1 of medium=disk']);
    expect(await failures('bad')).toEqual([]);
  });

  it('is not retried for a DID that became new again, nor while the subscription is inactive', async () => {
    await world.subscribe('off', { pattern: 'off' }, [{ rse_expression: 'nowhere', copies: 1 }]);
    await world.make('off.1');
    await again('off.1');
    await world.tell('off.1');
    expect(await notes()).toHaveLength(2);
    await world.change('off', { replication_rules: [disk], state: 'INACTIVE' });
    for (let attempt = 2; attempt <= 6; attempt += 1) await world.work(day * attempt);
    expect(await notes()).toEqual([]);
    expect(await failures('off')).toMatchObject([{ replication_rules: null, exception: 'SubscriptionNotFound' }]);
    expect(await world.show('off.1')).toEqual([]);
  });

  it('is done when the DID was deleted before the retry, and is resurrected later', async () => {
    await makeDeletedMatch('gone');
    await world.work(day);
    await resurrect(world.at(), [data('gone.1')]);
    await world.tell('gone.1');
    expect(await world.show('gone.1')).toEqual(['1 of medium=disk']);
  });

  it('is done when the DID is resurrected during the retry', async () => {
    await makeDeletedMatch('back');
    let isBack = false;
    const resurrectAfter = async (writes: Plan) => {
      if (isBack || !writes.some((write) => keyOf(write).PK.startsWith('MATCHED'))) return;
      isBack = true;
      await resurrect(world.at(), [data('back.1')]);
      await world.tell('back.1');
    };
    const store = interrupted(world.store, resurrectAfter);
    await runDueWork({ ...world.at(Date.now() + day), store }, 30_000);
    expect(isBack).toBe(true);
    expect(await world.show('back.1')).toEqual(['1 of medium=disk']);
  });

  it('is retried after a temporary failure of the database', async () => {
    await world.subscribe('shaky', { pattern: 'shaky' }, [disk]);
    await world.add('shaky.1', 'DATASET');
    const { store, now } = world.at();
    let left = 1;
    const shaky = {
      ...store,
      write: (plan: Parameters<typeof store.write>[0]) => {
        if (left === 0) return store.write(plan);
        left -= 1;
        return Promise.reject(new Error('throttled'));
      },
    };
    const after = await world.did('shaky.1');
    await matchNewDids.run({ store: shaky, now }, [{ kind: 'did', id: '1', at: now, after }]);
    expect(await world.show('shaky.1')).toEqual([]);
    await world.work(day);
    expect(await world.show('shaky.1')).toEqual(['1 of medium=disk']);
  });
});

describe('existing collections', () => {
  it('are matched against a retroactive subscription step by step, with concurrently created ones', async () => {
    for (let index = 0; index < 30; index += 1) await world.add(`past.${index}`, 'DATASET');
    await world.add('past.hidden', 'DATASET', { meta: { hidden: true } });
    await world.subscribe('past', { pattern: 'past' }, [disk], { retroactive: true });
    await world.make('past.new');
    expect(await world.show('past.new')).toEqual(['1 of medium=disk']);
    await world.work();
    for (let index = 0; index < 30; index += 1) expect(await world.show(`past.${index}`)).toEqual(['1 of medium=disk']);
    expect([await world.show('past.new'), await world.show('past.hidden')]).toEqual([['1 of medium=disk'], []]);
    expect(await world.subscription('past')).toMatchObject({ state: 'NEW', retroactive: true });
  });

  it('are matched a minute later where the index did not show them at first, and no other one again', async () => {
    for (const name of ['seen', 'late']) await world.add(`unseen.${name}`, 'DATASET');
    await world.subscribe('unseen', { pattern: 'unseen' }, [disk], { retroactive: true });
    const store = withLateIndex(world.store, (text) => !text.includes('unseen.late'));
    await runDueWork({ ...world.at(), store }, 30_000);
    expect([await world.show('unseen.seen'), await world.show('unseen.late')]).toEqual([['1 of medium=disk'], []]);
    await world.work(60_000);
    for (const name of ['seen', 'late']) expect(await world.show(`unseen.${name}`)).toEqual(['1 of medium=disk']);
  });

  it('are listed as failures one by one when the filter takes too long, or a rule would last too long', async () => {
    const slow = `${'s'.repeat(60)}.`;
    await world.add(slow, 'DATASET');
    await world.add('long', 'DATASET');
    await world.subscribe('slow', { pattern: '(s+)+$' }, [disk], { dry_run: true });
    await world.subscribe('long', { pattern: 'long' }, [{ ...disk, lifetime: 1e14 }], { dry_run: true });
    const told = async (name: string) =>
      (await Array.fromAsync(rowsOf(listSubscriptionMatches(world.at(), { account: 'root', name })))).filter(
        (row) => row.name === slow || row.name === 'long',
      );
    expect(await told('slow')).toMatchObject([
      { rules: [], name: slow, exception: 'InvalidObject', message: expect.stringContaining('takes too long') },
    ]);
    expect(await told('long')).toMatchObject([{ exception: 'InvalidObject', rules: [] }]);
  });

  it('show in a preview which rules a subscription would create, without creating them', async () => {
    for (const name of ['dry.1', 'dry.2']) await world.add(name, 'DATASET');
    const templates = [
      { ...disk, lifetime: 60, activity: 'Staging' },
      { rse_expression: 'TAPE1', copies: 2 },
    ];
    await world.subscribe('dry', { pattern: 'dry' }, templates, { dry_run: true });
    const rows = await Array.fromAsync(rowsOf(listSubscriptionMatches(world.at(), { account: 'root', name: 'dry' })));
    const rule = { account: 'root', rse_expression: 'medium=disk', copies: 1, activity: 'Staging' };
    const expected = (name: string) => ({
      scope: 'data',
      name,
      did_type: 'DATASET',
      exception: 'InsufficientTargetRSEs',
      message: expect.stringContaining('2 copies requested'),
      rules: [{ ...rule, source_replica_expression: null, expires_at: expect.stringMatching(/ UTC$/) }],
    });
    expect(rows).toEqual([expected('dry.1'), expected('dry.2')]);
    expect(await world.show('dry.1')).toEqual([]);
  });
});
