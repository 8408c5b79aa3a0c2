import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { hideExpiredDid, eraseHiddenDid } from '../../../lib/background/erase-did.ts';
import { clock } from '../../../lib/clock.ts';
import { removeRuleNow } from '../../../lib/domain/rules/life-cycle/remove-rule.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { addAccountAttribute } from '../../../lib/operations/accounts/account-attributes.ts';
import { addAccount } from '../../../lib/operations/accounts/add-account.ts';
import { setLimitOnRse } from '../../../lib/operations/accounts/set-account-limits.ts';
import { attachDids } from '../../../lib/operations/dids/attach-dids.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import { updateScope } from '../../../lib/operations/scopes/update-scope.ts';
import { asFile, getDid } from '../../../lib/store/entities/did.ts';
import { data } from '../dids/catalogue.ts';
import { newReaperCatalogue, type ReaperCatalogue } from './reaper-catalogue.ts';

let world: ReaperCatalogue;
/** The scope is olga's; root has registered the files; ada is an admin, bob and eve are others with a quota. */
beforeEach(async () => {
  world = await newReaperCatalogue();
  for (const account of ['olga', 'ada', 'bob', 'eve']) {
    await addAccount(world.at(), { account, type: 'USER', email: '' });
    for (const rse of ['FULL', 'OTHER']) await setLimitOnRse(world.at(), { account, rse, bytes: 1e12 });
  }
  await addAccountAttribute(world.at(), { account: 'ada', key: 'admin', value: 'true' });
  await updateScope(world.at(), { scope: 'data', account: 'olga' });
  await world.set('greedyDeletion', true);
});
afterEach(async () => {
  await world.close();
});

const as = (account: string): Context => ({ ...world.at(), issuer: { account, identity: account } });
const rule = async (account: string, name: string, rse = 'FULL', more: object = { purge_replicas: true }) => {
  const [id = ''] = await addRules(as(account), {
    dids: [data(name)],
    account: null,
    copies: 1,
    rse_expression: rse,
    ...more,
  });
  return id;
};
const end = (id: string) => removeRuleNow(world.store, id, { now: Date.now(), until: clock.now() + 60_000 });
const exists = async (name: string) => asFile(await getDid(world.at().store.table, data(name))) !== undefined;
/** Has a copy that a rule has asked for arrive on OTHER. */
const arrive = (name: string) => updateReplicas(world.at(), { rse: 'OTHER', files: [{ ...data(name), state: 'A' }] });

describe('the end of a rule frees a replica', () => {
  it('of a file only if its owner, its creator or an administrator ends it, not a stranger, whether the rule purges or not', async () => {
    const cases = [
      ['bob', true, {}],
      ['bob', true, { purge_replicas: true }],
      ['olga', false, {}],
      ['root', false, {}],
      ['ada', false, { purge_replicas: true }],
    ] as const;
    await world.upload(cases.map((_case, index) => `f${index}`));
    for (const [index, [account, _stays, more]] of cases.entries())
      await end(await rule(account, `f${index}`, 'FULL', more));
    await world.reap();
    for (const [index, [account, stays]] of cases.entries()) {
      const name = `f${index}`;
      expect([account, index, await world.isThere(name), await exists(name)]).toEqual([account, index, stays, stays]);
    }
  });

  it('of a file that the owner had a rule on, whoever ends the last one', async () => {
    await world.upload(['f']);
    const rules = [await rule('olga', 'f'), await rule('bob', 'f')];
    for (const id of rules) await end(id);
    for (const account of ['bob', 'eve']) await end(await rule(account, 'f', 'FULL', { comment: account }));
    await world.reap();
    expect(await world.isThere('f')).toBe(false);
  });

  it('that was made for the rule, while there is another copy; the last one goes only once the owner has let go the others', async () => {
    await world.upload(['f', 'g']);
    const made = [await rule('bob', 'f', 'OTHER'), await rule('bob', 'g', 'OTHER')];
    await arrive('f');
    await arrive('g');
    // Of g the owner has nothing any more; the copy on FULL was lost to nobody's wish.
    await world.free(['f']);
    await world.reap();
    expect([await world.isThere('f'), await world.isThere('g')]).toEqual([false, true]);
    for (const id of made) await end(id);
    const left = [...(asFile(await getDid(world.at().store.table, data('f')))?.replicas.values() ?? [])];
    expect(left).toMatchObject([{ tombstone: 0, freedBy: ['', 'bob'] }]);
  });

  it('of a cache as before: a rule that came and went does not make it stay', async () => {
    await world.upload(['f', 'g']);
    await world.free(['f']);
    await end(await rule('eve', 'f'));
    await world.reap();
    expect([await world.isThere('f'), await world.isThere('g')]).toEqual([false, true]);
  });

  it('of all files of a DID that its owner deletes, whoever had rules on it; of files of others not', async () => {
    await world.add('ds', 'DATASET', { lifetime: 1 });
    await world.upload(['f']);
    await world.attach('ds', ['f']);
    await rule('bob', 'ds', 'FULL', {});
    await hideExpiredDid(world.store, data('ds'), Date.now(), () => true);
    await eraseHiddenDid(world.store, data('ds'), Date.now(), Date.now() + 60_000);
    await world.reap();
    expect(await world.isThere('f')).toBe(false);
  });
});

describe('the last copy of an archive', () => {
  it('stays while a rule is about a file in it that is nowhere else', async () => {
    await world.add('ds', 'DATASET');
    await world.upload(['a.zip', 'b.zip', 'own']);
    const inside = (name: string) => ({ ...data(name), bytes: 1 });
    await attachDids(world.at(), data('a.zip'), [inside('in-a')], undefined);
    await attachDids(world.at(), data('b.zip'), [inside('in-b'), data('own')], undefined);
    await world.attach('ds', ['in-a', 'own']);
    await rule('olga', 'ds', 'OTHER', { ask_approval: true });
    await world.free(['a.zip', 'b.zip']);
    await world.reap();
    expect([await world.isThere('a.zip'), await world.isThere('b.zip')]).toEqual([true, false]);
  });
});
