import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { clock } from '../../../lib/clock.ts';
import { removeRuleNow } from '../../../lib/domain/rules/life-cycle/remove-rule.ts';
import { matchNewDids } from '../../../lib/domain/subscriptions/engine/match-new-dids.ts';
import type { ChangeOf } from '../../../lib/store/stream/change.ts';
import { volumeOf } from '../../support/volume.ts';
import { interrupted } from '../dids/catalogue.ts';
import { type SubscriptionCatalogue, newSubscriptionCatalogue } from './subscription-catalogue.ts';

let world: SubscriptionCatalogue;
beforeAll(async () => {
  world = await newSubscriptionCatalogue();
});

const disk = { rse_expression: 'medium=disk', copies: 1 };
const tape = { rse_expression: 'medium=tape', copies: 2 };
const change = async (name: string): Promise<ChangeOf<'did'>> => {
  return { kind: 'did', id: name, at: Date.now(), after: await world.did(name) };
};

describe('the rules of a subscription', () => {
  it('are created once each, for any batches and repeated deliveries of the changes', async () => {
    await world.subscribe('split', { pattern: 'once', split_rule: true }, [
      tape,
      { ...disk, chained_idx: 1, algorithm: 'exclude_site' },
    ]);
    await world.subscribe('whole', { pattern: 'once.*a', did_type: 'DATASET' }, [disk, tape]);
    let run = 0;
    const batches = fc.array(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 6 }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(batches, async (more) => {
        run += 1;
        const names = ['a0', 'b1', 'a2', 'b3', 'a4', 'b5'].map((end) => `once.${run}.${end}`);
        for (const name of names) await world.add(name, 'DATASET');
        const changes = await Promise.all(names.map(change));
        // Delivery is at least once; batches of several shards are read in parallel.
        const all = [...more, [0, 1, 2, 3, 4, 5]].map((batch) =>
          batch.map((index) => changes[index] as ChangeOf<'did'>),
        );
        await Promise.all(all.map((batch) => world.tellChanges(...batch)));
        for (const name of names) {
          const shown = await world.show(name);
          const wanted = name.includes('a') ? ['1 of medium=disk', '2 of medium=tape'] : [];
          expect(shown.filter((text) => text.includes('='))).toEqual(wanted);
          expect(shown.filter((text) => text.includes('TAPE'))).toEqual(['1 of TAPE1', '1 of TAPE2']);
          const rules = await world.rules(name);
          expect(rules).toHaveLength(
            new Set(rules.map(({ rseExpression, copies }) => `${copies} ${rseExpression}`)).size,
          );
        }
      }),
      { numRuns: volumeOf('rulesOfSubscriptions') },
    );
  });

  it('are not created again after their deletion', async () => {
    await world.subscribe('gone', { pattern: 'gone' }, [disk]);
    await world.make('gone.1');
    const [rule] = await world.rules('gone.1');
    await removeRuleNow(world.store, rule?.id ?? '', { now: Date.now(), until: clock.now() + 10_000 });
    await world.tell('gone.1');
    expect(await world.show('gone.1')).toEqual([]);
  });

  it('are created by the next delivery when the consumer dies before its plan', async () => {
    await world.subscribe('crash', { pattern: 'crash' }, [disk, tape]);
    await world.add('crash.1', 'DATASET');
    const told = await change('crash.1');
    const dying = interrupted(world.store, () => Promise.reject(new Error('died')));
    await expect(matchNewDids.run({ store: dying.begin(), now: Date.now() }, [told])).rejects.toThrow('died');
    expect(await world.show('crash.1')).toEqual([]);
    await world.tellChanges(told);
    expect(await world.show('crash.1')).toEqual(['1 of medium=disk', '2 of medium=tape']);
  });

  it('apply to files that are attached concurrently', async () => {
    await world.subscribe('race', { pattern: 'race' }, [{ rse_expression: 'DISK|medium=disk', copies: 1 }]);
    await world.add('race.1', 'DATASET');
    const told = await change('race.1');
    let isFirst = true;
    const racing = interrupted(world.store, async () => {
      if (isFirst) await world.attach('race.1', ['race.f'], 10);
      isFirst = false;
    });
    await matchNewDids.run({ store: racing.begin(), now: Date.now() }, [told]);
    await world.work();
    const [rule] = await world.rules('race.1');
    expect((rule?.ok ?? 0) + (rule?.replicating ?? 0)).toBe(1);
  });
});
