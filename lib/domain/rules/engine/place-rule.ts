import { defined } from '../../../defined.ts';
import type { Table } from '../../../store/batches/table.ts';
import { type Did, getDid } from '../../../store/entities/did.ts';
import { changeRule, getRule, type Rule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Write } from '../../../store/items/plan.ts';
import { Below } from '../../did-graph/below.ts';
import { startOf } from '../../did-graph/content-walk.ts';
import { missingSource } from '../../locks/lock-events.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { cutError, repairDelay, stuckFor } from '../../locks/verdict.ts';
import { mayHaveCrashed, type Step, touchedPerStep, type Worker } from '../../values/worker.ts';
import { hasLocks, lockedBeside } from './beside.ts';
import type { Obstacle } from './place-file.ts';
import type { PlacementPosition } from './placement-task.ts';
import { Placement, remembered } from './placement.ts';
import { lockRecent, lookAgain } from './recent.ts';
import { splitRule } from './split.ts';
import { findSources, findTargets, openSelector } from './targets.ts';

/** What is planned from one state of the catalogue, and of that what one step changes; a file is counted by a read. */
const limits = { counted: 4_000, locks: 4_000, touched: touchedPerStep };

/** Files of a dataset that are read at once. */
const usualFiles = 500;

/** The same for a task that its process may have died of, for lack of memory. */
const cautious = { limits: { ...limits, counted: 500, locks: 500 }, files: 50 };

/** A rule that expires so soon is not placed any more, in milliseconds (spec/replication.md 3.4). */
const tooLate = 300_000;

/** How long content waits that is attached below a rule while that is being placed, in milliseconds. */
const patience = 60_000;

/** How long a rule is stuck before it is suspended, in milliseconds (spec/replication.md 3.9). */
const hopeless = 14 * 86_400_000;

const done: Step = { writes: [] };

type Steps = AsyncGenerator<Step>;

/** Places a rule that was accepted (spec/replication.md 3.4); it shows INJECT until the last step. */
export const inject: Worker = async function* ({ now }, latest, { task, position, failures }, isAgain = false): Steps {
  const table = latest.latest();
  const rule = await getRule(table, task.ruleId);
  if (rule?.status !== 'INJECT' || rule.removing === true) return yield done;
  const isLate = rule.childRuleId === undefined && rule.expiresAt !== undefined && rule.expiresAt < now + tooLate;
  if (position === undefined && isLate) return yield done;
  if (rule.splitContainer === true && rule.didType === 'CONTAINER') {
    return yield await splitRule(table, { rule, position, now, isAgain });
  }
  const root = await getDid(table, rule.did);
  if (root === undefined) return yield done;
  yield* place(table, {
    rule,
    root,
    position,
    now,
    isAgain,
    isCautious: mayHaveCrashed(failures),
    ends: (stuck, because) => placed(rule, { stuck, because }, now),
  });
};

/** After the last locks of a task it is looked once more whether they are justified. */
const allPlaced = { isPlaced: true };

/**
 * Places a rule on what was attached below its DID (spec/replication.md 3.6). Where that is detached meanwhile, the locks
 * go again: the detachment may have been followed before they were there.
 */
export const spread: Worker = async function* ({ now }, latest, { task, position, failures }, isAgain = false): Steps {
  const table = latest.latest();
  const rule = await getRule(table, task.ruleId);
  if (task.kind !== 'spread' || rule === undefined || rule.removing === true) return yield done;
  if (rule.status === 'INJECT' && rule.injecting === true) {
    return yield { writes: [insertWork(task, now + patience)] };
  }
  if (rule.status !== 'ACTIVE' && rule.status !== 'FAILED') return yield done;
  const { ruleId, under } = task;
  const root = await getDid(table, under);
  if (root === undefined || !(await new Below(table, rule.did).has(root))) {
    return yield { writes: position === undefined ? [] : [insertWork({ kind: 'unlock', ruleId, under }, now)] };
  }
  if (isPlaced(position)) return yield done;
  if (task.since !== undefined) return yield* lockRecent(table, { rule, root, position, now, since: task.since });
  const steps = place(table, {
    rule,
    root,
    position,
    now,
    isAgain,
    isCautious: mayHaveCrashed(failures),
    ends: (stuck, because) => spreadOut(rule, { stuck, because }, now),
  });
  for await (const step of steps) yield { ...step, position: step.position ?? allPlaced };
};

