import type { RucioError } from '../../../errors.ts';
import type { Table } from '../../../store/batches/table.ts';
import type { Did, FileDid } from '../../../store/entities/did.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import type { NewRule } from '../../../store/entities/rule.ts';
import type { ContentPosition } from '../../did-graph/content-walk.ts';
import type { ReplicaChanges } from '../../locks/replica-changes.ts';
import type { PathClaims } from './path-claims.ts';
import type { Obstacle, Placing } from './place-file.ts';
import type { Selector } from './selector.ts';
import type { UnitRecord } from './unit.ts';

/** The input of a placement: a rule and the DID on which it is placed. */
export interface PlacementTask {
  /** A view of the latest committed state. */
  readonly table: Table;
  readonly rule: NewRule;
  /** The DID of the rule, or a collection that was attached below it. */
  readonly root: Did;
  /** The RSEs of the rule's expression. */
  readonly rses: readonly Rse[];
  /** The ids of the rule's source RSEs; undefined: any RSE. */
  readonly sources: ReadonlySet<string> | undefined;
  /** See `outside` of {@link Placing}. */
  readonly outside?: NonNullable<Placing['outside']>;
  readonly selector: () => Promise<Selector>;
  /** The paths that other rules of the same plan claim, too; absent: there are no other rules. */
  readonly claims?: PathClaims;
  /** Collects the new locks of the first part. */
  readonly changes: ReplicaChanges;
  /** Cache of files by name. */
  readonly files: Map<string, FileDid>;
  /** How many files of a dataset are read ahead. */
  readonly filesPerRead?: number;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** The RSEs on which the rule placed the same unit before; empty: none. */
  readonly preferred: readonly string[];
  /** Whether datasets that are locked already are checked again. What hinders new locks then does not stop the task. */
  readonly isRepair?: boolean;
  /** Why nothing can be copied at present. */
  readonly hindrance?: RucioError;
}

/** How far a rule is placed. */
export interface PlacementPosition {
  readonly content: ContentPosition;
  /** The sums of the current unit, while it is being counted. */
  readonly unit?: UnitRecord;
  /** The RSEs chosen for the current unit. */
  readonly rseIds?: readonly string[];
  /** Since when its parts were written without the optimistic lock on collections, in milliseconds since 1970. */
  readonly since?: number;
  /** Why locks are stuck or missing, as far as known. */
  readonly because?: Obstacle;
}

/** Limits of one part. */
export interface PlacementLimits {
  /** Files to count. */
  readonly counted: number;
  /** Locks to create. Files that were read ahead are placed even beyond this limit. */
  readonly locks: number;
  /** Items to change; absent: any number. */
  readonly touched?: number;
}
