import { randomBytes } from 'node:crypto';

import { clock } from '../../clock.ts';
import type { DidKey } from '../../contract/schemas/did.ts';
import { mapRows } from '../../rows/map-rows.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import type { Table } from '../batches/table.ts';
import type { Item, Patch } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import {
  attributesReader,
  type Check,
  hasShape,
  isFlag,
  isNumber,
  isRecord,
  isText,
  listOf,
  oneOf,
  optional,
  type Shape,
} from '../items/read-attributes.ts';
import { type Key, textOfKey } from '../keys/key-parts.ts';
import { ruleKeys, workOf } from '../keys/rule-keys.ts';
import { shards } from '../values/shards.ts';
import type { Attachment } from './edge-index.ts';

/** A background task (docs/adr/0011-rules-on-the-stream.md). */
export type Task =
  /** Place an accepted rule. */
  | { readonly kind: 'inject'; readonly ruleId: string }
  /**
   * Place a rule on content that was attached below its DID; `since`, in milliseconds: only on what was attached or detached
   * there since then.
   */
  | { readonly kind: 'spread'; readonly ruleId: string; readonly under: DidKey; readonly since?: number }
  /** Remove the locks of a rule from content that is not below its DID any more. */
  | { readonly kind: 'unlock'; readonly ruleId: string; readonly under: DidKey }
  /** Check again whether files are below the DID of a rule. */
  | { readonly kind: 'recheck'; readonly ruleId: string; readonly files: readonly DidKey[] }
  /** Delete an expired rule with its locks. */
  | { readonly kind: 'remove'; readonly ruleId: string }
  /** Charge the locks of a rule to its account; `under`: only on content of this collection. */
  | { readonly kind: 'charge'; readonly ruleId: string; readonly under?: DidKey }
  /**
   * Mark the unfinished locks of a rule as stuck; `cancels`: cancel their transfers; `repairs`: retry them at once;
   * `isIncomplete`: content of the rule may lack locks, so it stays FAILED until it is repaired.
   */
  | {
      readonly kind: 'stick';
      readonly ruleId: string;
      readonly cancels?: boolean;
      readonly repairs?: boolean;
      readonly isIncomplete?: boolean;
    }
  /** Add missing locks of a rule, and retry stuck ones. */
  | { readonly kind: 'repair'; readonly ruleId: string }
  /** Handle attachments again once the index from children to parents contains them. */
  | { readonly kind: 'followShown'; readonly edges: readonly Attachment[] }
  | SubscriptionTask;

/** A task for a rule. */
export type RuleTask = Extract<Task, { readonly ruleId: string }>;

/** A task for a subscription, by its id. */
export type SubscriptionTask =
  /** Match a new DID again; `templates`: the positions of rule templates, absent: all. */
  | {
      readonly kind: 'match';
      readonly subscriptionId: string;
      readonly did: DidKey;
      readonly since: number;
      readonly templates?: readonly number[];
      /** The number of attempts so far. */
      readonly attempts: number;
    }
  /** Match the DIDs from before a retroactive subscription; `since`, in milliseconds: only those that became new since then. */
  | { readonly kind: 'matchPast'; readonly subscriptionId: string; readonly since?: number }
  /** End an expired subscription. */
  | { readonly kind: 'endSubscription'; readonly subscriptionId: string };

/** A stored task: when it is due, its checkpoint and its lease. */
export interface Work {
  readonly key: WorkKey;
  readonly task: Task;
  /** Not before, in milliseconds since 1970. */
  readonly due: number;
  /** The checkpoint of the last step; absent: no step is done. */
  readonly position?: unknown;
  /** The end of the lease of a process, in milliseconds since 1970. */
  readonly leasedUntil?: number;
  /** How often it was leased since the last completed step. */
  readonly failures?: number;
  /** When the last step was completed, in milliseconds since 1970. */
  readonly movedAt?: number;
  readonly rev: number;
}

/** Identifies a stored task. */
export type WorkKey = Key;

/** The key of a stored task as a text. */
export function workIdOf({ key }: Work): string {
  return textOfKey(key);
}

/** The stored task; undefined if it is done. */
export async function getWork(table: Table, key: WorkKey): Promise<Work | undefined> {
  const item = await table.get(key);
  return item === undefined ? undefined : toWork(item);
}

/** The tasks that are due at a time, the oldest first. */
export function listDueWork(table: Table, now: number): ReadyRows<Work> {
  const streams = shards.map((shard) =>
    table.query({ pk: ruleKeys.workShard(shard), ...ruleKeys.workUntil(now), pageSize: 100 }),
  );
  return mapRows(
    mergeSorted(streams, ({ SK }) => SK),
    toWork,
  );
}

