import type { DidKey } from '../../../contract/schemas/did.ts';
import { splitIntoChunks } from '../../../rows/split-into-chunks.ts';
import type { Table } from '../../../store/batches/table.ts';
import { insertDatasetLock, getDatasetLocks } from '../../../store/entities/dataset-lock.ts';
import { type FileDid, getFiles } from '../../../store/entities/did.ts';
import { getEdges } from '../../../store/entities/edge.ts';
import { changeRule } from '../../../store/entities/rule-writes.ts';
import { getRule, getRules, type Rule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Plan, Write } from '../../../store/items/plan.ts';
import { ContentParents } from '../../did-graph/content-parents.ts';
import { DescendantTest } from '../../did-graph/descendant-test.ts';
import { chargeLocks } from '../../locks/charge-locks.ts';
import { missingSource } from '../../locks/lock-updates.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { isRuleError, planRuleFailure, scheduleRepair, truncateError } from '../../locks/rule-errors.ts';
import type { AnonymousContext } from '../../values/context.ts';
import { formatDid } from '../../values/format-did.ts';
import { isolate } from '../../values/isolate.ts';
import type { ChangedContent } from './changed-content.ts';
import type { KeyedQueue } from './keyed-queue.ts';
import { PathClaims } from './path-claims.ts';
import { countLocks, type Obstacle, pickWorse, placeFile, type Placing } from './place-file.ts';
import { recheckLater } from './recheck-later.ts';
import { createSelector, findSources, findTargets } from './rule-rses.ts';
import type { RulesAbove } from './rules-above.ts';
import { findSiblingRses, hasLocks } from './sibling-locks.ts';
import { sumUnit } from './unit.ts';

/** The most locks created by one plan. */
const locksPerPlan = 1_000;

/** Delay before collections are placed that were attached while the rule was being placed. */
const attachRetryMs = 60_000;

/**
 * Places all rules of a collection and of its ancestors on new content of it: files at once, collections by a task.
 * Existing locks stay unchanged.
 */
export async function lockAttached(
  context: AnonymousContext,
  { above, queue }: { readonly above: RulesAbove; readonly queue: KeyedQueue },
  { parent, files, collections }: ChangedContent,
): Promise<void> {
  const { store, now } = context;
  const ruleIds = await above.findRuleIds(parent);
  const rules = ruleIds.size === 0 ? [] : (await getRules(store.table.latest(), ruleIds)).values();
  for (const rule of rules) {
    // A suspended rule may still have to charge or to release its locks.
    if (collections.length > 0 && (takesContent(rule) || (hasLocks(rule) && rule.removing !== true)))
      await store.write((latest) => planSpreadTasks(latest, { rule, parent, collections, now }));
    if (!takesContent(rule)) continue;
    for await (const chunk of splitIntoChunks(files, Math.ceil(locksPerPlan / rule.copies))) {
      await queue.run(rule.id, () => lockChunk(context, { ruleId: rule.id, parent, files: chunk }));
    }
    // A detachment further up may have been processed before these locks existed.
    if (formatDid(rule.did) === formatDid(parent) || files.length === 0) continue;
    if (await new DescendantTest(rule.did, new ContentParents(store.table.latest())).isAtOrBelow(parent)) continue;
    await store.write(async () => [insertWork({ kind: 'unlock', ruleId: rule.id, under: parent }, now)]);
  }
}

/** Whether new content gets locks of a rule now. A rule whose placement has not begun will read the content itself. */
export function takesContent({ status, injecting, removing }: Rule): boolean {
  if (removing === true) return false;
  return status === 'ACTIVE' || status === 'FAILED' || (status === 'INJECT' && injecting === true);
}

/** Locks files; those that fail are left to tasks. */
async function lockChunk(context: AnonymousContext, { ruleId, parent, files }: FilesOfRule): Promise<void> {
  const { store, now } = context;
  await isolate(files, {
    name: 'follow content: attached',
    run: (part) => lockFiles(context, { ruleId, parent, files: part }),
    setAside: (failed) => store.write(async () => recheckLater(ruleId, failed, now)),
    didOf: (did) => did,
  });
}

interface Collections {
  readonly rule: Rule;
  readonly parent: DidKey;
  readonly collections: readonly DidKey[];
  readonly now: number;
}

async function planSpreadTasks(latest: Table, { rule, parent, collections, now }: Collections): Promise<Plan> {
  const pairs = collections.map((child) => ({ parent, child }));
  const edges = await getEdges(latest.latest(), pairs);
  const due = rule.status === 'INJECT' ? now + attachRetryMs : now;
  // While the index did not show an attachment, nobody knew that what a container lost was below the rule.
  const containers = edges.filter(({ type }) => type === 'CONTAINER');
  return [
    ...edges.map(({ child }) => insertWork({ kind: 'spread', ruleId: rule.id, under: child }, due)),
    ...containers.map(({ child }) => insertWork({ kind: 'unlock', ruleId: rule.id, under: child }, due)),
  ];
}

interface FilesOfRule {
  readonly ruleId: string;
  readonly parent: DidKey;
  readonly files: readonly DidKey[];
}

/** Files of one dataset. */
export type DatasetFiles = Omit<FilesOfRule, 'ruleId'>;

/** Locks files of one dataset in one plan. If the rule cannot be placed, the error is recorded on the rule. */
async function lockFiles({ store, now }: AnonymousContext, files: FilesOfRule): Promise<void> {
  const plan = async (latest: Table): Promise<Plan> => {
    const table = latest.latest();
    const rule = await getRule(table, files.ruleId);
    if (rule === undefined || !takesContent(rule)) return [];
    try {
      return await planLocks(table, rule, files, now);
    } catch (error) {
      if (!isRuleError(error)) throw error;
      return planRuleFailure(rule, error, now);
    }
  };
  await store.write(plan, { inBackground: true });
}

