import type { Table } from '../../../store/batches/table.ts';
import type { Did } from '../../../store/entities/did.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import type { NewRule } from '../../../store/entities/rule.ts';
import type { ContentPosition } from '../../did-graph/content-walk.ts';
import type { ReplicaChanges } from '../../locks/replica-changes.ts';
import type { Obstacle } from './place-file.ts';
import type { Selector } from './selector.ts';
import type { UnitRecord } from './unit.ts';

/** A rule and what it is placed on. */
export interface PlacementTask {
  /** Shows what is committed when it is read. */
  readonly table: Table;
  readonly rule: NewRule;
  /** The DID of the rule, or what was attached below it. */
  readonly root: Did;
  /** The RSEs of the rule's expression. */
  readonly rses: readonly Rse[];
  /** Where the rule takes its copies from, by id; undefined: anywhere. */
  readonly sources: ReadonlySet<string> | undefined;
  readonly selector: () => Promise<Selector>;
  /** Takes the new locks of the first part. */
  readonly changes: ReplicaChanges;
  /** Files that were read already, by name. */
  readonly files: Map<string, Did>;
  /** How many files of a dataset are read ahead. */
  readonly filesAtOnce?: number;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Where the files lie that the rule has placed in the same unit before; empty: nowhere. */
  readonly preferred: readonly string[];
  /** Looks at datasets again that the rule has locked already. */
  readonly isRepair?: boolean;
}

/** How far a rule is placed. */
export interface PlacementPosition {
  readonly content: ContentPosition;
  /** What is counted so far of the unit at hand, while it is being counted. */
  readonly unit?: UnitRecord;
  /** Where the unit at hand is placed. */
  readonly rseIds?: readonly string[];
  /** From when on its parts were written without conditions on collections, in milliseconds since 1970. */
  readonly since?: number;
  /** What is in the way of locks, as far as was found out. */
  readonly because?: Obstacle;
}

/** How much is done at once. */
export interface PlacementLimits {
  /** Files that are counted. */
  readonly counted: number;
  /** Locks there may be that were not there before; what was read ahead is placed all the same. */
  readonly locks: number;
  /** Items that a part changes; absent: any number. */
  readonly touched?: number;
}