/**
 * The write that inserts a task; `due` in milliseconds since 1970.
 *
 * @param id Distinguishes it from all other tasks; 16 hex digits, by default random.
 */
export function insertWork(task: Task, due: number, id = randomBytes(8).toString('hex')): Insert {
  const key = ruleKeys.work(due, id);
  return {
    kind: 'insert',
    item: { ...key, task, rev: 1 },
    onExists: () => new Error(`the task ${key.SK} was inserted twice`),
  };
}

/** The write that saves the checkpoint of a step, with an optimistic lock, and maybe prolongs the lease. */
export function advanceWork(work: Work, position: unknown, leasedUntil?: number): Change {
  const lease = leasedUntil === undefined ? {} : { leasedUntil };
  return changeWork(work, { set: { position, movedAt: clock.now(), ...lease }, remove: ['failures'] });
}

/** The write that leases a task until a time, in milliseconds since 1970. */
export function leaseWork(work: Work, leasedUntil: number): Change {
  return changeWork(work, { set: { leasedUntil }, add: { failures: 1 } });
}

/** The write that ends the lease of a task. */
export function releaseWork(work: Work): Change {
  return changeWork(work, { remove: ['leasedUntil'] });
}

function changeWork({ key, rev }: Work, patch: Patch): Change {
  return {
    kind: 'change',
    key,
    patch: { ...patch, add: { ...patch.add, rev: 1 } },
    when: { rev },
    onMismatch: () => new LostRace(`the task ${key.SK} has advanced`),
  };
}

/** The writes that postpone a task after a failed step; `due` in milliseconds since 1970. */
export function postponeWork(work: Work, due: number): [Change, Insert] {
  const { task, position, failures = 1 } = work;
  const { item, ...insert } = insertWork(task, due);
  const kept = position === undefined ? {} : { position };
  return [deleteWork(work), { ...insert, item: { ...item, ...kept, failures } }];
}

/** The write that deletes a completed task. */
export function deleteWork({ key, rev }: Work): Change {
  return {
    kind: 'change',
    key,
    patch: { delete: true },
    when: { rev },
    onMismatch: () => new LostRace(`the task ${key.SK} has advanced`),
  };
}

const isDidKey = hasShape<DidKey>({ scope: isText, name: isText });
const isAttachment = hasShape<Attachment>({ parent: isDidKey, child: isDidKey, createdAt: isNumber });
const ofRule = { ruleId: isText };
const ofSubscription = { subscriptionId: isText };
const optionalNumber = optional(isNumber);
const optionalFlag = optional(isFlag);

type ShapeOfTask<K extends Task['kind']> = Shape<Omit<Extract<Task, { readonly kind: K }>, 'kind'>>;

/** The members of each kind of task. */
const taskShapes: { readonly [K in Task['kind']]: ShapeOfTask<K> } = {
  inject: ofRule,
  spread: { ...ofRule, under: isDidKey, since: optionalNumber },
  unlock: { ...ofRule, under: isDidKey },
  recheck: { ...ofRule, files: listOf(isDidKey) },
  remove: ofRule,
  charge: { ...ofRule, under: optional(isDidKey) },
  stick: { ...ofRule, cancels: optionalFlag, repairs: optionalFlag, isIncomplete: optionalFlag },
  repair: ofRule,
  followShown: { edges: listOf(isAttachment) },
  match: {
    ...ofSubscription,
    did: isDidKey,
    since: isNumber,
    templates: optional(listOf(isNumber)),
    attempts: isNumber,
  },
  matchPast: { ...ofSubscription, since: optionalNumber },
  endSubscription: ofSubscription,
};

const isTaskKind = oneOf<Task['kind']>(taskShapes);

const isTask: Check<Task> = (value): value is Task =>
  isRecord(value) && isTaskKind(value['kind']) && hasShape<object>(taskShapes[value['kind']])(value);

const readWork = attributesReader<Omit<Work, 'key' | 'due'>>({
  task: isTask,
  position: (_value): _value is unknown => true,
  leasedUntil: optionalNumber,
  failures: optionalNumber,
  movedAt: optionalNumber,
  rev: isNumber,
});

/** Reads a task out of its item. */
export function toWork(item: Item): Work {
  const { PK, SK } = item;
  return { key: { PK, SK }, due: workOf(item).due, ...readWork(item) };
}
