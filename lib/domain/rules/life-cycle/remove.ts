import { mapLimited } from '../../../parallel.ts';
import type { Table } from '../../../store/batches/table.ts';
import { deleteDatasetLock, listDatasetLocks } from '../../../store/entities/dataset-lock.ts';
import { type Did, sizeOfDid } from '../../../store/entities/did.ts';
import { insertPastRule } from '../../../store/entities/past-rule.ts';
import { changeRule, deleteRule, getRule, type Rule, settledRule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Write } from '../../../store/items/plan.ts';
import type { Store } from '../../../store/open-store.ts';
import { type ContentPosition, readPosition } from '../../did-graph/content-walk.ts';
import { releaseLock } from '../../locks/release.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { stateOfRule } from '../../values/rule-state.ts';
import { type Step, touchedPerStep, type Worker } from '../../values/worker.ts';
import { type Part, type Portion, portionsOf, readPart } from './content.ts';
import { uncount } from './count.ts';
import { isOver } from './expiry.ts';
import { spareParents } from './parents.ts';

/*
 * How a rule goes (spec/replication.md 3.7): what is small goes in one plan; a larger rule is marked first, so that it
 * gets no more locks, and then loses them part by part of its content, at last itself. Each step takes what is there, so
 * that it may be repeated.
 */

/** How far a removal has come. */
interface Progress {
  readonly after?: ContentPosition;
  /** How often the content was gone through: what was moved about meanwhile is found by the second time. */
  readonly round: number;
}

const mostRounds = 2;

/** Dataset locks that go together with locks of files. */
const few = 3;

type Steps = AsyncGenerator<Step>;

const nothing: Part = { files: [], datasets: [], kept: [] };

/** In bytes: what is larger may have no room for a staged change. */
const large = 200 * 1024;

const isLarge = (file: Did) => sizeOfDid(file) > large;

/** Datasets whose locks are read at once. */
const parallel = 16;

/** Removes a rule whose time is over; locked ones, and those that wait for another rule, stay (spec/replication.md 3.7). */
export const removeExpired: Worker = async function* ({ now }, latest, { task, position }): Steps {
  const rule = await getRule(latest.latest(), task.ruleId);
  if (rule === undefined || !isOver(rule, now)) return yield { writes: [] };
  yield* removal(latest.latest(), rule, now, position as Progress | undefined);
};

/** What the removal of a rule may be given. */
export interface RemovalOptions {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Time in milliseconds when to stop, wherever that is; what is left then is found by the next call. */
  readonly until: number;
  /** Whether the replicas are to be deleted at once, whatever the rule itself says. */
  readonly purgeReplicas?: boolean | undefined;
}

/**
 * Removes a rule with its locks now, also a locked one and one that waits for another rule. The content of its DID must
 * still be attached, the DID itself may be hidden. Safe to repeat.
 *
 * @returns Whether it is gone.
 */
export async function removeRuleNow(
  store: Store,
  id: string,
  { now, until, purgeReplicas }: RemovalOptions,
): Promise<boolean> {
  let steps: Steps | undefined;
  let progress: unknown;
  for (;;) {
    let step: Step | undefined;
    let again = false;
    await store.write(
      async (latest) => {
        step = again ? undefined : await following(steps);
        again = true;
        if (step !== undefined) return step.writes;
        const rule = await getRule(latest.latest(), id);
        if (rule === undefined) return [];
        const purging = purgeReplicas === undefined ? rule : { ...rule, purgeReplicas };
        steps = removal(latest.latest(), purging, now, progress as Progress | undefined);
        step = await following(steps);
        return step?.writes ?? [];
      },
      { inBackground: true },
    );
    progress = step?.position;
    if (progress === undefined) return true;
    if (Date.now() > until) return false;
  }
}

async function following(steps: Steps | undefined): Promise<Step | undefined> {
  return (await steps?.next())?.value as Step | undefined;
}

