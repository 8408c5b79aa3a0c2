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

/** An entity before and after a change; without `before` it is new, without `after` it was deleted. */
interface Change<K extends string, E> {
  readonly kind: K;
  /** Identifies the change: each delivery of it has the same id. */
  readonly id: string;
  /** In milliseconds since 1970, to the second. */
  readonly at: number;
  readonly before?: E;
  readonly after?: E;
}

/** The entities whose changes are delivered with both images, by kind. */
export interface ChangedEntities {
  readonly did: Did;
  readonly edge: Edge;
  readonly rule: Rule;
  readonly datasetLock: DatasetLock;
  readonly transfer: Transfer;
  readonly account: Account;
  readonly scope: Scope;
  readonly rse: Rse;
  readonly subscription: Subscription;
}

/** A change of one entity of a kind. */
export type EntityChange<K extends keyof ChangedEntities = keyof ChangedEntities> = {
  readonly [P in K]: Change<P, ChangedEntities[P]>;
}[K];

/**
 * A committed change of the catalogue, as the stream of the table delivers it: at least once, the changes of one item in
 * order, and only when everything of the same commit is visible.
 */
export type TableChange =
  | EntityChange
  /** A task is new or has advanced. */
  | { readonly kind: 'work'; readonly after: Work }
  /** The usage of an account on an RSE has a new difference, which is to be folded. */
  | { readonly kind: 'accountUsage'; readonly account: string; readonly rseId: string }
  /** The catalogue's own usage of an RSE has a new difference. */
  | { readonly kind: 'rseUsage'; readonly rseId: string };

/** The changes of one kind. */
export type ChangeOf<K extends TableChange['kind']> = Extract<TableChange, { readonly kind: K }>;

/** The changes of one kind among others. */
export function changesOf<K extends TableChange['kind']>(kind: K, changes: readonly TableChange[]): ChangeOf<K>[] {
  return changes.filter((change): change is ChangeOf<K> => change.kind === kind);
}