function isPlaced(position: unknown): boolean {
  return (position as Partial<typeof allPlaced> | undefined)?.isPlaced === true;
}

/** Completes what a rule lacks, and tries again what is stuck, as far as a catalogue can (spec/replication.md 3.9). */
export const repair: Worker = async function* ({ now }, latest, { task, position, failures }, isAgain = false): Steps {
  const table = latest.latest();
  const rule = await getRule(table, task.ruleId);
  if (rule === undefined || rule.removing === true) return yield done;
  if (rule.status !== 'FAILED' && !(rule.status === 'ACTIVE' && rule.stuck > 0)) return yield done;
  if (rule.stuckAt !== undefined && rule.stuckAt < now - hopeless) {
    return yield {
      writes: [
        changeRule(rule.id, { set: { status: 'SUSPENDED', updatedAt: now } }, { when: { status: rule.status } }),
      ],
    };
  }
  const root = await getDid(table, rule.did);
  if (root === undefined) return yield done;
  yield* place(table, {
    rule,
    root,
    position,
    now,
    isAgain,
    isCautious: mayHaveCrashed(failures),
    isRepair: true,
    ends: (stuck, because) => repaired(rule, { stuck, because }, now),
  });
};

/** What becomes of a rule in the last step, and what else is to be done. */
interface End {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
  readonly writes?: readonly Write[];
}

interface Part {
  readonly rule: Rule;
  readonly root: Did;
  readonly position: unknown;
  readonly now: number;
  readonly isAgain: boolean;
  /** A process may have died of it. */
  readonly isCautious: boolean;
  readonly isRepair?: boolean;
  /** Is told how many locks are stuck then, and why. */
  readonly ends: (stuck: number, because: Obstacle | undefined) => End;
}

/** The position of a placement that was not begun yet, or of one that was. */
function positionOf(position: unknown, root: Did): PlacementPosition {
  return (position as PlacementPosition | undefined) ?? { content: startOf(root) };
}

/**
 * Places a rule on a condition: that the collections that were read are as they were, so that nothing was attached or
 * detached unnoticed. Where others change them all the time, it goes on without: the rule is marked as being placed before
 * anything is read, so that whatever is attached from then on is locked by those who are told of it; and at last it is
 * looked at what was attached and detached since then.
 */
