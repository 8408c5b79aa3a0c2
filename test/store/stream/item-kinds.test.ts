import { describe, expect, it } from 'vitest';

import { deliveredChanges, passesFilters } from '../../../infra/stream-filter.ts';
import { accountItems, accountKeys } from '../../../lib/store/keys/account-keys.ts';
import { batchKeys } from '../../../lib/store/keys/batch-keys.ts';
import { didItems, didKeys } from '../../../lib/store/keys/did-keys.ts';
import { eventKeys } from '../../../lib/store/keys/event-keys.ts';
import { hasPrefix, type Key, type KeyPrefix } from '../../../lib/store/keys/key-parts.ts';
import { replicaKeys } from '../../../lib/store/keys/replica-keys.ts';
import { rseItems, rseKeys } from '../../../lib/store/keys/rse-keys.ts';
import { ruleItems, ruleKeys } from '../../../lib/store/keys/rule-keys.ts';
import { scopeItems, scopeKeys } from '../../../lib/store/keys/scope-keys.ts';
import { subscriptionItems, subscriptionKeys } from '../../../lib/store/keys/subscription-keys.ts';
import { findReader } from '../../../lib/store/stream/kinds.ts';

const did = { scope: 'data', name: 'ds' };
const other = { scope: 'data', name: 'f' };
const identity = { account: 'jdoe', rseExpression: 'T=1', copies: 1 };

const delivered: [kind: string, key: Key, prefix: KeyPrefix][] = [
  ['did', didKeys.did(did), didItems.did],
  ['edge', didKeys.child(did, other), didItems.edge],
  ['dataset lock', ruleKeys.datasetLock(did, 'r1', 'rse1'), ruleItems.datasetLock],
  ['rule', ruleKeys.rule('r1'), ruleItems.rule],
  ['transfer', ruleKeys.transfer('rse1', other), ruleItems.transfer],
  ['account', accountKeys.account('jdoe'), accountItems.account],
  ['scope', scopeKeys.scope('data'), scopeItems.scope],
  ['rse', rseKeys.rse('rse1'), rseItems.rse],
  ['subscription', subscriptionKeys.subscription({ account: 'jdoe', name: 'all' }), subscriptionItems.subscription],
  ['work', ruleKeys.work(1, 'w1'), ruleItems.work],
  ['account usage', accountKeys.usageDifference('jdoe', 'rse1', 'd1'), accountItems.usage],
  ['RSE usage', rseKeys.usageDifference('rse1', 'rucio', 'd1'), rseItems.usage],
];

const reachesConsumer = ({ PK, SK }: Key) =>
  passesFilters({ dynamodb: { Keys: { PK: { S: PK }, SK: { S: SK } } } }, deliveredChanges);

describe('the kinds of items whose changes are delivered', () => {
  it.each(delivered)('recognise the keys of one kind only: %s', (_kind, key) => {
    const matching = delivered.filter(([, , prefix]) => hasPrefix(key, prefix));
    expect(matching.map(([kind]) => kind)).toEqual([_kind]);
    expect(findReader(key)).toBeDefined();
    expect(reachesConsumer(key)).toBe(true);
  });

  it.each<[string, Key]>([
    ['a past attachment', didKeys.history(did, 1, other)],
    ['a follower', didKeys.follower(did, 'jdoe')],
    ['the pointer to a rule', ruleKeys.pointer(did, identity)],
    ['a past rule', ruleKeys.past(did, 1, 'r1')],
    ['a login counter', accountKeys.loginFailures('jdoe')],
    ['past usage of an account', accountKeys.usageAt('jdoe', 'rse1', 1)],
    ['past usage of an RSE', rseKeys.usageAt('rse1', 'rucio', 1)],
    ['the version of the fleet', rseKeys.version],
    ['the readers of events', eventKeys.allReaders(1)],
    ['the name of an RSE', rseKeys.name('T1')],
    ['the pointer to a subscription', subscriptionKeys.byId('s1')],
  ])('do not include %s', (_what, key) => {
    expect(findReader(key)).toBeUndefined();
  });

  it.each<[string, Key]>([
    ['a replica', replicaKeys.content('rse1', other)],
    ['an entry of the log of events', eventKeys.entry(0, 1)],
    ['a copy of the version of the fleet', rseKeys.fleetCopy(0)],
    ['the record of a bulk request', batchKeys.record('0ab')],
  ])('of other items no record reaches the consumer: %s', (_what, key) => {
    expect(reachesConsumer(key)).toBe(false);
  });
});
