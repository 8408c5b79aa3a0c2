import { clock } from '../../../clock.ts';
import { mapLimited } from '../../../parallel.ts';
import type { Table } from '../../../store/batches/table.ts';
import { deleteDatasetLock, getDatasetLocks } from '../../../store/entities/dataset-lock.ts';
import type { FileDid } from '../../../store/entities/did.ts';
import { sizeOfFile } from '../../../store/entities/file-room.ts';
import { insertPastRule } from '../../../store/entities/past-rule.ts';
import { changeRule, deleteRule, requireSettledRule } from '../../../store/entities/rule-writes.ts';
import { getRule, type Rule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Write } from '../../../store/items/plan.ts';
import type { Store } from '../../../store/open-store.ts';
import { type ContentPosition, detachWindowMs, readContentPosition } from '../../did-graph/content-walk.ts';
import { releaseLock } from '../../locks/release-lock.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { stateOfRule } from '../../values/rule-state.ts';
import { type TaskStep, maxItemsPerStep, type Worker } from '../../values/worker.ts';
import { type ContentPart, type Portion, readContentPart, splitIntoPortions } from './content-part.ts';
import { uncountInSubscription } from './count-in-subscription.ts';
import { keepParents } from './parent-rules.ts';
import { isDueForRemoval } from './rule-end.ts';

/*
 * How a rule is removed (spec/replication.md 3.7): a small rule in one plan. A larger one is first marked as
 * `removing`, so that it gets no more locks. Then its locks are released, one part of its content after the other, and
 * at last the rule is deleted. Each step is idempotent.
 */

/** The checkpoint of a removal. */
interface Progress {
  readonly after?: ContentPosition;
  /** The number of the pass over the content. The second one finds content that was moved during the first. */
  readonly round: number;
}

const maxRounds = 2;

/** The most dataset locks that are released in one step with locks of files. */
const maxInlineDatasetLocks = 3;

type Steps = AsyncGenerator<TaskStep>;

const emptyPart: ContentPart = { files: [], datasets: [], kept: [] };

/** The item of a larger file may have no room for a staged change. */
const largeFileBytes = 200 * 1024;

const isLarge = (file: FileDid) => sizeOfFile(file) > largeFileBytes;

/** The most datasets whose locks are read in parallel. */
const maxParallelReads = 16;

/** Removes an expired rule, unless it is locked or waits for a child rule (spec/replication.md 3.7). */
export const removeExpired: Worker = async function* ({ now }, latest, { task, position }): Steps {
  const rule = await getRule(latest.latest(), task.ruleId);
  if (rule === undefined || !isDueForRemoval(rule, now)) return yield { writes: [] };
  yield* removal(latest.latest(), rule, now, { progress: position as Progress | undefined });
};

/** Options of the removal of a rule. */
export interface RemovalOptions {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** The deadline, in milliseconds since 1970; the next call continues from there. */
  readonly until: number;
  /** Whether the replicas may be deleted at once; overrides the rule's own option. */
  readonly purgeReplicas?: boolean | undefined;
  /** The rule ends because its DID is deleted: that is the wish of the owner of its scope. */
  readonly endsWithDid?: boolean;
}

/**
 * Removes a rule and its locks now, even if it is locked or waits for a child rule. The content of its DID must still
 * be attached; the DID itself may be hidden. Idempotent.
 *
 * @returns Whether it is removed; false at the deadline.
 */
export async function removeRuleNow(
  store: Store,
  id: string,
  { now, until, purgeReplicas, endsWithDid = false }: RemovalOptions,
): Promise<boolean> {
  let steps: Steps | undefined;
  let progress: unknown;
  for (;;) {
    let step: TaskStep | undefined;
    let isRetry = false;
    await store.write(
      async (latest) => {
        step = isRetry ? undefined : await takeNextStep(steps);
        isRetry = true;
        if (step !== undefined) return step.writes;
        const rule = await getRule(latest.latest(), id);
        if (rule === undefined) return [];
        const changedRule = purgeReplicas === undefined ? rule : { ...rule, purgeReplicas };
        steps = removal(latest.latest(), changedRule, now, { endsWithDid, progress: progress as Progress | undefined });
        step = await takeNextStep(steps);
        return step?.writes ?? [];
      },
      { inBackground: true },
    );
    progress = step?.position;
    if (progress === undefined) return true;
    if (clock.now() > until) return false;
  }
}

async function takeNextStep(steps: Steps | undefined): Promise<TaskStep | undefined> {
  return (await steps?.next())?.value as TaskStep | undefined;
}

