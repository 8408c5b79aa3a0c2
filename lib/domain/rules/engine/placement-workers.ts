import { defined } from '../../../defined.ts';
import type { RucioError } from '../../../errors.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type Did, type FileDid, getDid } from '../../../store/entities/did.ts';
import { getFleet } from '../../../store/entities/rse-fleet.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import { changeRule } from '../../../store/entities/rule-writes.ts';
import { getRule, type Rule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Write } from '../../../store/items/plan.ts';
import { ContentParents } from '../../did-graph/content-parents.ts';
import { getStartPosition } from '../../did-graph/content-walk.ts';
import { DescendantTest } from '../../did-graph/descendant-test.ts';
import { missingSource } from '../../locks/lock-updates.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { isRuleError, planNextRepair, scheduleRepair, truncateError } from '../../locks/rule-errors.ts';
import { resolveIfPossible } from '../../rse-expression/resolve-expression.ts';
import { mayHaveCrashed, type TaskStep, maxItemsPerStep, type Worker } from '../../values/worker.ts';
import { getStoredChoice } from './grouping.ts';
import type { Obstacle } from './place-file.ts';
import type { PlacementPosition } from './placement-task.ts';
import { Placement } from './placement.ts';
import { checkRecentLater, reconcileRecent } from './recent-content.ts';
import { createSelector, findSources, findTargets } from './rule-rses.ts';
import { findSiblingRses, hasLocks } from './sibling-locks.ts';
import { splitRule } from './split-rule.ts';

/** Limits of one planning pass: files counted (a read each), locks created; and of one step: items changed. */
const limits = { counted: 4_000, locks: 4_000, touched: maxItemsPerStep };

/** Files of a dataset per read. */
const usualFilesPerRead = 500;

/** Smaller limits for a task that may have crashed its process, for lack of memory. */
const cautious = { limits: { ...limits, counted: 500, locks: 500 }, files: 50 };

/** A rule that expires sooner than this is not placed (spec/replication.md 3.4). It is looked at again after this time. */
const minLifetimeMs = 300_000;

/** Retry delay for content that was attached below a rule while the rule is being placed. */
const spreadDelayMs = 60_000;

const done: TaskStep = { writes: [] };

type Steps = AsyncGenerator<TaskStep>;

/** Places a rule that was accepted (spec/replication.md 3.4). Its state is INJECT until the last step. */
export const inject: Worker = async function* ({ now }, latest, { task, position, failures }, isRetry = false): Steps {
  const table = latest.latest();
  const rule = await getRule(table, task.ruleId);
  if (rule?.status !== 'INJECT' || rule.removing === true) return yield done;
  const isLate = rule.childRuleId === undefined && rule.expiresAt !== undefined && rule.expiresAt < now + minLifetimeMs;
  // Its lifetime may be prolonged.
  if (position === undefined && isLate) return yield { writes: [insertWork(task, now + minLifetimeMs)] };
  if (rule.splitContainer === true && rule.didType === 'CONTAINER') {
    return yield await splitRule(table, { rule, position, now, isRetry });
  }
  const root = await getDid(table, rule.did);
  if (root === undefined) return yield done;
  yield* place(table, {
    rule,
    root,
    position,
    now,
    isRetry,
    isCautious: mayHaveCrashed(failures),
    planEnd: (stuck, obstacle) => endInjection(rule, { stuck, obstacle }, now),
  });
};

/** The position after the last locks: the next step checks once more whether they are justified. */
const allPlaced = { isPlaced: true };

/**
 * Places a rule on a collection that was attached below its DID (spec/replication.md 3.6). If the collection is
 * detached concurrently, the locks are released again: the detachment may have been processed before they existed. A rule
 * that takes no new content leaves a task that charges what it has locked there: it may have got another account meanwhile.
 */
export const spread: Worker = async function* ({ now }, latest, { task, position, failures }, isRetry = false): Steps {
  const table = latest.latest();
  const rule = await getRule(table, task.ruleId);
  if (task.kind !== 'spread' || rule === undefined || rule.removing === true) return yield done;
  if (rule.status === 'INJECT' && rule.injecting === true) {
    return yield { writes: [insertWork(task, now + spreadDelayMs)] };
  }
  const { ruleId, under } = task;
  if (rule.status !== 'ACTIVE' && rule.status !== 'FAILED') {
    return yield { writes: hasLocks(rule) ? [insertWork({ kind: 'charge', ruleId, under }, now)] : [] };
  }
  const root = await getDid(table, under);
  if (root === undefined || !(await new DescendantTest(rule.did, new ContentParents(table)).isAtOrBelow(root))) {
    return yield { writes: position === undefined ? [] : [insertWork({ kind: 'unlock', ruleId, under }, now)] };
  }
  if (isPlaced(position)) return yield done;
  if (task.since !== undefined) return yield* reconcileRecent(table, { rule, root, position, now, since: task.since });
  const steps = place(table, {
    rule,
    root,
    position,
    now,
    isRetry,
    isCautious: mayHaveCrashed(failures),
    planEnd: (stuck, obstacle) => endSpread(rule, { stuck, obstacle }, now),
  });
  for await (const step of steps) yield { ...step, position: step.position ?? allPlaced };
};

