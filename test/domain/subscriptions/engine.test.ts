import { beforeAll, describe, expect, it } from 'vitest';

import { matchNewDids } from '../../../lib/domain/subscriptions/engine/match-new-dids.ts';
import { stateOfRule } from '../../../lib/domain/values/rule-state.ts';
import { setMetadata } from '../../../lib/operations/dids/set-metadata.ts';
import { updateRse } from '../../../lib/operations/rses/update-rse.ts';
import { data } from '../dids/catalogue.ts';
import { type SubscriptionCatalogue, newSubscriptionCatalogue } from './subscription-catalogue.ts';

let world: SubscriptionCatalogue;
beforeAll(async () => {
  world = await newSubscriptionCatalogue();
});

/** The rules that a new subscription creates for a new dataset. */
async function made(name: string, templates: readonly object[], filter: object = {}, more: object = {}) {
  await world.subscribe(name, { pattern: `${name}$`, ...filter }, templates, more);
  await world.make(name);
  return world.rules(name);
}

const disk = { rse_expression: 'medium=disk', copies: 1 };

describe('the rule of a template (access 3.8)', () => {
  it('has defaults for members that the template lacks', async () => {
    const id = await world.subscribe('plain', { pattern: 'plain$' }, [{ rse_expression: 'medium=tape', copies: '2' }]);
    await world.make('plain');
    const [rule, ...others] = await world.rules('plain');
    expect(others).toEqual([]);
    expect(rule).toMatchObject({
      account: 'root',
      rseExpression: 'medium=tape',
      copies: 2,
      grouping: 'DATASET',
      activity: 'default',
      subscriptionId: id,
      priority: 3,
      comments: 'None',
      notification: 'NO',
      status: 'ACTIVE',
    });
    for (const absent of [
      'expiresAt',
      'weight',
      'locked',
      'purgeReplicas',
      'ignoreAvailability',
      'sourceReplicaExpression',
    ]) {
      expect(rule).not.toHaveProperty(absent);
    }
  });

  it('has all members of the template', async () => {
    const [rule] = await made('whole', [
      {
        ...disk,
        activity: 'Staging',
        lifetime: '3600',
        account: 'alice',
        comments: 'mine',
        weight: 'speed',
        grouping: 'NONE',
        locked: 'True',
        purge_replicas: 'True',
        ignore_availability: true,
        source_replica_expression: 'TAPE1',
      },
    ]);
    expect(rule).toMatchObject({
      account: 'alice',
      activity: 'Staging',
      comments: 'mine',
      weight: 'speed',
      grouping: 'NONE',
      locked: true,
      purgeReplicas: true,
      ignoreAvailability: true,
      sourceReplicaExpression: 'TAPE1',
    });
    expect(rule?.expiresAt).toBe((rule?.createdAt ?? 0) + 3_600_000);
  });

  it('has the comments of the subscription, truncated to 255 characters', async () => {
    const [rule] = await made('comment', [disk], {}, { comments: 'c'.repeat(300) });
    expect(rule?.comments).toBe('c'.repeat(255));
  });

  it('has one copy per RSE for `*`', async () => {
    await made('star', [{ rse_expression: 'medium=tape|medium=disk', copies: '*' }]);
    expect(await world.show('star')).toEqual(['4 of medium=tape|medium=disk']);
  });

  it('is placed after its delay', async () => {
    const [rule] = await made('later', [{ ...disk, delay_injection: 600 }]);
    expect(rule && stateOfRule(rule)).toBe('INJECT');
    expect((rule?.createdAt ?? 0) - Date.now()).toBeGreaterThan(500_000);
  });

  it('is placed by a task when the dataset has files', async () => {
    await world.subscribe('filled', { pattern: 'filled$' }, [{ rse_expression: 'DISK|medium=disk', copies: 1 }]);
    await world.add('filled', 'DATASET');
    await world.attach('filled', ['filled.1', 'filled.2'], 10);
    await world.tell('filled');
    expect((await world.rules('filled')).map(stateOfRule)).toEqual(['INJECT']);
    await world.work();
    const [rule] = await world.rules('filled');
    expect([rule?.status, (rule?.ok ?? 0) + (rule?.replicating ?? 0)]).toEqual(['ACTIVE', 2]);
  });

  it('is created from each template, also on containers', async () => {
    await world.subscribe('box', { pattern: 'box$', did_type: ['CONTAINER'] }, [
      disk,
      { rse_expression: 'medium=tape', copies: 2 },
    ]);
    await world.make('box', 'CONTAINER');
    expect(await world.show('box')).toEqual(['1 of medium=disk', '2 of medium=tape']);
  });
});