async function* place(table: Table, { rule, root, position, now, isAgain, isCautious, isRepair, ends }: Part): Steps {
  const [rses, sources] = await Promise.all([findTargets(table, rule), findSources(table, rule)]);
  let selector: ReturnType<typeof openSelector> | undefined;
  const select = () => (selector ??= openSelector(table, rses, rule));
  // What can be refused is refused before anything is done.
  if (position === undefined && isRepair !== true) await select();
  const begun = (position as PlacementPosition | undefined)?.since;
  const since = root.type === 'FILE' ? undefined : (begun ?? (isAgain ? now : undefined));
  if (since !== undefined && rule.status === 'INJECT' && rule.injecting !== true) {
    const when = { status: rule.status, removing: undefined };
    const marked = changeRule(rule.id, { set: { injecting: true, updatedAt: now } }, { when });
    return yield { writes: [marked], position: { ...positionOf(position, root), since } };
  }
  let changes = new ReplicaChanges(now);
  const preferred = await preferredFor(table, rule, root);
  const files = new Map<string, Did>();
  const filesAtOnce = isCautious ? cautious.files : usualFiles;
  const bounds = isCautious ? cautious.limits : limits;
  const targets = { rses, sources, selector: select, preferred };
  const placement = new Placement(
    { table, rule, root, ...targets, changes, files, filesAtOnce, now, ...defined({ isRepair }) },
    position as PlacementPosition | undefined,
  );
  for (let { stuck } = rule; ; changes = new ReplicaChanges(now), placement.begin(changes)) {
    const next = await placement.next(bounds);
    const add = changes.counters().get(rule.id) ?? {};
    stuck += add['stuck'] ?? 0;
    const end: End = next === undefined ? ends(stuck, placement.because) : {};
    const goesOn = next !== undefined && rule.status === 'INJECT' ? { injecting: true } : {};
    const set = { updatedAt: now, ...remembered(rule, placement), ...goesOn, ...end.set };
    const patch = { add, set, ...(end.remove === undefined ? {} : { remove: end.remove }) };
    const writes = [
      ...changes.writes(new Map()),
      ...placement.datasetLocks,
      ...(since === undefined ? placement.confirmations() : []),
      changeRule(rule.id, patch, { when: { status: rule.status, account: rule.account, removing: undefined } }),
      ...(end.writes ?? []),
      ...(next === undefined && since !== undefined ? [lookAgain(rule, root, { since, now })] : []),
    ];
    yield { writes, ...(next === undefined ? {} : { position: { ...next, ...defined({ since }) } }) };
    if (next === undefined || placement.isOver(bounds)) return;
  }
}

/** Where the files lie that were placed together with those of a DID before. */
async function preferredFor(table: Table, rule: Rule, root: Did): Promise<readonly string[]> {
  if (rule.grouping === 'NONE' || !hasLocks(rule)) return [];
  if (rule.grouping === 'ALL' || rule.didType !== 'CONTAINER') return rule.rseIds ?? [];
  return root.type === 'DATASET' ? lockedBeside(table, rule, { dataset: root, besides: new Set() }) : [];
}

interface Stuck {
  /** How many locks. */
  readonly stuck: number;
  readonly because: Obstacle | undefined;
}

function placed(rule: Rule, { stuck, because }: Stuck, now: number): End {
  if (because?.isUnlocked === true) return failed(rule, because, now);
  if (stuck === 0) return { set: { status: 'ACTIVE' }, remove: ['injecting', 'error'] };
  const set = { status: 'ACTIVE', error: because?.reason ?? missingSource, stuckAt: now };
  return { set, remove: ['injecting'], writes: [stuckFor(rule.id, now)] };
}

function spreadOut(rule: Rule, { stuck, because }: Stuck, now: number): End {
  if (because?.isUnlocked === true) return failed(rule, because, now);
  if (rule.status === 'ACTIVE' && stuck === 0 && rule.error !== undefined) return { remove: ['error'] };
  if (rule.status !== 'ACTIVE' || rule.stuck > 0 || stuck === 0) return {};
  return { set: { error: because?.reason ?? missingSource, stuckAt: now }, writes: [stuckFor(rule.id, now)] };
}

function repaired(rule: Rule, { stuck, because }: Stuck, now: number): End {
  const writes = [stuckFor(rule.id, now, repairDelay.next)];
  if (because?.isUnlocked === true) return { ...failed(rule, because, now), writes };
  if (stuck === 0) return { set: { status: 'ACTIVE' }, remove: ['error', 'stuckAt'] };
  return { set: { status: 'ACTIVE', ...(because === undefined ? {} : { error: because.reason }) }, writes };
}

/** A file cannot take a lock: the rule says so, and tries again as long as it is stuck. */
function failed({ id, status, stuckAt = 0 }: Rule, { reason }: Obstacle, now: number): End {
  const set = { status: 'FAILED', error: cutError(reason), stuckAt: stuckAt > 0 ? stuckAt : now };
  return { set, remove: ['injecting'], writes: status === 'FAILED' ? [] : [stuckFor(id, now)] };
}
