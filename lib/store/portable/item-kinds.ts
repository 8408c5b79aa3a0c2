import type { DidKey } from '../../contract/schemas/did.ts';
import type { OpendataState } from '../../contract/schemas/states.ts';
import { accountKeys } from '../keys/account-keys.ts';
import { configKeys } from '../keys/config-keys.ts';
import { conventionKeys } from '../keys/convention-keys.ts';
import { didKeys } from '../keys/did-keys.ts';
import { identityKeys } from '../keys/identity-keys.ts';
import type { Key } from '../keys/key-parts.ts';
import { lifetimeKeys } from '../keys/lifetime-keys.ts';
import { opendataKeys } from '../keys/opendata-keys.ts';
import { replicaKeys } from '../keys/replica-keys.ts';
import { rseKeys } from '../keys/rse-keys.ts';
import { ruleKeys } from '../keys/rule-keys.ts';
import { scopeKeys } from '../keys/scope-keys.ts';
import { subscriptionKeys } from '../keys/subscription-keys.ts';
import { type KeyTemplate, makeTemplate } from './key-template.ts';

/** A kind of item whose keys can be told in words. */
export interface ItemKind {
  readonly name: string;
  readonly template: KeyTemplate;
}

/** All fields that kinds have. */
interface Fields {
  readonly account: string;
  readonly at: number;
  readonly child_name: string;
  readonly child_scope: string;
  readonly doi: string;
  readonly id: string;
  readonly identity: string;
  readonly key: string;
  readonly listed_at: number;
  readonly name: string;
  readonly option: string;
  readonly parent_name: string;
  readonly parent_scope: string;
  readonly record_id: number;
  readonly rse: string;
  readonly rse_id: string;
  readonly rule_id: string;
  readonly destination_rse_id: string;
  readonly scope: string;
  readonly section: string;
  readonly slot: number;
  readonly source: string;
  readonly state: OpendataState;
  readonly subscription_id: string;
  readonly tombstone: number;
  readonly type: string;
  readonly value: string;
}

const numbers: ReadonlySet<string> = new Set(['at', 'listed_at', 'record_id', 'slot', 'tombstone']);

function kind<K extends keyof Fields>(
  name: string,
  fields: readonly K[],
  build: (fields: Pick<Fields, K>) => Key,
): ItemKind {
  const types = Object.fromEntries(fields.map((field) => [field, numbers.has(field) ? 'number' : 'text'] as const));
  return { name, template: makeTemplate(types, build) };
}

const childOf = (fields: Pick<Fields, 'child_scope' | 'child_name'>): DidKey => ({
  scope: fields.child_scope,
  name: fields.child_name,
});
const parentOf = (fields: Pick<Fields, 'parent_scope' | 'parent_name'>): DidKey => ({
  scope: fields.parent_scope,
  name: fields.parent_name,
});