/** The writes that remove a small rule, or that mark a large one and create the task that removes it. */
export async function planRemoval(latest: Table, rule: Rule, now: number): Promise<Write[]> {
  const { writes = [], position } = (await takeNextStep(removal(latest.latest(), rule, now))) ?? {};
  return [...writes, ...(position === undefined ? [] : [insertWork({ kind: 'remove', ruleId: rule.id }, now)])];
}

interface RemovalState extends Pick<RemovalOptions, 'endsWithDid'> {
  readonly progress?: Progress | undefined;
}

async function* removal(
  table: Table,
  rule: Rule,
  now: number,
  { progress = { round: 1 }, endsWithDid = false }: RemovalState = {},
): Steps {
  const { after, round } = progress;
  // The reaction to a recent detachment may come after the rule is deleted. It then could not know that datasets below the
  // detached container have locks of this rule, so the removal visits what was detached recently as well.
  const since = now - detachWindowMs;
  // A rule that waits for approval has no locks.
  const part =
    rule.status === 'WAITING_APPROVAL'
      ? emptyPart
      : await readContentPart(table, rule, readContentPosition(after), { since });
  if (rule.removing !== true && (part.next !== undefined || part.files.some(({ file }) => isLarge(file)))) {
    const patch = { set: { removing: true, updatedAt: now } };
    return yield { writes: [changeRule(rule.id, patch, { when: requireSettledRule(rule) })], position: { round } };
  }
  const release = (changes: ReplicaChanges, file: FileDid) => {
    const isOwnersWish = endsWithDid && file.scope === rule.did.scope;
    for (const rseId of file.replicas.keys())
      releaseLock(changes, { file, rseId, ruleId: rule.id, rule, isOwnersWish, now });
  };
  const locks = (
    await mapLimited(part.datasets, maxParallelReads, (dataset) => getDatasetLocks(table, dataset, rule.id))
  ).flat();
  // Without the mark `removing` others may still add locks, so such a rule is removed in a single step.
  const portions =
    rule.removing === true ? [...splitIntoPortions(part.files, now, release)] : [releaseAll(part, now, release)];
  let datasetLocks = locks.map(deleteDatasetLock);
  while (rule.removing === true && datasetLocks.length > maxInlineDatasetLocks) {
    yield { writes: datasetLocks.splice(0, maxItemsPerStep), position: { ...(after && { after }), round } };
  }
  for (const { changes, position } of portions) {
    const writes = [...changes.writes(new Set([rule.id])), ...datasetLocks];
    datasetLocks = [];
    if (position !== undefined) yield { writes, position: { after: position, round } };
    else if (part.next !== undefined)
      yield { writes: [...writes, ...part.kept], position: { after: part.next, round } };
    // A rule that took several steps has changed since it was read: the next step reads it again, and deletes it.
    else if (portions.length > 1) yield { writes, position: { after: part.files.at(-1)?.position, round } };
    else if (rule.removing === true && round < maxRounds && !hasNoLocks(rule, changes))
      yield { writes, position: { round: round + 1 } };
    else {
      const left = hasNoLocks(rule, changes)
        ? []
        : [insertWork({ kind: 'unlock', ruleId: rule.id, under: rule.did }, now)];
      const end = [...locks.map(deleteDatasetLock), ...(await planEnd(table, rule, now)), ...left];
      yield { writes: [...changes.writes(new Set()), ...end] };
    }
  }
}

function releaseAll(
  { files }: ContentPart,
  now: number,
  change: (changes: ReplicaChanges, file: FileDid) => void,
): Portion {
  const changes = new ReplicaChanges(now);
  for (const { file } of files) change(changes, file);
  return { changes };
}

/**
 * Whether a rule has no locks left after some changes. Locks may remain on files that were detached meanwhile; their
 * stream records may arrive when the rule is gone.
 */
function hasNoLocks({ id, ok, replicating, stuck }: Rule, changes: ReplicaChanges): boolean {
  const added = Object.values(changes.counters().get(id) ?? {}).reduce((sum, amount) => sum + amount, 0);
  return ok + replicating + stuck + added <= 0;
}

/** The writes that delete a rule, record it in the history of its DID, and keep its parent rules. */
async function planEnd(table: Table, rule: Rule, now: number): Promise<Write[]> {
  const { id, account, rseExpression, createdAt, updatedAt, ok, replicating, stuck } = rule;
  const past = { id, account, rseExpression, createdAt, updatedAt, ok, replicating, stuck };
  const parents = await keepParents(table, rule, now);
  return [
    ...deleteRule(rule, parents.predecessor),
    insertPastRule(rule.did, { ...past, state: stateOfRule(rule), endedAt: now }),
    ...parents.writes,
    ...(await uncountInSubscription(table, rule)),
  ];
}
