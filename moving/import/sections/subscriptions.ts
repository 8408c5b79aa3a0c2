import type { SubscriptionState } from '../../../lib/contract/schemas/subscription.ts';
import { defined } from '../../../lib/defined.ts';
import { insertSubscription } from '../../../lib/store/entities/subscription.ts';
import { insertWork } from '../../../lib/store/entities/work.ts';
import type { Row } from '../../rucio/relations.ts';
import { type Batch, derivedId } from '../batch.ts';
import type { ImportContext } from '../import-context.ts';
import { makeRaceError } from '../race.ts';
import { section } from '../section.ts';

/** The section of subscriptions. The numbers of their rules follow from the rules (totals.ts). */
export const subscriptionSections = [
  section({
    name: 'subscriptions',
    drives: 'subscriptions',
    rowsPerRange: 500,
    reads: { subscriptions: ['id'] },
    convert: ({ subscriptions }, batch, context) => {
      for (const row of subscriptions) takeSubscription(row, batch, context);
    },
  }),
];

const states: Readonly<Record<string, SubscriptionState>> = {
  A: 'ACTIVE',
  I: 'INACTIVE',
  N: 'NEW',
  U: 'UPDATED',
  B: 'BROKEN',
};

function takeSubscription(row: Row<'subscriptions'>, batch: Batch, { now }: ImportContext): void {
  const { id, account, name, retroactive, lifetime } = row;
  const state = states[row.state] ?? 'BROKEN';
  const subscription = {
    id,
    account,
    name,
    state,
    retroactive,
    filter: row.filter ?? '{}',
    replicationRules: row.replication_rules ?? '[]',
    priority: row.policyid,
    comments: row.comments,
    dryRun: false,
    ...defined({ lifetime: lifetime ?? undefined, expiredAt: row.expired_at ?? undefined }),
    lastProcessed: row.last_processed ?? row.created_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  const isTaken = batch.take('subscriptions', [account, name], () => {
    const [main, , byId] = insertSubscription(subscription, makeRaceError);
    return [main, byId].filter((insert) => insert !== undefined);
  });
  if (!isTaken) return;
  batch.sums.add(['subscription', id, account, name], 1);
  if (lifetime !== null && state !== 'INACTIVE') {
    const task = { kind: 'endSubscription', subscriptionId: id } as const;
    batch.add(insertWork(task, Math.max(lifetime, now), derivedId(16, 'endSubscription', id)));
  }
  if (retroactive && state === 'NEW')
    batch.add(insertWork({ kind: 'matchPast', subscriptionId: id }, now, derivedId(16, 'matchPast', id)));
}