/**
 * The writes that lock those files of a dataset that lack locks of a rule, on the RSEs that hold the files already
 * locked.
 */
export async function planLocks(table: Table, rule: Rule, { parent, files }: DatasetFiles, now: number): Promise<Plan> {
  const edges = await getEdges(
    table,
    files.map((child) => ({ parent, child })),
  );
  const found = await getFiles(
    table,
    edges.map(({ child }) => child),
  );
  const changes = new ReplicaChanges(now);
  // The rule may have got another account while these files were not in its content, but still locked.
  for (const file of found) chargeLocks(changes, file, rule);
  const unlockedFiles = found.filter(({ replicas }) => countLocks(replicas, rule.id) < rule.copies);
  if (unlockedFiles.length === 0) {
    return changes.touched === 0 ? [] : [...changes.writes(new Map()), ...planRuleChange(rule, changes, {}, { now })];
  }
  const preferred = await findPreferredRses(table, rule, parent, unlockedFiles);
  // Skip: the placement has not reached this dataset yet and will read its content then.
  if (rule.status === 'INJECT' && rule.grouping !== 'NONE' && preferred.length === 0) return [];
  const rses = await findTargets(table, rule);
  const sources = await findSources(table, rule);
  const selector = await createSelector(table, rses, rule);
  const byId = new Map(rses.map((rse) => [rse.id, rse]));
  const claims = new PathClaims(table, byId);
  claims.within(parent);
  const placing: Placing = { rule, rses: byId, sources, claims, now };
  if (rule.grouping === 'NONE') {
    let because: Obstacle | undefined;
    for (const file of unlockedFiles) {
      const rseIds = selector.select(sumUnit([file]), { inOrder: false });
      await claims.load(rseIds, file);
      const obstacle = placeFile(changes, placing, file, rseIds);
      because = pickWorse(because, obstacle);
    }
    const ruleChange = planRuleChange(rule, changes, {}, { because, now });
    return [...changes.writes(new Map()), ...selector.turns(), ...ruleChange];
  }
  const isNew = preferred.length === 0;
  const rseIds = selector.select(
    sumUnit(unlockedFiles),
    isNew ? { inOrder: true } : { rseIds: preferred, inOrder: false },
  );
  let because: Obstacle | undefined;
  for (const file of unlockedFiles) {
    await claims.load(rseIds, file, unlockedFiles);
    const obstacle = placeFile(changes, placing, file, rseIds);
    because = pickWorse(because, obstacle);
  }
  const isOneUnit = rule.grouping === 'ALL' || rule.didType === 'DATASET';
  return [
    ...changes.writes(new Map()),
    ...selector.turns(),
    ...(await planDatasetLocks(table, { rule, dataset: parent, rseIds, now })),
    ...planRuleChange(rule, changes, isNew && isOneUnit ? { rseIds } : {}, { because, now }),
  ];
}

/** The RSEs of the files that the rule has locked in the same unit as new files of a dataset. */
async function findPreferredRses(
  table: Table,
  rule: Rule,
  dataset: DidKey,
  unlockedFiles: readonly FileDid[],
): Promise<readonly string[]> {
  if (rule.grouping === 'NONE') return [];
  const isInjected = rule.status === 'INJECT';
  if (rule.grouping === 'ALL' || rule.didType === 'DATASET') {
    return isInjected || hasLocks(rule) ? (rule.rseIds ?? []) : [];
  }
  if (isInjected) return (await getDatasetLocks(table, dataset, rule.id)).map(({ rseId }) => rseId);
  return hasLocks(rule)
    ? findSiblingRses(table, rule, { dataset, excluded: new Set(unlockedFiles.map(formatDid)) })
    : [];
}

interface DatasetLocking {
  readonly rule: Rule;
  readonly dataset: DidKey;
  readonly rseIds: readonly string[];
  readonly now: number;
}

async function planDatasetLocks(table: Table, { rule, dataset, rseIds, now }: DatasetLocking): Promise<Write[]> {
  const locked = new Set((await getDatasetLocks(table, dataset, rule.id)).map(({ rseId }) => rseId));
  return rseIds
    .filter((rseId) => !locked.has(rseId))
    .map((rseId) => insertDatasetLock({ did: dataset, ruleId: rule.id, rseId, createdAt: now }));
}

interface Cause {
  /** Why locks are missing or stuck. */
  readonly because?: Obstacle | undefined;
  readonly now: number;
}

function planRuleChange(rule: Rule, changes: ReplicaChanges, choice: Partial<Rule>, { because, now }: Cause): Write[] {
  const add = changes.counters().get(rule.id) ?? {};
  const isStuck = rule.status === 'ACTIVE' && rule.stuck === 0 && (add['stuck'] ?? 0) > 0;
  const isWithoutLock = because?.isUnlocked === true && rule.status !== 'INJECT';
  const reason = { error: truncateError(because?.reason ?? missingSource), stuckAt: rule.stuckAt ?? now };
  const set = {
    updatedAt: now,
    ...choice,
    ...(isStuck || isWithoutLock ? reason : {}),
    ...(isWithoutLock ? { status: 'FAILED' } : {}),
  };
  return [
    changeRule(rule.id, { add, set }, { when: { status: rule.status, account: rule.account, removing: undefined } }),
    ...(isStuck || (isWithoutLock && rule.status !== 'FAILED') ? [scheduleRepair(rule.id, now)] : []),
  ];
}