/** The kinds whose keys say all that they are made of. The first one that fits a key is its kind. */
export const itemKinds: readonly ItemKind[] = [
  kind('accounts', ['account'], ({ account }) => accountKeys.account(account)),
  kind('account-limits', ['account', 'rse_id'], (f) => accountKeys.localLimit(f.account, f.rse_id)),
  kind('account-usage', ['account', 'rse_id'], (f) => accountKeys.usage(f.account, f.rse_id)),
  kind('account-usage-differences', ['account', 'rse_id', 'id'], (f) =>
    accountKeys.usageDifference(f.account, f.rse_id, f.id),
  ),
  kind('account-usage-history', ['account', 'rse_id', 'at'], (f) => accountKeys.usageAt(f.account, f.rse_id, f.at)),
  kind('identities', ['type', 'identity'], (f) => identityKeys.identity(f.type, f.identity)),
  kind('accounts-of-identities', ['type', 'identity', 'account'], (f) =>
    identityKeys.identityAccount(f.type, f.identity, f.account),
  ),
  kind('identities-of-accounts', ['account', 'type', 'identity'], (f) =>
    identityKeys.accountIdentity(f.account, f.type, f.identity),
  ),
  kind('scopes', ['scope'], ({ scope }) => scopeKeys.scope(scope)),
  kind('rses', ['rse_id'], (f) => rseKeys.rse(f.rse_id)),
  kind('names-of-rses', ['rse'], ({ rse }) => rseKeys.name(rse)),
  kind('rse-distances', ['rse_id', 'destination_rse_id'], (f) => rseKeys.distance(f.rse_id, f.destination_rse_id)),
  kind('rse-usage', ['rse_id', 'source'], (f) => rseKeys.usage(f.rse_id, f.source)),
  kind('rse-usage-differences', ['rse_id', 'source', 'id'], (f) => rseKeys.usageDifference(f.rse_id, f.source, f.id)),
  kind('rse-usage-history', ['rse_id', 'source', 'at'], (f) => rseKeys.usageAt(f.rse_id, f.source, f.at)),
  kind('dids', ['scope', 'name'], didKeys.did),
  kind('attachments', ['scope', 'name', 'child_scope', 'child_name'], (f) => didKeys.child(f, childOf(f))),
  kind('attachments-of-containers', ['scope', 'name', 'parent_scope', 'parent_name', 'id'], (f) =>
    didKeys.nesting(f, parentOf(f), f.id),
  ),
  kind('past-attachments', ['scope', 'name', 'at', 'child_scope', 'child_name'], (f) =>
    didKeys.history(f, f.at, childOf(f)),
  ),
  kind('followers', ['scope', 'name', 'account'], (f) => didKeys.follower(f, f.account)),
  kind('deleted-dids', ['scope', 'name'], didKeys.deleted),
  kind('expiry-notes', ['scope', 'name', 'at', 'id'], (f) => didKeys.expiry(f, f.at, f.id)),
  kind('rse-contents', ['rse_id', 'scope', 'name'], (f) => replicaKeys.content(f.rse_id, f)),
  kind('deletable-replicas', ['rse_id', 'tombstone', 'listed_at', 'scope', 'name'], (f) =>
    replicaKeys.deletable({ rseId: f.rse_id, did: f, tombstone: f.tombstone, listedAt: f.listed_at }),
  ),
  kind('closed-rses', ['rse_id', 'slot'], (f) => rseKeys.closed(f.rse_id, f.slot)),
  kind('reapers', ['rse_id'], (f) => rseKeys.reaper(f.rse_id)),
  kind('bad-replicas', ['at', 'rse_id', 'scope', 'name', 'id'], (f) =>
    replicaKeys.badReplica({ at: f.at, rseId: f.rse_id, did: f, id: f.id }),
  ),
  kind('rules', ['id'], ({ id }) => ruleKeys.rule(id)),
  kind('past-rules', ['scope', 'name', 'at', 'id'], (f) => ruleKeys.past(f, f.at, f.id)),
  kind('rules-of-subscriptions', ['subscription_id', 'at', 'id'], (f) =>
    ruleKeys.ofSubscription(f.subscription_id, f.at, f.id),
  ),
  kind('dataset-locks', ['scope', 'name', 'rule_id', 'rse_id'], (f) => ruleKeys.datasetLock(f, f.rule_id, f.rse_id)),
  kind('transfers', ['rse_id', 'scope', 'name'], (f) => ruleKeys.transfer(f.rse_id, f)),
  kind('tasks', ['at', 'id'], (f) => ruleKeys.work(f.at, f.id)),
  kind('options', ['section', 'option'], (f) => configKeys.option(f.section, f.option)),
  kind('conventions', ['key'], ({ key }) => conventionKeys.convention(key)),
  kind('convention-values', ['key', 'value'], (f) => conventionKeys.value(f.key, f.value)),
  kind('subscriptions', ['account', 'name'], subscriptionKeys.subscription),
  kind('ids-of-subscriptions', ['id'], ({ id }) => subscriptionKeys.byId(id)),
  kind('names-of-subscriptions', ['name', 'account'], subscriptionKeys.byName),
  kind('matched-dids', ['id', 'scope', 'name', 'at'], (f) => subscriptionKeys.matched(f.id, f, f.at)),
  kind('subscription-failures', ['id', 'scope', 'name'], (f) => subscriptionKeys.failure(f.id, f)),
  kind('lifetime-exceptions', ['id', 'scope', 'name'], (f) => lifetimeKeys.exception({ id: f.id, did: f })),
  kind('open-data', ['scope', 'name'], opendataKeys.entry),
  kind('open-data-metadata', ['scope', 'name'], opendataKeys.metadata),
  kind('open-data-by-state', ['state', 'at', 'scope', 'name'], (f) =>
    opendataKeys.listed(f.state, { at: f.at, did: f }),
  ),
  kind('open-data-dois', ['doi'], ({ doi }) => opendataKeys.doi(doi)),
  kind('open-data-records', ['record_id'], (f) => opendataKeys.record(f.record_id)),
];
