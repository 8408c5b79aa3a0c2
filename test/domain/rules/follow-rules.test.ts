import { beforeAll, describe, expect, it, vi } from 'vitest';

import { consumeChanges } from '../../../lib/background/consume-changes.ts';
import { clock } from '../../../lib/clock.ts';
import { followRules } from '../../../lib/domain/rules/life-cycle/follow-rules.ts';
import { removeRuleNow } from '../../../lib/domain/rules/life-cycle/remove-rule.ts';
import { log } from '../../../lib/log.ts';
import { updateRule } from '../../../lib/operations/rules/update-rule.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import { changeRule } from '../../../lib/store/entities/rule-writes.ts';
import { getSubscriptionStates, insertSubscription } from '../../../lib/store/entities/subscription.ts';
import { listDueWork } from '../../../lib/store/entities/work.ts';
import { openStore } from '../../../lib/store/open-store.ts';
import { type Fault, newFaultyEngine } from '../../support/faulty-engine.ts';
import { ownEngine } from '../../support/run.ts';
import { type Catalogue, newCatalogue } from '../dids/catalogue.ts';
import { placeRule, readRule } from '../replicas/place-rule.ts';

/** The answer of DynamoDB to a transaction that would make an item larger than 400 KB. */
const itemIsFull: Fault = {
  kind: 'answer',
  status: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    message: 'Transaction cancelled, please refer cancellation reasons for specific reasons [ValidationError]',
    CancellationReasons: [
      { Code: 'ValidationError', Message: 'Item size to update has exceeded the maximum allowed size' },
    ],
  },
};

/** Whether a request writes a rule. */
const namesRule = (operation: string, input: object, id: string) =>
  operation === 'TransactWriteItems' && JSON.stringify(input).includes(id);

const subscriptionId = '0123456789abcdef0123456789abcdef';
let catalogue: Catalogue;
let rseId: string;

beforeAll(async () => {
  catalogue = await newCatalogue();
  rseId = (await getRse(catalogue.at().store.table, 'DISK'))?.id ?? '';
  await catalogue.add('ds', 'DATASET');
  await catalogue.attach('ds', ['f'], 1);
  const now = Date.now();
  const dates = { lastProcessed: now, createdAt: now, updatedAt: now };
  const subscription = {
    id: subscriptionId,
    account: 'root',
    name: 's',
    filter: '{}',
    replicationRules: '[]',
    priority: 3,
  };
  const rest = { state: 'ACTIVE', comments: null, retroactive: false, dryRun: false } as const;
  const exists = () => new Error('exists');
  await catalogue.store.write(async () => insertSubscription({ ...subscription, ...rest, ...dates }, exists));
});

const table = () => catalogue.at().store.table;

/** Delivers the present state of a rule, several times, as the stream may. */
async function tell(id: string): Promise<void> {
  const change = { kind: 'rule', id, at: 1, after: await readRule(catalogue, id) } as const;
  await Promise.all([followRules.run(catalogue.at(), [change, change]), followRules.run(catalogue.at(), [change])]);
}

async function removals(id: string): Promise<number> {
  const notes = await Array.fromAsync(listDueWork(table(), Date.now() + 1_000));
  return notes.filter(({ task }) => task.kind === 'remove' && task.ruleId === id).length;
}

describe('a rule that waits for a child rule (replication 2.8)', () => {
  it('expires once when the child is OK, however often the stream delivers it', async () => {
    const parent = await placeRule(catalogue, rseId, { locks: { f: { lock: 'O' } } });
    const child = await placeRule(catalogue, rseId, { replicating: 1, locks: { f: { lock: 'R' } } });
    await updateRule(catalogue.at(), parent, { child_rule_id: child, lifetime: 0 });
    await tell(child);
    expect(await readRule(catalogue, parent)).toMatchObject({ childRuleId: child });
    expect(await removals(parent)).toBe(0);
    await catalogue.store.write(async () => [changeRule(child, { set: { replicating: 0 } })]);
    await tell(child);
    expect(await readRule(catalogue, parent)).not.toHaveProperty('childRuleId');
    expect(await removals(parent)).toBe(1);
  });

  it('is released even if the child becomes OK concurrently with the start of the waiting', async () => {
    const parent = await placeRule(catalogue, rseId, { locks: { f: { lock: 'O' } } });
    const child = await placeRule(catalogue, rseId, { locks: { f: { lock: 'R' } } });
    const store = catalogue.at().store;
    let isFirst = true;
    const racing = {
      ...store,
      write: (plan: Parameters<typeof store.write>[0]) =>
        store.write(async (latest) => {
          const writes = await plan(latest);
          if (isFirst) await catalogue.store.write(async () => [changeRule(child, { set: { replicating: 0 } })]);
          isFirst = false;
          return writes;
        }),
    };
    await updateRule({ ...catalogue.at(), store: racing }, parent, { child_rule_id: child, lifetime: 0 });
    expect(await readRule(catalogue, parent)).not.toHaveProperty('childRuleId');
    expect(await removals(parent)).toBe(1);
  });
});

describe('the rules of a subscription (access 3.5)', () => {
  const counts = () => getSubscriptionStates(table(), { account: 'root', name: 's' });

  it('are counted by state once, however often the stream delivers them', async () => {
    const id = await placeRule(catalogue, rseId, { subscriptionId, locks: { f: { lock: 'R' } } });
    await tell(id);
    expect(await counts()).toMatchObject({ REPLICATING: 1 });
    await tell(id);
    await updateRule(catalogue.at(), id, { state: 'SUSPENDED' });
    await tell(id);
    expect(await counts()).toMatchObject({ REPLICATING: 0, SUSPENDED: 1 });
    await removeRuleNow(catalogue.store, id, { now: Date.now(), until: clock.now() + 10_000 });
    expect(await counts()).toMatchObject({ REPLICATING: 0, SUSPENDED: 0 });
  });

  it('are counted even if one of them fails; its change is given up with a log record', async () => {
    const place = () => placeRule(catalogue, rseId, { subscriptionId, locks: { f: { lock: 'O' } } });
    const [full, ...others] = [await place(), await place(), await place()];
    const line = newFaultyEngine(await ownEngine());
    line.injectFaults((operation, input) => (namesRule(operation, input, full) ? itemIsFull : undefined));
    const said = vi.spyOn(log, 'error').mockImplementation(() => {});
    const changes = await Promise.all(
      [full, ...others].map(async (id) => ({ kind: 'rule', id, at: 1, after: await readRule(catalogue, id) }) as const),
    );
    await consumeChanges(catalogue.at(Date.now(), openStore(line.client)), changes, [followRules]);
    expect((await counts())?.OK).toBe(2);
    for (const id of others) expect(await readRule(catalogue, id)).toMatchObject({ countedAs: 'OK' });
    expect(await readRule(catalogue, full)).not.toHaveProperty('countedAs');
    expect(said.mock.calls.map(([message]) => message)).toEqual(['gave up following a change']);
    said.mockRestore();
  });

  it('are not counted without a subscription', async () => {
    const lost = { subscriptionId: 'f'.repeat(32), locks: { f: { lock: 'O' } } } as const;
    const id = await placeRule(catalogue, rseId, lost);
    await tell(id);
    expect(await readRule(catalogue, id)).not.toHaveProperty('countedAs');
    expect(await removeRuleNow(catalogue.store, id, { now: Date.now(), until: clock.now() + 10_000 })).toBe(true);
  });
});
