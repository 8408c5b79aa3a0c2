import type { DidKey } from '../../../contract/schemas/did.ts';
import type { Table } from '../../../store/batches/table.ts';
import { insertDatasetLock, listDatasetLocks } from '../../../store/entities/dataset-lock.ts';
import { type Did, getDids } from '../../../store/entities/did.ts';
import { getEdges } from '../../../store/entities/edge.ts';
import { changeRule, getRule, getRules, type Rule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Plan, Write } from '../../../store/items/plan.ts';
import { Below } from '../../did-graph/below.ts';
import { missingSource } from '../../locks/lock-events.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { cutError, failRule, isOfRule, stuckFor } from '../../locks/verdict.ts';
import { chunksOf } from '../../values/chunks.ts';
import type { AnonymousContext } from '../../values/context.ts';
import { formatDid } from '../../values/format-did.ts';
import { hasLocks, lockedBeside } from './beside.ts';
import { isolate, type Turns } from './isolate.ts';
import { countLocks, type Obstacle, placeFile, type Placing, worse } from './place-file.ts';
import type { ChangedContent } from './react.ts';
import { recheckLater } from './recheck-later.ts';
import type { RulesAbove } from './rules-above.ts';
import { findSources, findTargets, openSelector } from './targets.ts';
import { unitOf } from './unit.ts';

/** Locks that are made in one plan. */
const locksPerPlan = 1_000;

/** How long collections wait that are attached while a rule is being placed, in milliseconds. */
const patience = 60_000;

/**
 * Places all rules on and above a collection on what was attached to it: files at once, collections by a task. What is
 * locked already stays as it is.
 */
export async function lockAttached(
  context: AnonymousContext,
  { above, turns }: { readonly above: RulesAbove; readonly turns: Turns },
  { parent, files, collections }: ChangedContent,
): Promise<void> {
  const { store, now } = context;
  const ids = await above.of(parent);
  const rules = ids.size === 0 ? [] : (await getRules(store.table.latest(), ids)).values();
  for (const rule of rules) {
    if (!takesContent(rule)) continue;
    for await (const chunk of chunksOf(files, Math.ceil(locksPerPlan / rule.copies))) {
      await turns.take(rule.id, () => lockChunk(context, { ruleId: rule.id, parent, files: chunk }));
    }
    if (collections.length > 0)
      await store.write((latest) => noteCollections(latest, { rule, parent, collections, now }));
    // A detachment further up may have passed by before there was anything to be unlocked.
    if (formatDid(rule.did) === formatDid(parent) || files.length === 0) continue;
    if (await new Below(store.table.latest(), rule.did).has(parent)) continue;
    await store.write(async () => [insertWork({ kind: 'unlock', ruleId: rule.id, under: parent }, now)]);
  }
}

/** Whether a rule is placed on what is attached: one that is to be placed yet will find it by itself. */
export function takesContent({ status, injecting, removing }: Rule): boolean {
  if (removing === true) return false;
  return status === 'ACTIVE' || status === 'FAILED' || (status === 'INJECT' && injecting === true);
}

/** Locks files at once; those that cannot be locked are left to tasks. */
async function lockChunk(context: AnonymousContext, { ruleId, parent, files }: Locked): Promise<void> {
  const { store, now } = context;
  await isolate(files, {
    name: 'follow content: attached',
    run: (some) => lockFiles(context, { ruleId, parent, files: some }),
    note: (failed) => store.write(async () => recheckLater(ruleId, failed, now)),
  });
}

interface Collections {
  readonly rule: Rule;
  readonly parent: DidKey;
  readonly collections: readonly DidKey[];
  readonly now: number;
}

async function noteCollections(latest: Table, { rule, parent, collections, now }: Collections): Promise<Plan> {
  const pairs = collections.map((child) => ({ parent, child }));
  const edges = await getEdges(latest.latest(), pairs);
  const due = rule.status === 'INJECT' ? now + patience : now;
  return edges.map(({ child }) => insertWork({ kind: 'spread', ruleId: rule.id, under: child }, due));
}

interface Locked {
  readonly ruleId: string;
  readonly parent: DidKey;
  readonly files: readonly DidKey[];
}

/** Files of a dataset. */
export type NewFiles = Omit<Locked, 'ruleId'>;

/** Locks files of one dataset in one plan; a rule that cannot be placed says so. */
async function lockFiles({ store, now }: AnonymousContext, files: Locked): Promise<void> {
  const plan = async (latest: Table): Promise<Plan> => {
    const table = latest.latest();
    const rule = await getRule(table, files.ruleId);
    if (rule === undefined || !takesContent(rule)) return [];
    try {
      return await planLocks(table, rule, files, now);
    } catch (error) {
      if (!isOfRule(error)) throw error;
      return failRule(rule, error, now);
    }
  };
  await store.write(plan, { inBackground: true });
}

