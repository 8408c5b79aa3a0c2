/** Changes of requests beyond the rule itself, with no stream at all: the next request sees it. */
import { beforeAll, describe, expect, it } from 'vitest';

import type { RuleStateName } from '../../../lib/contract/schemas/states.ts';
import { followRules } from '../../../lib/domain/rules/life-cycle/follow-rules.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { addAccount } from '../../../lib/operations/accounts/add-account.ts';
import { declareBad } from '../../../lib/operations/replicas/declare-replicas.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import { deleteRuleById } from '../../../lib/operations/rules/delete-rule.ts';
import { moveRule } from '../../../lib/operations/rules/move-rule.ts';
import { updateRule } from '../../../lib/operations/rules/update-rule.ts';
import { addSubscription } from '../../../lib/operations/subscriptions/add-subscription.ts';
import { countRules, countRulesShort } from '../../../lib/operations/subscriptions/count-rules.ts';
import { getAccountUsage } from '../../../lib/store/entities/account-usage.ts';
import { data } from '../dids/catalogue.ts';
import { newRuleCatalogue, type RuleCatalogue } from './rule-catalogue.ts';

let world: RuleCatalogue;
let subscriptionId: string;
const subscription = { account: 'root', name: 'all' };

beforeAll(async () => {
  world = await newRuleCatalogue();
  const options = { comments: null, lifetime: undefined, retroactive: false, dry_run: false, priority: undefined };
  const filter = { scope: ['nothing'] };
  const templates = [{ rse_expression: 'AAA', copies: 1, activity: 'Debug' }];
  subscriptionId = await addSubscription(world.at(), subscription, {
    filter,
    replication_rules: templates,
    ...options,
  });
  await addAccount(world.at(), { account: 'alice', type: 'USER', email: null });
});

type Counts = Partial<Record<RuleStateName, number>>;

/** The numbers by state, which all four forms of the list must agree on. */
async function counts(): Promise<Counts> {
  const forms = await Promise.all(
    [true, false].map(async (details) => {
      const rows = (await Array.fromAsync(countRules(world.at(), subscription, details))).map(({ row }) => row);
      const short = (await Array.fromAsync(countRulesShort(world.at(), subscription, details))).map(({ row }) => row);
      const brief = short.map((row) => ('state' in row ? [row.state, row.count] : [row[2], row[3]]));
      expect(brief).toEqual(rows.map(({ state, count }) => [state, count]));
      return Object.fromEntries(brief.filter(([state]) => state !== null)) as Counts;
    }),
  );
  expect(forms[0]).toEqual(forms[1]);
  return forms[0] ?? {};
}

async function difference(before: Counts): Promise<Counts> {
  const after = await counts();
  const states = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<RuleStateName>;
  const changed = [...states].map((state) => [state, (after[state] ?? 0) - (before[state] ?? 0)] as const);
  return Object.fromEntries(changed.filter(([, amount]) => amount !== 0));
}

const newName = (() => {
  let last = 0;
  return (prefix: string) => `${prefix}.${(last += 1)}`;
})();

/** A dataset with files on an RSE. */
async function dataset(files: number): Promise<{ name: string; files: string[] }> {
  const [name, prefix] = [newName('ds'), newName('f')];
  const names = Array.from({ length: files }, (_none, index) => `${prefix}.${index}`);
  await world.register('AAA', names);
  await world.add(name, 'DATASET');
  await world.attach(name, names);
  return { name, files: names };
}

const report = (names: readonly string[], state: 'A' | 'U' = 'A', context: Context = world.at()) =>
  updateReplicas(context, { rse: 'BBB', files: names.map((name) => ({ ...data(name), state })) });

/** Delivers the present state of a rule, as the stream does. */
async function tell(id: string): Promise<void> {
  await followRules.run(world.at(), [{ kind: 'rule', id, at: 1, after: await world.read(id) }]);
}

/** A context whose writes fail some times as after a conflict with others, once they are planned. */
function conflicting(times: number): Context {
  const context = world.at();
  const { store } = context;
  const attempts = async <T>(plan: () => Promise<T>): Promise<T> => {
    for (let attempt = 0; attempt < times; attempt += 1) await plan();
    return plan();
  };
  return {
    ...context,
    store: {
      ...store,
      write: (plan, options) => store.write((latest) => attempts(() => plan(latest)), options),
      decide: (plan, options) => store.decide((latest) => attempts(() => plan(latest)), options),
    },
  };
}

