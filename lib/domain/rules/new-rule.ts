import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import { defined } from '../../defined.ts';
import type { NewRule } from '../../store/entities/rule.ts';
import { newId } from '../values/ids.ts';

/** The properties of a requested rule, in their wire form (spec/replication.md 2.3). */
export interface RuleProperties {
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
  /** As JSON text. */
  readonly meta?: string | undefined;
}

/** The message if the DID has such a rule already. */
export const duplicateRule = 'A duplicate rule for this account, did, rse_expression, copies already exists.';

const groupings = new Map<unknown, NewRule['grouping']>([
  ['A', 'ALL'],
  ['ALL', 'ALL'],
  ['N', 'NONE'],
  ['NONE', 'NONE'],
]);

const notificationModes = new Map<unknown, NewRule['notification']>([
  ['Y', 'YES'],
  ['YES', 'YES'],
  ['C', 'CLOSE'],
  ['CLOSE', 'CLOSE'],
  ['P', 'PROGRESS'],
  ['PROGRESS', 'PROGRESS'],
]);

/**
 * Makes a rule without locks. Absent properties get Rucio's defaults.
 *
 * @param now In milliseconds since 1970.
 */
export function buildRule(did: DidKey & { readonly type: DidType }, wish: RuleProperties, now: number): NewRule {
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
    notification: notificationModes.get(wish.notify) ?? 'NO',
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