function isPlaced(position: unknown): boolean {
  return (position as Partial<typeof allPlaced> | undefined)?.isPlaced === true;
}

/**
 * Repairs a rule: adds missing locks and requests the copies of stuck ones again (spec/replication.md 3.9). What hinders
 * new locks, such as a quota, does not hinder the others. Never ends the rule: only people suspend one.
 */
export const repair: Worker = async function* ({ now }, latest, { task, position, failures }, isRetry = false): Steps {
  const table = latest.latest();
  const rule = await getRule(table, task.ruleId);
  if (rule === undefined || rule.removing === true) return yield done;
  if (rule.status !== 'FAILED' && !(rule.status === 'ACTIVE' && rule.stuck > 0)) return yield done;
  const root = await getDid(table, rule.did);
  if (root === undefined) return yield done;
  yield* place(table, {
    rule,
    root,
    position,
    now,
    isRetry,
    isCautious: mayHaveCrashed(failures),
    isRepair: true,
    planEnd: (stuck, obstacle) => endRepair(rule, { stuck, obstacle }, now),
  });
};

/** How the last step changes the rule, and its further writes. */
interface End {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
  readonly writes?: readonly Write[];
}

interface PlacementRun {
  readonly rule: Rule;
  readonly root: Did;
  readonly position: unknown;
  readonly now: number;
  readonly isRetry: boolean;
  /** Whether the task may have crashed a process. */
  readonly isCautious: boolean;
  readonly isRepair?: boolean;
  /** Plans the last step, from the number of stuck locks and the reason. */
  readonly planEnd: (stuck: number, obstacle: Obstacle | undefined) => End;
}

/**
 * The stored position. If one of the RSEs was deleted that it has chosen, the choice is made again, from the start of the
 * content: what is placed already stays.
 */
function withoutDeleted(
  position: PlacementPosition | undefined,
  root: Did,
  isLive: (rseId: string) => boolean,
): PlacementPosition | undefined {
  if (position?.rseIds === undefined || position.rseIds.every(isLive)) return position;
  return { content: getStartPosition(root), ...defined({ since: position.since, because: position.because }) };
}

/**
 * Places a rule under an optimistic lock: every collection that was read must be unchanged, so that no attachment or
 * detachment is missed. After a conflict it goes on without this lock. It marks the rule as being placed before it
 * reads anything, so the reaction to the stream locks whatever is attached from then on. A last task checks what was
 * attached and detached since then.
 */
async function* place(
  table: Table,
  { rule, root, position: stored, now, isRetry, isCautious, isRepair, planEnd }: PlacementRun,
): Steps {
  const [{ rses, sources, hindrance, outside }, { byId }] = await Promise.all([
    findPlaces(table, rule, isRepair === true),
    getFleet(table),
  ]);
  const isLive = (rseId: string) => byId.get(rseId)?.deletedAt === undefined;
  const position = withoutDeleted(stored as PlacementPosition | undefined, root, isLive);
  let selector: ReturnType<typeof createSelector> | undefined;
  const select = () => (selector ??= createSelector(table, rses, rule));
  // Fail before anything is written.
  if (position === undefined && isRepair !== true) await select();
  const storedSince = position?.since;
  const since = root.type === 'FILE' ? undefined : (storedSince ?? (isRetry ? now : undefined));
  if (since !== undefined && rule.status === 'INJECT' && rule.injecting !== true) {
    const when = { status: rule.status, removing: undefined };
    const mark = changeRule(rule.id, { set: { injecting: true, updatedAt: now } }, { when });
    return yield { writes: [mark], position: { ...(position ?? { content: getStartPosition(root) }), since } };
  }
  let changes = new ReplicaChanges(now);
  const preferred = (await findPreferredRses(table, rule, root)).filter(isLive);
  const files = new Map<string, FileDid>();
  const filesPerRead = isCautious ? cautious.files : usualFilesPerRead;
  const stepLimits = isCautious ? cautious.limits : limits;
  const targets = { rses, sources, selector: select, preferred, ...defined({ hindrance, outside }) };
  const placement = new Placement(
    { table, rule, root, ...targets, changes, files, filesPerRead, now, ...defined({ isRepair }) },
    position,
  );
  for (let { stuck } = rule; ; changes = new ReplicaChanges(now), placement.begin(changes)) {
    const next = await placement.next(stepLimits);
    const add = changes.counters().get(rule.id) ?? {};
    stuck += add['stuck'] ?? 0;
    const end: End = next === undefined ? planEnd(stuck, placement.obstacle) : {};
    const goesOn = next !== undefined && rule.status === 'INJECT' ? { injecting: true } : {};
    const set = { updatedAt: now, ...getStoredChoice(rule, placement), ...goesOn, ...end.set };
    const patch = { add, set, ...(end.remove === undefined ? {} : { remove: end.remove }) };
    const writes = [
      ...changes.writes(new Map()),
      ...placement.datasetLocks,
      ...((await selector?.catch(() => undefined))?.turns() ?? []),
      ...(since === undefined ? placement.confirmations() : []),
      changeRule(rule.id, patch, { when: { status: rule.status, account: rule.account, removing: undefined } }),
      ...(end.writes ?? []),
      ...(next === undefined && since !== undefined ? [checkRecentLater(rule, root, { since, now })] : []),
    ];
    yield { writes, ...(next === undefined ? {} : { position: { ...next, ...defined({ since }) } }) };
    if (next === undefined || placement.isOver(stepLimits)) return;
  }
}