describe('the rules of a subscription (access 3.5)', () => {
  it('count as soon as they are made, in whatever state', async () => {
    const before = await counts();
    const { name } = await dataset(2);
    const ids = [
      await world.rule(name, { subscription_id: subscriptionId }),
      await world.rule(name, { subscription_id: subscriptionId, rse_expression: 'BBB' }),
      await world.rule(name, { subscription_id: subscriptionId, rse_expression: 'CCC', asynchronous: true }),
    ];
    const made = { OK: 1, REPLICATING: 1, INJECT: 1 };
    expect(await difference(before)).toEqual(made);
    for (const id of ids) await tell(id);
    expect(await difference(before)).toEqual(made);
  });

  it('count in the state that a report of replicas brings them into, and one of lost replicas', async () => {
    const { name, files } = await dataset(12);
    const before = await counts();
    const id = await world.rule(name, { subscription_id: subscriptionId, rse_expression: 'BBB' });
    await report(files.slice(1));
    expect(await difference(before)).toEqual({ REPLICATING: 1 });
    await report(files.slice(0, 1));
    expect(await difference(before)).toEqual({ OK: 1 });
    const [lost = ''] = files;
    await declareBad(world.at(), { replicas: [{ ...data(lost), rse: 'BBB' }], reason: 'x', pfns: [], force: false });
    expect(await difference(before)).toEqual({ REPLICATING: 1 });
    await report([lost], 'U');
    expect(await difference(before)).toEqual({ STUCK: 1 });
    await tell(id);
    expect(await difference(before)).toEqual({ STUCK: 1 });
  });

  it('count in the state that somebody decides', async () => {
    const { name } = await dataset(1);
    const before = await counts();
    const id = await world.rule(name, { subscription_id: subscriptionId, ask_approval: true });
    expect(await difference(before)).toEqual({ WAITING_APPROVAL: 1 });
    await updateRule(world.at(), id, { approve: true });
    expect(await difference(before)).toEqual({ INJECT: 1 });
    await updateRule(world.at(), id, { state: 'SUSPENDED' });
    expect(await difference(before)).toEqual({ SUSPENDED: 1 });
  });

  it('are left to the stream while others keep changing the counters', async () => {
    const { files } = await dataset(1);
    const before = await counts();
    const wish = { dids: files.map(data), account: null, copies: 1, rse_expression: 'BBB' };
    const [id = ''] = await addRules(conflicting(3), { ...wish, subscription_id: subscriptionId });
    expect(await difference(before)).toEqual({});
    await report(files, 'A', conflicting(3));
    expect(await difference(before)).toEqual({});
    await tell(id);
    expect(await difference(before)).toEqual({ OK: 1 });
  });

  it('do not count without a subscription', async () => {
    const { name, files } = await dataset(1);
    const before = await counts();
    const id = await world.rule(name, { subscription_id: 'f'.repeat(32), rse_expression: 'BBB' });
    await report(files);
    expect(await world.show(id)).toBe('OK 1/0/0');
    expect(await difference(before)).toEqual({});
  });
});

describe('a rule that waits for a child rule (replication 2.8)', () => {
  it('is released by the report of the last file of the child rule', async () => {
    const { name, files } = await dataset(3);
    const parent = await world.rule(name);
    const child = await moveRule(world.at(), parent, { rse_expression: 'BBB' });
    await report(files.slice(1));
    await expect(deleteRuleById(world.at(), parent)).rejects.toThrow('has a child rule');
    await report(files.slice(0, 1));
    expect(await world.show(child)).toBe('OK 3/0/0');
    expect(await world.read(parent)).not.toHaveProperty('childRuleId');
    await deleteRuleById(world.at(), parent);
    await tell(child);
    await world.work();
    await expect(world.read(parent)).rejects.toThrow('there is no rule');
    await world.recount();
  });

  it('can be deleted when the child rule is OK, even if no report has released it', async () => {
    const { name, files } = await dataset(2);
    const parent = await world.rule(name);
    const child = await world.rule(name, { rse_expression: 'BBB' });
    await updateRule(world.at(), parent, { child_rule_id: child });
    await report(files, 'A', conflicting(3));
    expect(await world.show(child)).toBe('OK 2/0/0');
    expect(await world.read(parent)).toMatchObject({ childRuleId: child });
    await deleteRuleById(world.at(), parent);
    expect(await world.read(parent)).toMatchObject({ expiresAt: expect.any(Number) });
    expect(await world.read(parent)).not.toHaveProperty('childRuleId');
    await tell(child);
    expect(await world.read(parent)).toMatchObject({ expiresAt: expect.any(Number) });
  });

  it('is released when both lock the reported replica', async () => {
    const { name, files } = await dataset(1);
    const parent = await world.rule(name, { rse_expression: 'BBB' });
    const child = await world.rule(name, { rse_expression: 'BBB|CCC' });
    await updateRule(world.at(), parent, { child_rule_id: child });
    await report(files);
    await tell(child);
    expect(await world.show(child)).toBe('OK 1/0/0');
    expect(await world.read(parent)).not.toHaveProperty('childRuleId');
  });
});

describe('options of a rule (replication 2.4)', () => {
  it('another account has the locks, and their usage, as soon as it is set', async () => {
    const { name } = await dataset(3);
    const id = await world.rule(name);
    const filesOf = async (account: string) =>
      Number((await getAccountUsage(world.at().store.table, account, world.rseIds.AAA))?.files ?? 0);
    const [before, own] = [await filesOf('alice'), await filesOf('root')];
    await updateRule(world.at(), id, { account: 'alice' });
    expect([await filesOf('alice'), await filesOf('root')]).toEqual([before + 3, own - 3]);
    await world.work();
    expect(await filesOf('alice')).toBe(before + 3);
    await updateRule(world.at(), id, { account: 'root' });
    expect([await filesOf('alice'), await filesOf('root')]).toEqual([before, own]);
    await world.recount();
  });

  it('a rule that is declared stuck has stuck locks', async () => {
    const { name, files } = await dataset(2);
    const id = await world.rule(name, { rse_expression: 'BBB', subscription_id: subscriptionId });
    await report(files.slice(1));
    await updateRule(world.at(), id, { state: 'STUCK' });
    expect(await world.show(id)).toBe('STUCK 1/0/1');
    expect(await world.replicas(files[0] ?? '')).toBe('AAA:A[] BBB:C[S]');
    await world.work();
    expect(await world.show(id)).toBe('STUCK 1/0/1');
    await world.recount();
  });
});
