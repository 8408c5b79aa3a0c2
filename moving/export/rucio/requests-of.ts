import type { CollectionDid } from '../../../lib/store/entities/did.ts';
import type { Edge } from '../../../lib/store/entities/edge.ts';
import type { Rule } from '../../../lib/store/entities/rule.ts';
import type { Scanned } from '../../../lib/store/portable/scan-entities.ts';

/** A request to a Rucio. */
export interface RucioRequest {
  readonly method: 'POST';
  readonly path: string;
  readonly body: unknown;
}

const pathOf = ({ scope, name }: { readonly scope: string; readonly name: string }) =>
  `/dids/${encodeURIComponent(scope)}/${encodeURIComponent(name)}`;

/** The requests that make a collection, an attachment or a rule; none for files, which come with their replicas. */
export function requestsOf(found: Scanned): RucioRequest[] {
  if (found.kind === 'edge') return [attach(found.edge)];
  if (found.kind === 'rule') return [makeRule(found.rule)];
  return found.did.type === 'FILE' ? [] : makeCollection(found.did);
}

function makeCollection(did: CollectionDid): RucioRequest[] {
  const { type, account, columns, meta, monotonic = false } = did;
  const path = pathOf(did);
  const made = { method: 'POST', path, body: { type, account, statuses: { monotonic } } } as const;
  const metadata = { ...columns, ...meta };
  if (Object.keys(metadata).length === 0) return [made];
  return [made, { method: 'POST', path: `${path}/meta`, body: { meta: metadata } }];
}

/** A Rucio knows the sizes and checksums of what is attached; constituents of archives bring theirs. */
function attach({ parent, child, type, bytes, adler32, md5, inArchive }: Edge): RucioRequest {
  const did = inArchive === true ? { ...child, type, bytes, adler32, md5 } : child;
  return { method: 'POST', path: `${pathOf(parent)}/dids`, body: { dids: [did] } };
}

function makeRule(rule: Rule): RucioRequest {
  const body = {
    dids: [rule.did],
    account: rule.account,
    copies: rule.copies,
    rse_expression: rule.rseExpression,
    grouping: rule.grouping,
    weight: rule.weight ?? null,
    // In seconds, from the time at which the rule was made here.
    lifetime: rule.expiresAt === undefined ? null : Math.max(0, Math.round((rule.expiresAt - rule.createdAt) / 1_000)),
    locked: rule.locked === true,
    subscription_id: rule.subscriptionId ?? null,
    source_replica_expression: rule.sourceReplicaExpression ?? null,
    activity: rule.activity,
    notify: rule.notification.slice(0, 1),
    purge_replicas: rule.purgeReplicas === true,
    ignore_availability: rule.ignoreAvailability === true,
    ignore_account_limit: rule.ignoreAccountLimit === true,
    priority: rule.priority,
    comment: rule.comments ?? null,
    ask_approval: rule.status === 'WAITING_APPROVAL',
    split_container: rule.splitContainer === true,
    meta: rule.meta ?? null,
  };
  return { method: 'POST', path: '/rules', body };
}