describe('a split rule (access 3.8)', () => {
  const split = { split_rule: true };

  it('is one per RSE; RSEs that the subscription already uses come first', async () => {
    await made('split', [{ rse_expression: 'medium=tape', copies: 2 }], split);
    expect(await world.show('split')).toEqual(['1 of TAPE1', '1 of TAPE2']);
    await made(
      'again',
      [
        { rse_expression: 'TAPE1', copies: 1 },
        { rse_expression: 'medium=tape', copies: 2 },
      ],
      split,
    );
    expect(await world.show('again')).toEqual(['1 of TAPE1', '1 of TAPE2']);
  });

  it('respects weights', async () => {
    await made('weighed', [{ ...disk, weight: 'speed' }], split);
    expect(await world.show('weighed')).toEqual(['1 of EU1']);
  });

  it('leaves out unwritable RSEs for `*`', async () => {
    await updateRse(world.at(), 'TAPE2', { availability_write: false });
    try {
      await made('blocked', [{ rse_expression: 'medium=tape', copies: '*' }], split);
      expect(await world.show('blocked')).toEqual(['1 of TAPE1']);
      await made('one', [{ rse_expression: 'medium=tape', copies: 1 }], split);
      expect(await world.show('one')).toEqual(['1 of TAPE1']);
      await made('brave', [{ rse_expression: 'medium=tape', copies: '*', ignore_availability: true }], split);
      expect(await world.show('brave')).toEqual(['1 of TAPE1', '1 of TAPE2']);
    } finally {
      await updateRse(world.at(), 'TAPE2', { availability_write: true });
    }
  });

  it('has a chained rule at an associated site, or at any other site', async () => {
    const chain = { chained_idx: 1, algorithm: 'associated_site', associated_site_idx: 2 };
    const rules = await made(
      'chain',
      [
        { rse_expression: 'TAPE1', copies: 1 },
        { ...disk, ...chain },
      ],
      split,
    );
    expect(await world.show('chain')).toEqual(['1 of EU2', '1 of TAPE1']);
    expect(rules.find(({ rseExpression }) => rseExpression === 'EU2')).toMatchObject({
      sourceReplicaExpression: 'TAPE1',
    });
    const other = { chained_idx: 1, algorithm: 'exclude_site' };
    await made(
      'elsewhere',
      [
        { rse_expression: 'TAPE1', copies: 1 },
        { ...disk, ...other },
      ],
      split,
    );
    expect(await world.show('elsewhere')).toEqual(['1 of EU2', '1 of TAPE1']);
  });
});

describe('a subscription', () => {
  it('ignores matches of other subscriptions, but creates no rule twice', async () => {
    await world.subscribe('double.1', { pattern: 'double$' }, [disk]);
    await world.subscribe('double.2', { pattern: 'double$' }, [disk, { rse_expression: 'TAPE1', copies: 1 }]);
    await world.make('double');
    expect(await world.show('double')).toEqual(['1 of TAPE1', '1 of medium=disk']);
  });

  it('that is inactive, expired, or a dry run creates no rules until that ends', async () => {
    const [key, filter] = [{ state: 'INACTIVE' }, { pattern: 'off' }] as const;
    await world.subscribe('off.1', filter, [disk]);
    await world.change('off.1', key);
    await world.subscribe('off.2', filter, [{ rse_expression: 'TAPE1', copies: 1 }], { lifetime: -1 });
    await world.subscribe('off.3', filter, [{ rse_expression: 'TAPE2', copies: 1 }], { dry_run: true });
    await world.make('off.data');
    expect(await world.show('off.data')).toEqual([]);
    await world.work();
    expect(await world.subscription('off.2')).toMatchObject({ state: 'INACTIVE', expiredAt: expect.any(Number) });
    await world.change('off.1', {});
    await world.change('off.3', { dry_run: false });
    await setMetadata(world.at(), data('off.data'), { key: 'is_new', value: true, recursive: false });
    await world.tell('off.data');
    expect(await world.show('off.data')).toEqual(['1 of TAPE2', '1 of medium=disk']);
  });

  it('updates its time of processing at most once a minute', async () => {
    await world.subscribe('stamped', { pattern: 'nothing' }, [disk]);
    const before = await world.subscription('stamped');
    await world.make('stamp.1');
    expect(await world.subscription('stamped')).toEqual(before);
    const after = await world.did('stamp.1');
    const later = Date.now() + 61_000;
    await matchNewDids.run(world.at(later), [{ kind: 'did', id: '1', at: later, after }]);
    expect(await world.subscription('stamped')).toMatchObject({ state: 'UPDATED', lastProcessed: later });
  });
});