/** Where the files of a rule may be copied to, and from where. */
interface Places {
  readonly rses: readonly Rse[];
  readonly sources: ReadonlySet<string> | undefined;
  /** Why nothing can be copied; a repair then works with the existing replicas. */
  readonly hindrance?: RucioError;
  /** In a repair: the names, by id, of RSEs that do not match the expression any more. */
  readonly outside?: ReadonlyMap<string, string>;
}

/** @throws Unless it is a repair: what {@link findTargets} and {@link findSources} throw. */
async function findPlaces(table: Table, rule: Rule, isRepair: boolean): Promise<Places> {
  try {
    const [rses, sources] = await Promise.all([findTargets(table, rule), findSources(table, rule)]);
    return { rses, sources, ...(isRepair ? { outside: await findOutside(table, rule) } : {}) };
  } catch (error) {
    if (!isRepair || !isRuleError(error)) throw error;
    return { rses: [], sources: new Set(), hindrance: error, outside: await findOutside(table, rule) };
  }
}

/** The RSEs that the expression of a rule does not name; none where it names nothing at all, which is what has to be said then. */
async function findOutside(table: Table, rule: Rule): Promise<ReadonlyMap<string, string>> {
  const [matching, { byId }] = await Promise.all([resolveIfPossible(table, rule.rseExpression), getFleet(table)]);
  const inside = new Set(matching.map(({ id }) => id));
  if (inside.size === 0) return new Map();
  return new Map([...byId].flatMap(([id, { rse }]) => (inside.has(id) ? [] : [[id, rse]])));
}

/** The RSEs on which files of the same unit were placed before. */
async function findPreferredRses(table: Table, rule: Rule, root: Did): Promise<readonly string[]> {
  if (rule.grouping === 'NONE' || !hasLocks(rule)) return [];
  if (rule.grouping === 'ALL' || rule.didType !== 'CONTAINER') return rule.rseIds ?? [];
  return root.type === 'DATASET' ? findSiblingRses(table, rule, { dataset: root, excluded: new Set() }) : [];
}

interface StuckLocks {
  /** The number of stuck locks. */
  readonly stuck: number;
  readonly obstacle: Obstacle | undefined;
}

function endInjection(rule: Rule, { stuck, obstacle }: StuckLocks, now: number): End {
  if (obstacle?.isUnlocked === true) return endWithoutLock(rule, obstacle, now);
  if (stuck === 0) return { set: { status: 'ACTIVE' }, remove: ['injecting', 'error'] };
  const set = { status: 'ACTIVE', error: obstacle?.reason ?? missingSource, stuckAt: now };
  return { set, remove: ['injecting'], writes: [scheduleRepair(rule.id, now)] };
}

function endSpread(rule: Rule, { stuck, obstacle }: StuckLocks, now: number): End {
  if (obstacle?.isUnlocked === true) return endWithoutLock(rule, obstacle, now);
  if (rule.status === 'ACTIVE' && stuck === 0 && rule.error !== undefined) return { remove: ['error'] };
  if (rule.status !== 'ACTIVE' || rule.stuck > 0 || stuck === 0) return {};
  return { set: { error: obstacle?.reason ?? missingSource, stuckAt: now }, writes: [scheduleRepair(rule.id, now)] };
}

function endRepair(rule: Rule, { stuck, obstacle }: StuckLocks, now: number): End {
  const { set: next, writes } = planNextRepair(rule, now);
  if (obstacle?.isUnlocked === true) {
    const end = endWithoutLock(rule, obstacle, now);
    return { ...end, set: { ...end.set, ...next }, writes };
  }
  if (stuck === 0) return { set: { status: 'ACTIVE' }, remove: ['error', 'stuckAt'] };
  return { set: { status: 'ACTIVE', ...(obstacle === undefined ? {} : { error: obstacle.reason }), ...next }, writes };
}

/** A file has no room for a lock: the rule is FAILED with this error and is repaired later. */
function endWithoutLock({ id, status, stuckAt = 0 }: Rule, { reason }: Obstacle, now: number): End {
  const set = { status: 'FAILED', error: truncateError(reason), stuckAt: stuckAt > 0 ? stuckAt : now };
  return { set, remove: ['injecting'], writes: status === 'FAILED' ? [] : [scheduleRepair(id, now)] };
}
