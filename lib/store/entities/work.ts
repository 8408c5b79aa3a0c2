import { randomBytes } from 'node:crypto';

import type { DidKey } from '../../contract/schemas/did.ts';
import { mergeSorted } from '../batches/merge.ts';
import type { Table } from '../batches/table.ts';
import type { Item, Patch } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { type Key, shards } from '../keys/key-parts.ts';
import { ruleKeys, workOf } from '../keys/rule-keys.ts';
import type { Attached } from './edge-index.ts';

/** What is to be done, and to what (docs/adr/0011-rules-on-the-stream.md). */
export type Task =
  /** Place a rule that was accepted. */
  | { readonly kind: 'inject'; readonly ruleId: string }
  /**
   * Place a rule on what was attached below its DID; `since`, in milliseconds: look only at what was attached or detached
   * there since then, on both counts.
   */
  | { readonly kind: 'spread'; readonly ruleId: string; readonly under: DidKey; readonly since?: number }
  /** Take the locks of a rule from what is not below its DID any more. */
  | { readonly kind: 'unlock'; readonly ruleId: string; readonly under: DidKey }
  /** Look again whether files are below a rule. */
  | { readonly kind: 'recheck'; readonly ruleId: string; readonly files: readonly DidKey[] }
  /** Remove a rule, with its locks, once its time is over. */
  | { readonly kind: 'remove'; readonly ruleId: string }
  /** Charge another account with the locks of a rule. */
  | { readonly kind: 'charge'; readonly ruleId: string }
  /**
   * Declare the unfinished locks of a rule stuck; `cancels`: nobody is to make the copies any more; `repairs`: try them
   * again at once.
   */
  | { readonly kind: 'stick'; readonly ruleId: string; readonly cancels?: boolean; readonly repairs?: boolean }
  /** Complete what a rule lacks, and try again what is stuck. */
  | { readonly kind: 'repair'; readonly ruleId: string }
  /** Look again at attachments once the index shows them from their children. */
  | { readonly kind: 'followShown'; readonly edges: readonly Attached[] }
  | SubscriptionTask;

/** What is to be done about a rule. */
export type RuleTask = Extract<Task, { readonly ruleId: string }>;

/** What is to be done about a subscription, by its id. */
export type SubscriptionTask =
  /** Match a DID again that has been new since a time, in milliseconds: for rule templates by their places, or all. */
  | {
      readonly kind: 'match';
      readonly subscriptionId: string;
      readonly did: DidKey;
      readonly since: number;
      readonly templates?: readonly number[];
      /** How often it was tried. */
      readonly attempts: number;
    }
  /** Match what was there before a retroactive subscription. */
  | { readonly kind: 'matchPast'; readonly subscriptionId: string }
  /** End a subscription whose lifetime is over. */
  | { readonly kind: 'endSubscription'; readonly subscriptionId: string };

/** A note of work: what is to be done, when, and how far it has come. */
export interface Work {
  readonly key: Key;
  readonly task: Task;
  /** Not before, in milliseconds since 1970. */
  readonly due: number;
  /** What the last step left for the next one; absent: nothing is done yet. */
  readonly position?: unknown;
  /** Somebody is at it until then, unless that process has died, in milliseconds since 1970. */
  readonly leasedUntil?: number;
  /** How often it was taken since the last step that was done. */
  readonly failures?: number;
  /** When the last step was done, in milliseconds since 1970. */
  readonly movedAt?: number;
  readonly rev: number;
}

/** The note as it is now; undefined when it is done. */
export async function getWork(table: Table, key: Key): Promise<Work | undefined> {
  const item = await table.get(key);
  return item === undefined ? undefined : toWork(item);
}

/** The notes that are due at a time, the oldest first. */
export async function* listDueWork(table: Table, now: number): AsyncGenerator<Work> {
  const streams = shards.map((shard) =>
    table.query({ pk: ruleKeys.workShard(shard), ...ruleKeys.workUntil(now), pageSize: 100 }),
  );
  for await (const item of mergeSorted(streams, ({ SK }) => SK)) yield toWork(item);
}

/** The write that notes a task; `due` in milliseconds since 1970. */
export function insertWork(task: Task, due: number): Insert {
  const key = ruleKeys.work(due, randomBytes(8).toString('hex'));
  return {
    kind: 'insert',
    item: { ...key, task, rev: 1 },
    onExists: () => new Error(`the note ${key.SK} was written twice`),
  };
}

/** The write that moves a note on; whoever does so first has done the step, and may stay at it. */
export function advanceWork(work: Work, position: unknown, leasedUntil?: number): Change {
  const lease = leasedUntil === undefined ? {} : { leasedUntil };
  return changeWork(work, { set: { position, movedAt: Date.now(), ...lease }, remove: ['failures'] });
}

/** The write that takes a note until a time, in milliseconds since 1970. */
export function leaseWork(work: Work, leasedUntil: number): Change {
  return changeWork(work, { set: { leasedUntil }, add: { failures: 1 } });
}

/** The write that gives a note back. */
export function releaseWork(work: Work): Change {
  return changeWork(work, { remove: ['leasedUntil'] });
}

function changeWork({ key, rev }: Work, patch: Patch): Change {
  return {
    kind: 'change',
    key,
    patch: { ...patch, add: { ...patch.add, rev: 1 } },
    when: { rev },
    onMismatch: () => new LostRace(`the note ${key.SK} has moved on`),
  };
}

/** The writes that put a note off after a step has failed; `due` in milliseconds since 1970. */
export function postponeWork(work: Work, due: number): [Change, Insert] {
  const { task, position, failures = 1 } = work;
  const { item, ...insert } = insertWork(task, due);
  const kept = position === undefined ? {} : { position };
  return [deleteWork(work), { ...insert, item: { ...item, ...kept, failures } }];
}

/** The write that drops a note when its task is done. */
export function deleteWork({ key, rev }: Work): Change {
  return {
    kind: 'change',
    key,
    patch: { delete: true },
    when: { rev },
    onMismatch: () => new LostRace(`the note ${key.SK} has moved on`),
  };
}

/** A note as it lies in its item. */
export function toWork(item: Item): Work {
  const { PK, SK, task, position, leasedUntil, failures, movedAt, rev } = item;
  return {
    key: { PK, SK },
    task: task as Task,
    due: workOf(item).due,
    ...(position === undefined ? {} : { position }),
    ...(leasedUntil === undefined ? {} : { leasedUntil: Number(leasedUntil) }),
    ...(failures === undefined ? {} : { failures: Number(failures) }),
    ...(movedAt === undefined ? {} : { movedAt: Number(movedAt) }),
    rev: Number(rev),
  };
}
