import type { DidKey } from '../../../contract/schemas/did.ts';
import { mapLimited } from '../../../parallel.ts';
import { splitIntoChunks } from '../../../rows/split-into-chunks.ts';
import type { Table } from '../../../store/batches/table.ts';
import { getDatasetLocks } from '../../../store/entities/dataset-lock.ts';
import { getFiles } from '../../../store/entities/did.ts';
import { getEdges } from '../../../store/entities/edge.ts';
import { getRules, type Rule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Plan } from '../../../store/items/plan.ts';
import type { Store } from '../../../store/open-store.ts';
import { ContentParents } from '../../did-graph/content-parents.ts';
import { DescendantTest } from '../../did-graph/descendant-test.ts';
import { chargeLocks } from '../../locks/charge-locks.ts';
import { releaseLock } from '../../locks/release-lock.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import type { AnonymousContext } from '../../values/context.ts';
import { formatDid } from '../../values/format-did.ts';
import { isolate } from '../../values/isolate.ts';
import { maxItemsPerStep } from '../../values/worker.ts';
import type { ChangedContent } from './changed-content.ts';
import { recheckLater } from './recheck-later.ts';
import type { RulesAbove } from './rules-above.ts';

/** The most files handled by one plan. */
const filesPerPlan = 90;

/** The most rules whose files are tested in parallel, and collections whose locks are read. */
const maxParallelReads = 32;

/** Data that all changes of one batch share. */
interface BatchContext {
  readonly above: RulesAbove;
  /** Parents to which a child, by name, was attached by changes of the same batch. */
  readonly recentParents: ReadonlyMap<string, readonly DidKey[]>;
}

/**
 * Releases the locks on detached content of all rules whose DID is no longer an ancestor: on files at once, on
 * collections by a task. Content that is still attached by another path stays locked.
 */
export async function unlockDetached(
  { store, now }: AnonymousContext,
  { above, recentParents }: BatchContext,
  { parent, files, collections }: ChangedContent,
): Promise<void> {
  for await (const chunk of splitIntoChunks(files, filesPerPlan)) {
    await isolate(chunk, {
      name: 'follow content: detached',
      run: (dids) => releaseLocks(store, { dids, recentParents, now }),
      setAside: (dids) => store.write((latest) => planRechecks(latest.latest(), dids, now)),
      didOf: (did) => did,
    });
  }
  if (collections.length === 0) return;
  const ruleIdsAbove = await above.findRuleIds(parent);
  await store.write((latest) => planUnlockTasks(latest.latest(), { parent, collections, ruleIdsAbove, now }));
}

interface ReleasePlan {
  readonly plan: Plan;
  /** Whether more locks are to be released. */
  readonly hasMore: boolean;
}

interface Detached extends Pick<BatchContext, 'recentParents'> {
  readonly dids: readonly DidKey[];
  readonly now: number;
}

async function releaseLocks(store: Store, detached: Detached): Promise<void> {
  for (;;) {
    let result: ReleasePlan | undefined;
    await store.write(
      async (latest) => {
        result = await planRelease(latest.latest(), detached);
        return result.plan;
      },
      { inBackground: true },
    );
    if (!isPartOf(result)) return;
  }
}

const isPartOf = (result: ReleasePlan | undefined) => result?.hasMore === true;

/** The tasks that check the locks of files again. */
async function planRechecks(table: Table, dids: readonly DidKey[], now: number): Promise<Plan> {
  const files = await getFiles(table, dids);
  return files.flatMap((file) => {
    const ruleIds = new Set([...file.replicas.values()].flatMap(({ locks = {} }) => Object.keys(locks)));
    return [...ruleIds].flatMap((id) => recheckLater(id, [file], now));
  });
}