/** The writes that place a rule on files of a dataset that it has no locks on yet, together with those it has. */
export async function planLocks(table: Table, rule: Rule, { parent, files }: NewFiles, now: number): Promise<Plan> {
  const edges = await getEdges(
    table,
    files.map((child) => ({ parent, child })),
  );
  const found = await getDids(
    table,
    edges.map(({ child }) => child),
  );
  const open = found.filter(({ type, replicas }) => type === 'FILE' && countLocks(replicas, rule.id) < rule.copies);
  if (open.length === 0) return [];
  const preferred = await preferredFor(table, rule, parent, open);
  // A dataset that the placement has not come to yet it finds as it is then.
  if (rule.status === 'INJECT' && rule.grouping !== 'NONE' && preferred.length === 0) return [];
  const rses = await findTargets(table, rule);
  const sources = await findSources(table, rule);
  const selector = await openSelector(table, rses, rule);
  const changes = new ReplicaChanges(now);
  const placing: Placing = { rule, rses: new Map(rses.map((rse) => [rse.id, rse])), sources, now };
  if (rule.grouping === 'NONE') {
    let because: Obstacle | undefined;
    for (const file of open) {
      const obstacle = placeFile(changes, placing, file, selector.select(unitOf([file]), { inOrder: false }));
      because = worse(because, obstacle);
    }
    return [...changes.writes(new Map()), ...ruleWrites(rule, changes, {}, { because, now })];
  }
  const isNew = preferred.length === 0;
  const rseIds = selector.select(unitOf(open), isNew ? { inOrder: true } : { rseIds: preferred, inOrder: false });
  let because: Obstacle | undefined;
  for (const file of open) {
    const obstacle = placeFile(changes, placing, file, rseIds);
    because = worse(because, obstacle);
  }
  const isOneUnit = rule.grouping === 'ALL' || rule.didType === 'DATASET';
  return [
    ...changes.writes(new Map()),
    ...(await lockDataset(table, { rule, dataset: parent, rseIds, now })),
    ...ruleWrites(rule, changes, isNew && isOneUnit ? { rseIds } : {}, { because, now }),
  ];
}

/** Where the files lie that the rule has placed together with new ones of a dataset. */
async function preferredFor(
  table: Table,
  rule: Rule,
  dataset: DidKey,
  open: readonly Did[],
): Promise<readonly string[]> {
  if (rule.grouping === 'NONE') return [];
  const isInjected = rule.status === 'INJECT';
  if (rule.grouping === 'ALL' || rule.didType === 'DATASET') {
    return isInjected || hasLocks(rule) ? (rule.rseIds ?? []) : [];
  }
  if (isInjected) return (await listDatasetLocks(table, dataset, rule.id)).map(({ rseId }) => rseId);
  return hasLocks(rule) ? lockedBeside(table, rule, { dataset, besides: new Set(open.map(formatDid)) }) : [];
}

interface Locking {
  readonly rule: Rule;
  readonly dataset: DidKey;
  readonly rseIds: readonly string[];
  readonly now: number;
}

async function lockDataset(table: Table, { rule, dataset, rseIds, now }: Locking): Promise<Write[]> {
  const locked = new Set((await listDatasetLocks(table, dataset, rule.id)).map(({ rseId }) => rseId));
  return rseIds
    .filter((rseId) => !locked.has(rseId))
    .map((rseId) => insertDatasetLock({ did: dataset, ruleId: rule.id, rseId, createdAt: now }));
}

interface Occasion {
  /** What is in the way of locks. */
  readonly because: Obstacle | undefined;
  readonly now: number;
}

function ruleWrites(rule: Rule, changes: ReplicaChanges, choice: Partial<Rule>, { because, now }: Occasion): Write[] {
  const add = changes.counters().get(rule.id) ?? {};
  const isStuck = rule.status === 'ACTIVE' && rule.stuck === 0 && (add['stuck'] ?? 0) > 0;
  const isFailed = because?.isUnlocked === true && rule.status !== 'INJECT';
  const reason = { error: cutError(because?.reason ?? missingSource), stuckAt: rule.stuckAt ?? now };
  const set = {
    updatedAt: now,
    ...choice,
    ...(isStuck || isFailed ? reason : {}),
    ...(isFailed ? { status: 'FAILED' } : {}),
  };
  return [
    changeRule(rule.id, { add, set }, { when: { status: rule.status, removing: undefined } }),
    ...(isStuck || (isFailed && rule.status !== 'FAILED') ? [stuckFor(rule.id, now)] : []),
  ];
}