/** The writes that remove a rule at once; a large one is marked, and goes as fast as it can. */
export async function planRemoval(latest: Table, rule: Rule, now: number): Promise<Write[]> {
  const { writes = [], position } = (await following(removal(latest.latest(), rule, now))) ?? {};
  return [...writes, ...(position === undefined ? [] : [insertWork({ kind: 'remove', ruleId: rule.id }, now)])];
}

async function* removal(table: Table, rule: Rule, now: number, progress?: Progress): Steps {
  const { after, round } = progress ?? { round: 1 };
  // What waits for approval has no locks.
  const part = rule.status === 'WAITING_APPROVAL' ? nothing : await readPart(table, rule, readPosition(after));
  if (rule.removing !== true && (part.next !== undefined || part.files.some(({ file }) => isLarge(file)))) {
    const patch = { set: { removing: true, updatedAt: now } };
    return yield { writes: [changeRule(rule.id, patch, { when: settledRule(rule) })], position: { round } };
  }
  const release = (changes: ReplicaChanges, file: Did) => {
    for (const rseId of file.replicas.keys()) releaseLock(changes, { file, rseId, ruleId: rule.id, rule, now });
  };
  const locks = (
    await mapLimited(part.datasets, parallel, (dataset) => listDatasetLocks(table, dataset, rule.id))
  ).flat();
  // A rule that is not marked is seen as a whole, or not at all.
  const portions = rule.removing === true ? [...portionsOf(part.files, now, release)] : [allOf(part, now, release)];
  let datasetLocks = locks.map(deleteDatasetLock);
  while (rule.removing === true && datasetLocks.length > few) {
    yield { writes: datasetLocks.splice(0, touchedPerStep), position: { ...(after && { after }), round } };
  }
  for (const { changes, position } of portions) {
    const writes = [...changes.writes(new Set([rule.id])), ...datasetLocks];
    datasetLocks = [];
    if (position !== undefined) yield { writes, position: { after: position, round } };
    else if (part.next !== undefined)
      yield { writes: [...writes, ...part.kept], position: { after: part.next, round } };
    // What was read of the rule holds for the first step only.
    else if (portions.length > 1) yield { writes, position: { after: part.files.at(-1)?.position, round } };
    else if (rule.removing === true && round < mostRounds && !isClear(rule, changes))
      yield { writes, position: { round: round + 1 } };
    else {
      const left = isClear(rule, changes)
        ? []
        : [insertWork({ kind: 'unlock', ruleId: rule.id, under: rule.did }, now)];
      const end = [...locks.map(deleteDatasetLock), ...(await endOfRule(table, rule, now)), ...left];
      yield { writes: [...changes.writes(new Set()), ...end] };
    }
  }
}

function allOf({ files }: Part, now: number, change: (changes: ReplicaChanges, file: Did) => void): Portion {
  const changes = new ReplicaChanges(now);
  for (const { file } of files) change(changes, file);
  return { changes };
}

/**
 * Whether a rule has no locks after some changes. Others are on files that are detached by now, which the stream may tell of
 * when nobody knows the rule any more.
 */
function isClear({ id, ok, replicating, stuck }: Rule, changes: ReplicaChanges): boolean {
  const added = Object.values(changes.counters().get(id) ?? {}).reduce((sum, amount) => sum + amount, 0);
  return ok + replicating + stuck + added <= 0;
}

/** The writes that delete a rule and keep it in the history of its DID; what has waited for it lives on. */
async function endOfRule(table: Table, rule: Rule, now: number): Promise<Write[]> {
  const { id, account, rseExpression, createdAt, updatedAt, ok, replicating, stuck } = rule;
  const past = { id, account, rseExpression, createdAt, updatedAt, ok, replicating, stuck };
  return [
    ...deleteRule(rule),
    insertPastRule(rule.did, { ...past, state: stateOfRule(rule), endedAt: now }),
    ...(await spareParents(table, rule, now)),
    ...(await uncount(table, rule)),
  ];
}