async function planRelease(table: Table, { dids, recentParents, now }: Detached): Promise<ReleasePlan> {
  const files = await getFiles(table, dids);
  const locks = files.flatMap((file) =>
    [...file.replicas].flatMap(([rseId, replica]) =>
      Object.keys(replica.locks ?? {}).map((ruleId) => ({ file, rseId, ruleId })),
    ),
  );
  if (locks.length === 0) return { plan: [], hasMore: false };
  const rules = await getRules(table, new Set(locks.map(({ ruleId }) => ruleId)));
  const parents = new ContentParents(table, recentParents);
  const filesOfRules = Map.groupBy(locks, ({ ruleId }) => ruleId);
  const below = new Map(
    await mapLimited([...rules.values()], maxParallelReads, async ({ id, did }) => {
      const ofRule = (filesOfRules.get(id) ?? []).map(({ file }) => file);
      return [id, await new DescendantTest(did, parents).findBelow(ofRule)] as const;
    }),
  );
  const changes = new ReplicaChanges(now);
  // The locks of a rule that is gone are unjustified: nothing else would release them.
  const isJustified = ({ file, ruleId }: (typeof locks)[number]) => below.get(ruleId)?.has(formatDid(file)) === true;
  const unjustified = locks.filter((lock) => !isJustified(lock));
  // The rule may have got another account while these files, which are attached again, were not in its content.
  for (const lock of locks.filter(isJustified)) {
    const rule = rules.get(lock.ruleId);
    if (rule !== undefined) chargeLocks(changes, lock.file, rule);
  }
  const releases: typeof locks = [];
  for (const lock of unjustified) {
    if (changes.touched >= maxItemsPerStep) break;
    releaseLock(changes, { ...lock, rule: rules.get(lock.ruleId), now });
    releases.push(lock);
  }
  const byRule = Map.groupBy(releases, ({ ruleId }) => ruleId);
  const rechecks = [...byRule].flatMap(([id, some]) =>
    rules.get(id)?.removing !== true && rules.has(id)
      ? recheckLater(
          id,
          some.map(({ file }) => file),
          now,
        )
      : [],
  );
  return { plan: [...changes.writes(rules), ...rechecks], hasMore: releases.length < unjustified.length };
}

interface Collections {
  readonly parent: DidKey;
  readonly collections: readonly DidKey[];
  /** The ids of the rules on the parent and on its ancestors. */
  readonly ruleIdsAbove: ReadonlySet<string>;
  readonly now: number;
}

async function planUnlockTasks(table: Table, { parent, collections, ruleIdsAbove, now }: Collections): Promise<Plan> {
  const edges = await getEdges(
    table,
    collections.map((child) => ({ parent, child })),
  );
  // A container that is attached again may have lost content meanwhile, to which the reaction found no rule.
  const datasets = edges.filter(({ type }) => type !== 'CONTAINER');
  const attachedDatasets = new Set(datasets.map(({ child }) => formatDid(child)));
  // The path to the rule's DID may be gone too. The locks of a dataset name its rules.
  const locks = await mapLimited(collections, maxParallelReads, (child) => getDatasetLocks(table, child));
  const wanted = collections.map((child, index) => ({
    child,
    isAttached: attachedDatasets.has(formatDid(child)),
    ruleIds: new Set([...ruleIdsAbove, ...(locks[index] ?? []).map(({ ruleId }) => ruleId)]),
  }));
  const rules = await getRules(table, new Set(wanted.flatMap(({ ruleIds }) => [...ruleIds])));
  // The removal of a rule may have missed a dataset that was detached at that time.
  const mayHaveUnjustifiedLocks = (isAttached: boolean, rule: Rule | undefined) =>
    isAttached ? rule === undefined || rule.removing === true : rule?.status !== 'WAITING_APPROVAL';
  return wanted.flatMap(({ child, isAttached, ruleIds }) =>
    [...ruleIds]
      .filter((id) => mayHaveUnjustifiedLocks(isAttached, rules.get(id)))
      .map((ruleId) => insertWork({ kind: 'unlock', ruleId, under: child }, now)),
  );
}
