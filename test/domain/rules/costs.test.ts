import { beforeAll, describe, expect, it } from 'vitest';

import { clock } from '../../../lib/clock.ts';
import { removeRuleNow } from '../../../lib/domain/rules/life-cycle/remove-rule.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { listRules } from '../../../lib/operations/dids/list-rules-of-did.ts';
import { listDatasetLocks } from '../../../lib/operations/locks/list-locks.ts';
import { analyseRule, maxFiles } from '../../../lib/operations/rules/analyse-rule.ts';
import { deleteRuleById } from '../../../lib/operations/rules/delete-rule.ts';
import { showRule } from '../../../lib/operations/rules/get-rule.ts';
import { listLocksOfRule } from '../../../lib/operations/rules/list-locks-of-rule.ts';
import { listReplicationRules } from '../../../lib/operations/rules/list-replication-rules.ts';
import { listRuleHistory } from '../../../lib/operations/rules/rule-history.ts';
import { updateRule } from '../../../lib/operations/rules/update-rule.ts';
import { insertDatasetLock } from '../../../lib/store/entities/dataset-lock.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';
import { placeRule } from '../replicas/place-rule.ts';

const names = Array.from({ length: 50 }, (_none, index) => `f${index}`);
let catalogue: Catalogue;
let rseId: string;

beforeAll(async () => {
  catalogue = await newCatalogue();
  rseId = (await getRse(catalogue.at().store.table, 'DISK'))?.id ?? '';
  await catalogue.add('ds', 'DATASET');
  await catalogue.attach('ds', names, 1);
  await catalogue.add('many', 'DATASET');
  for (const index of names.keys())
    await placeRule(catalogue, rseId, { did: data('many'), account: 'bob', priority: index, locks: {} });
}, 120_000);

const costOf = async (run: (context: Context) => Promise<unknown>) => (await measure(() => run(catalogue.at()))).cost;
const place = (files = names) =>
  placeRule(catalogue, rseId, { locks: Object.fromEntries(files.map((name) => [name, { lock: 'O' }])) });

describe('cost of rules', () => {
  it('a rule costs a read of it and one of its DID', async () => {
    const id = await place([]);
    expect(await costOf((context) => showRule(context, id))).toEqual({ rru: 2, wru: 0, requests: 2, roundTrips: 2 });
  });

  it('the rules of a DID cost a read each, and the list of them', async () => {
    const cost = await costOf(async (context) =>
      expect(await Array.fromAsync(listRules(context, data('many')))).toHaveLength(50),
    );
    expect(cost).toMatchObject({ wru: 0, requests: 3 });
    // Fewer if one answer overtakes another.
    expect(cost.roundTrips).toBeLessThanOrEqual(2);
    expect(cost.rru).toBeLessThanOrEqual(50 + 4);
  });

  it('the rules of an account cost a read each, and the list of them', async () => {
    const list = (context: Context) => Array.fromAsync(listReplicationRules(context, { account: 'bob' }));
    const cost = await costOf(async (context) => expect(await list(context)).toHaveLength(50));
    expect(cost).toMatchObject({ wru: 0, requests: 4 + 2 });
    expect(cost.roundTrips).toBeLessThanOrEqual(3);
    expect(cost.rru).toBeLessThanOrEqual(50 + 1 + 4);
  });

  it('a page of them costs as much as its rows', async () => {
    const list = (context: Context) => listReplicationRules(context, { account: 'bob' }, { limit: 5 }).next();
    const cost = await costOf(list);
    expect(cost).toMatchObject({ wru: 0, requests: 4 + 2 });
    expect(cost.roundTrips).toBeLessThanOrEqual(3);
    expect(cost.rru).toBeLessThanOrEqual(6 + 1 + 4);
  });

  it('the locks of a rule cost a read of each file, and the list of the content', async () => {
    const id = await place();
    const list = (context: Context) => Array.fromAsync(listLocksOfRule(context, id));
    const cost = await costOf(async (context) => expect(await list(context)).toHaveLength(50));
    expect(cost).toMatchObject({ wru: 0, requests: 5 });
    expect(cost.rru).toBeLessThanOrEqual(50 + 6);
    await removeRuleNow(catalogue.store, id, { now: 1, until: clock.now() + 60_000 });
  });

  it('an analysis reads a bounded number of files, and says so', async () => {
    const many = Array.from({ length: maxFiles + 1 }, (_none, index) => `m${10_000 + index}`);
    await catalogue.add('long', 'DATASET');
    for (let start = 0; start < many.length; start += 1_000)
      await catalogue.attach('long', many.slice(start, start + 1_000), 1);
    const lockStuck = (name = '') =>
      placeRule(catalogue, rseId, { did: data('long'), locks: { [name]: { lock: 'S' } } });
    const [found, missed] = [await lockStuck(many[7]), await lockStuck(many.at(-1))];
    expect(await analyseRule(catalogue.at(), found)).toMatchObject({ transfers: [{ name: many[7] }] });
    const cost = await costOf(async (context) =>
      expect(await analyseRule(context, missed)).toEqual({
        rule_error: `Some locks are stuck (only the first ${maxFiles} files of the rule were looked at)`,
        transfers: [],
      }),
    );
    expect(cost.rru).toBeLessThan(2 * maxFiles);
  });

  it('dataset locks cost a query, a read of each rule, and one of the dataset', async () => {
    const ruleId = await place([]);
    await catalogue.store.write(async () => [insertDatasetLock({ did: data('ds'), ruleId, rseId, createdAt: 1 })]);
    const list = (context: Context) => Array.fromAsync(listDatasetLocks(context, data('ds')));
    const cost = await costOf(async (context) => expect(await list(context)).toHaveLength(1));
    expect(cost).toMatchObject({ rru: 4, wru: 0, requests: 4 });
    expect(cost.roundTrips).toBeLessThanOrEqual(2);
  });

  it('the history of a DID costs two queries, and a read of each rule', async () => {
    const list = (context: Context) => Array.fromAsync(listRuleHistory(context, data('many')));
    const cost = await costOf(async (context) => expect(await list(context)).toHaveLength(50));
    expect(cost).toMatchObject({ wru: 0, requests: 3 });
    expect(cost.roundTrips).toBeLessThanOrEqual(2);
  });

  it('a change costs a read and a write; a deletion also creates the removal task', async () => {
    const id = await place([]);
    const change = await costOf((context) => updateRule(context, id, { comment: 'x' }));
    expect(change).toEqual({ rru: 1, wru: 1, requests: 2, roundTrips: 2 });
    const deletion = await costOf((context) => deleteRuleById(context, id));
    expect(deletion).toMatchObject({ rru: 1, requests: 2, roundTrips: 2 });
    expect(deletion.wru).toBeLessThanOrEqual(4);
  });

  it('the removal writes each file twice, and enters it in the list of what may be deleted, plus a dozen units', async () => {
    const id = await place();
    const cost = await costOf(({ store }) => removeRuleNow(store, id, { now: 1, until: clock.now() + 60_000 }));
    expect(cost.rru).toBeLessThanOrEqual(50 + 10);
    expect(cost.wru).toBeLessThanOrEqual(2 * 50 + 50 + 20);
    expect(cost.roundTrips).toBeLessThanOrEqual(9);
  });
});
