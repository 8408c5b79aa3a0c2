/** Rules and subscriptions. */
import { expect } from 'vitest';

import type { Step } from './step.ts';

const id = /\b([0-9a-f]{32})\b/;

/** Steps with rules and subscriptions. */
export const rules: readonly Step[] = [
  {
    name: 'rule add',
    former: 'rucio add-rule data:run1 1 TWO',
    today: 'rucio rule add data:run1 --copies 1 --rses TWO',
    says: [id],
    keeps: 'rule',
    reads: '/rules/{rule}',
    holds: { state: 'REPLICATING', rse_expression: 'TWO', name: 'run1' },
  },
  {
    name: 'rule add, twice',
    former: 'rucio add-rule data:run1 1 TWO',
    today: 'rucio rule add data:run1 --copies 1 --rses TWO',
    exits: 'badly',
    says: [/duplicate rule|already exists/i],
    reads: '/rules/{rule}',
    holds: { rse_expression: 'TWO' },
  },
  {
    name: 'rule info',
    former: 'rucio rule-info {rule}',
    today: 'rucio rule show {rule}',
    says: [/Id: +{rule}/, /State: +REPLICATING/, /RSE expression: +TWO/i],
    reads: '/rules/{rule}',
    holds: { account: 'root' },
  },
  {
    name: 'rule list',
    former: 'rucio list-rules data:run1',
    today: 'rucio rule list --did data:run1',
    says: [/{rule} .*data:run1 .*TWO/],
    reads: '/dids/data/run1/rules',
    holds: { rse_expression: 'TWO' },
  },
  {
    name: 'rule update',
    former: 'rucio update-rule {rule} --comment night --lifetime 3600',
    today: 'rucio rule update {rule} --comment night --lifetime 3600',
    says: [/Updated rule/i],
    reads: '/rules/{rule}',
    holds: { comments: 'night', expires_at: expect.any(String) },
  },
  {
    name: 'rule move',
    former: 'rucio move-rule {rule} ONE',
    today: 'rucio rule move {rule} --rses ONE',
    says: [id],
    keeps: 'moved',
    reads: '/rules/{moved}',
    holds: { rse_expression: 'ONE', name: 'run1' },
  },
  {
    name: 'rule history',
    former: 'rucio list-rules-history data:run1',
    today: 'rucio rule history data:run1',
    says: [/TWO/],
    reads: '/rules/{moved}',
    holds: { rse_expression: 'ONE' },
  },
  {
    name: 'rule delete',
    former: 'rucio delete-rule {moved}',
    today: 'rucio rule remove {moved}',
    says: [],
    reads: '/rules/{moved}',
    holds: { expires_at: expect.any(String) },
  },
  {
    name: 'subscription add',
    former: 'rucio-admin subscription add nightly {dids} {rules} why --account root --lifetime 10',
    today: 'rucio subscription add nightly --filter {dids} --rule {rules} --comment why --account root --lifetime 10',
    says: [/Subscription added ([0-9a-f]{32})/],
    reads: '/subscriptions/root/nightly',
    holds: { name: 'nightly', account: 'root', state: 'ACTIVE' },
  },
  {
    name: 'subscription show',
    former: 'rucio-admin subscription list --account root nightly',
    today: 'rucio subscription show nightly --account root',
    says: [/root: nightly ACTIVE/],
    reads: '/subscriptions/root',
    holds: { name: 'nightly' },
  },
];
