import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import { defined } from '../../defined.ts';
import type { NewRule } from '../../store/entities/rule.ts';
import { newId } from '../values/ids.ts';

/** What a rule may be given, in the words of the wire (spec/replication.md 2.3). */
export interface RuleWish {
  readonly copies: number;
  readonly rse_expression: string;
  readonly account: string;
  readonly grouping?: string | null | undefined;
  readonly weight?: string | null | undefined;
  /** In seconds. */
  readonly lifetime?: number | null | undefined;
  readonly locked?: boolean | null | undefined;
  readonly subscription_id?: string | null | undefined;
  readonly source_replica_expression?: string | null | undefined;
  readonly activity?: string | null | undefined;
  readonly notify?: string | null | undefined;
  readonly purge_replicas?: boolean | null | undefined;
  readonly ignore_availability?: boolean | null | undefined;
  readonly comment?: string | null | undefined;
  readonly priority?: number | null | undefined;
  readonly split_container?: boolean | null | undefined;
  /** As it is to be shown. */
  readonly meta?: string | undefined;
}

/** What is said where a DID has a rule already that asks for the same. */
export const duplicateRule = 'A duplicate rule for this account, did, rse_expression, copies already exists.';

const groupings = new Map<unknown, NewRule['grouping']>([
  ['A', 'ALL'],
  ['ALL', 'ALL'],
  ['N', 'NONE'],
  ['NONE', 'NONE'],
]);

const notifications = new Map<unknown, NewRule['notification']>([
  ['Y', 'YES'],
  ['YES', 'YES'],
  ['C', 'CLOSE'],
  ['CLOSE', 'CLOSE'],
  ['P', 'PROGRESS'],
  ['PROGRESS', 'PROGRESS'],
]);

/**
 * A rule as it begins, before it has any locks; what it was not given has Rucio's default.
 *
 * @param now In milliseconds since 1970.
 */
export function newRule(did: DidKey & { readonly type: DidType }, wish: RuleWish, now: number): NewRule {
  const { scope, name, type } = did;
  return {
    id: newId(),
    did: { scope, name },
    didType: type,
    account: wish.account,
    rseExpression: wish.rse_expression,
    copies: wish.copies,
    grouping: groupings.get(wish.grouping) ?? 'DATASET',
    status: 'INJECT',
    ok: 0,
    replicating: 0,
    stuck: 0,
    createdAt: now,
    updatedAt: now,
    activity: wish.activity ?? 'default',
    notification: notifications.get(wish.notify) ?? 'NO',
    priority: wish.priority ?? 3,
    ...defined({
      expiresAt: wish.lifetime === undefined || wish.lifetime === null ? undefined : now + wish.lifetime * 1_000,
      weight: wish.weight ?? undefined,
      locked: wish.locked === true ? true : undefined,
      subscriptionId: wish.subscription_id ?? undefined,
      sourceReplicaExpression: wish.source_replica_expression ?? undefined,
      purgeReplicas: wish.purge_replicas === true ? true : undefined,
      ignoreAvailability: wish.ignore_availability === true ? true : undefined,
      comments: wish.comment ?? undefined,
      splitContainer: wish.split_container === true ? true : undefined,
      meta: wish.meta,
    }),
  };
}
