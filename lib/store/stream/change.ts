import type { Account } from '../entities/account.ts';
import type { DatasetLock } from '../entities/dataset-lock.ts';
import type { Did } from '../entities/did.ts';
import type { Edge } from '../entities/edge.ts';
import type { Rse } from '../entities/rse.ts';
import type { Rule } from '../entities/rule.ts';
import type { Scope } from '../entities/scope.ts';
import type { Subscription } from '../entities/subscription.ts';
import type { Transfer } from '../entities/transfer.ts';
import type { Work } from '../entities/work.ts';

/** An entity as it was and as it is; without `before` it is new, without `after` it is gone. */
interface Change<K extends string, E> {
  readonly kind: K;
  /** The same whenever the change is told of again. */
  readonly id: string;
  /** In milliseconds since 1970, to the second. */
  readonly at: number;
  readonly before?: E;
  readonly after?: E;
}

/**
 * A committed change of the catalogue, as the stream of the table tells it: at least once, those of one item in order,
 * and with everything that was written together with it visible by then.
 */
export type TableChange =
  | Change<'did', Did>
  | Change<'edge', Edge>
  | Change<'rule', Rule>
  | Change<'datasetLock', DatasetLock>
  | Change<'transfer', Transfer>
  | Change<'account', Account>
  | Change<'scope', Scope>
  | Change<'rse', Rse>
  | Change<'subscription', Subscription>
  /** A note of work that is new or has moved on. */
  | { readonly kind: 'work'; readonly after: Work }
  /** The usage of an account on an RSE has got a difference that is to be folded. */
  | { readonly kind: 'accountUsage'; readonly account: string; readonly rseId: string }
  /** So has what the catalogue itself says of an RSE. */
  | { readonly kind: 'rseUsage'; readonly rseId: string };

/** The changes of one kind. */
export type ChangeOf<K extends TableChange['kind']> = Extract<TableChange, { readonly kind: K }>;

/** Those changes that are of a kind. */
export function changesOf<K extends TableChange['kind']>(kind: K, changes: readonly TableChange[]): ChangeOf<K>[] {
  return changes.filter((change): change is ChangeOf<K> => change.kind === kind);
}
