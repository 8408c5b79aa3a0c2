import type { DidKey } from '../../../contract/schemas/did.ts';
import { mapLimited } from '../../../parallel.ts';
import { listDatasetLocks } from '../../../store/entities/dataset-lock.ts';
import { getDids } from '../../../store/entities/did.ts';
import { getEdges } from '../../../store/entities/edge.ts';
import { getRules, type Rule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Plan } from '../../../store/plan.ts';
import type { Table } from '../../../store/table.ts';
import { chunksOf } from '../../chunks.ts';
import type { AnonymousContext } from '../../context.ts';
import { formatDid } from '../../dids/format-did.ts';
import { ReplicaChanges } from '../../replicas/replica-changes.ts';
import { touchedPerStep } from '../../work/worker.ts';
import { Below } from './below.ts';
import type { ChangedContent } from './react.ts';
import { releaseLock } from './release.ts';
import type { RulesAbove } from './rules-above.ts';

/** Files that are looked at in one plan. */
const filesPerPlan = 90;

/** Files of which the ways up are asked for at once. */
const parallel = 32;

/**
 * Takes the locks from what was detached of all rules whose DIDs it is not below any more: from files at once, from
 * collections by a task. What is still attached some other way stays locked.
 */
export async function unlockDetached(
  { store, now }: AnonymousContext,
  above: RulesAbove,
  { parent, files, collections }: ChangedContent,
): Promise<void> {
  for await (const chunk of chunksOf(files, filesPerPlan)) {
    for (let isPart = true; isPart;) {
      await store.write(
        async (latest) => {
          const released = await planRelease(latest.latest(), chunk, now);
          ({ isPart } = released);
          return released.plan;
        },
        { inBackground: true },
      );
    }
  }
  if (collections.length === 0) return;
  const ids = await above.of(parent);
  await store.write((latest) => noteCollections(latest.latest(), { parent, collections, ids, now }));
}

interface Released {
  readonly plan: Plan;
  /** There is more to be released. */
  readonly isPart: boolean;
}

async function planRelease(table: Table, dids: readonly DidKey[], now: number): Promise<Released> {
  const files = await getDids(table, dids);
  const locks = files.flatMap((file) =>
    [...file.replicas].flatMap(([rseId, replica]) =>
      Object.keys(replica.locks ?? {}).map((ruleId) => ({ file, rseId, ruleId })),
    ),
  );
  if (locks.length === 0) return { plan: [], isPart: false };
  const rules = await getRules(table, new Set(locks.map(({ ruleId }) => ruleId)));
  const tops = new Map(Array.from(rules.values(), (rule) => [rule.id, new Below(table, rule.did)]));
  // A rule that is being removed, or gone, will not come by here any more.
  const justified = await mapLimited(
    locks,
    parallel,
    async ({ file, ruleId }) => (await tops.get(ruleId)?.has(file)) ?? false,
  );
  const changes = new ReplicaChanges(now);
  const unjustified = locks.filter((_lock, index) => justified[index] !== true);
  for (const [index, { file, rseId, ruleId }] of unjustified.entries()) {
    if (changes.touched >= touchedPerStep) return { plan: changes.writes(rules), isPart: index < unjustified.length };
    releaseLock(changes, { file, rseId, ruleId, rule: rules.get(ruleId), now });
  }
  return { plan: changes.writes(rules), isPart: false };
}

interface Collections {
  readonly parent: DidKey;
  readonly collections: readonly DidKey[];
  /** Of the rules on the parent and above it. */
  readonly ids: ReadonlySet<string>;
  readonly now: number;
}

async function noteCollections(table: Table, { parent, collections, ids, now }: Collections): Promise<Plan> {
  const edges = await getEdges(
    table,
    collections.map((child) => ({ parent, child })),
  );
  const attached = new Set(edges.map(({ child }) => formatDid(child)));
  const gone = collections.filter((child) => !attached.has(formatDid(child)));
  // The way up may be gone as well by now: a locked dataset knows its rules.
  const locks = await mapLimited(gone, parallel, (child) => listDatasetLocks(table, child));
  const wanted = gone.map((child, index) => ({
    child,
    ruleIds: new Set([...ids, ...(locks[index] ?? []).map(({ ruleId }) => ruleId)]),
  }));
  const rules = await getRules(table, new Set(wanted.flatMap(({ ruleIds }) => [...ruleIds])));
  return wanted.flatMap(({ child, ruleIds }) =>
    [...ruleIds]
      .filter((id) => mayLock(rules.get(id)))
      .map((ruleId) => insertWork({ kind: 'unlock', ruleId, under: child }, now)),
  );
}

function mayLock(rule: Rule | undefined): boolean {
  return rule?.status !== 'WAITING_APPROVAL';
}
