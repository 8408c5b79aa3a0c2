import type { DidKey } from '../../../contract/schemas/did.ts';
import { mapLimited } from '../../../parallel.ts';
import type { Table } from '../../../store/batches/table.ts';
import { listDatasetLocks } from '../../../store/entities/dataset-lock.ts';
import { getDids } from '../../../store/entities/did.ts';
import { getEdges } from '../../../store/entities/edge.ts';
import { getRules, type Rule } from '../../../store/entities/rule.ts';
import { insertWork } from '../../../store/entities/work.ts';
import type { Plan } from '../../../store/items/plan.ts';
import type { Store } from '../../../store/open-store.ts';
import { Below } from '../../did-graph/below.ts';
import { releaseLock } from '../../locks/release.ts';
import { ReplicaChanges } from '../../locks/replica-changes.ts';
import { chunksOf } from '../../values/chunks.ts';
import type { AnonymousContext } from '../../values/context.ts';
import { formatDid } from '../../values/format-did.ts';
import { touchedPerStep } from '../../values/worker.ts';
import { isolate } from './isolate.ts';
import type { ChangedContent } from './react.ts';
import { recheckLater } from './recheck-later.ts';
import type { RulesAbove } from './rules-above.ts';

/** Files that are looked at in one plan. */
const filesPerPlan = 90;

/** Files of which the ways up are asked for at once. */
const parallel = 32;

/** What is known besides. */
interface Surroundings {
  readonly above: RulesAbove;
  /** Parents that a child, by name, was attached to by changes of the same batch. */
  readonly told: ReadonlyMap<string, readonly DidKey[]>;
}

/**
 * Takes the locks from what was detached of all rules whose DIDs it is not below any more: from files at once, from
 * collections by a task. What is still attached some other way stays locked.
 */
export async function unlockDetached(
  { store, now }: AnonymousContext,
  { above, told }: Surroundings,
  { parent, files, collections }: ChangedContent,
): Promise<void> {
  for await (const chunk of chunksOf(files, filesPerPlan)) {
    await isolate(chunk, {
      name: 'follow content: detached',
      run: (dids) => release(store, { dids, told, now }),
      note: (dids) => store.write((latest) => noteFiles(latest.latest(), dids, now)),
    });
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

interface Detached extends Pick<Surroundings, 'told'> {
  readonly dids: readonly DidKey[];
  readonly now: number;
}

async function release(store: Store, detached: Detached): Promise<void> {
  for (;;) {
    let released: Released | undefined;
    await store.write(
      async (latest) => {
        released = await planRelease(latest.latest(), detached);
        return released.plan;
      },
      { inBackground: true },
    );
    if (!isPartOf(released)) return;
  }
}

const isPartOf = (released: Released | undefined) => released?.isPart === true;

/** The notes that have it looked again at the locks of files. */
async function noteFiles(table: Table, dids: readonly DidKey[], now: number): Promise<Plan> {
  const files = await getDids(table, dids);
  return files.flatMap((file) => {
    const ruleIds = new Set([...file.replicas.values()].flatMap(({ locks = {} }) => Object.keys(locks)));
    return [...ruleIds].flatMap((id) => recheckLater(id, [file], now));
  });
}

async function planRelease(table: Table, { dids, told, now }: Detached): Promise<Released> {
  const files = await getDids(table, dids);
  const locks = files.flatMap((file) =>
    [...file.replicas].flatMap(([rseId, replica]) =>
      Object.keys(replica.locks ?? {}).map((ruleId) => ({ file, rseId, ruleId })),
    ),
  );
  if (locks.length === 0) return { plan: [], isPart: false };
  const rules = await getRules(table, new Set(locks.map(({ ruleId }) => ruleId)));
  const tops = new Map(Array.from(rules.values(), (rule) => [rule.id, new Below(table, rule.did, told)]));
  // A rule that is being removed, or gone, will not come by here any more.
  const justified = await mapLimited(
    locks,
    parallel,
    async ({ file, ruleId }) => (await tops.get(ruleId)?.has(file)) ?? false,
  );
  const changes = new ReplicaChanges(now);
  const unjustified = locks.filter((_lock, index) => justified[index] !== true);
  const released: typeof locks = [];
  for (const lock of unjustified) {
    if (changes.touched >= touchedPerStep) break;
    releaseLock(changes, { ...lock, rule: rules.get(lock.ruleId), now });
    released.push(lock);
  }
  const byRule = Map.groupBy(released, ({ ruleId }) => ruleId);
  const notes = [...byRule].flatMap(([id, gone]) =>
    rules.get(id)?.removing !== true && rules.has(id)
      ? recheckLater(
          id,
          gone.map(({ file }) => file),
          now,
        )
      : [],
  );
  return { plan: [...changes.writes(rules), ...notes], isPart: released.length < unjustified.length };
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
