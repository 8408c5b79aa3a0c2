import { ReplicaState } from '../../contract/schemas/states.ts';
import { forEachLimited } from '../../parallel.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { asFile, type FileDid, type Replica } from '../../store/entities/did.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { changeTransfer, getTransfers, type Transfer } from '../../store/entities/transfer.ts';
import type { Plan } from '../../store/items/plan.ts';
import { type ChangeOf, changesOf } from '../../store/stream/change.ts';
import { missingSource } from '../locks/lock-updates.ts';
import { findFiles } from '../replicas/find-dids.ts';
import { endWaiting, noteWaiting, planStates } from '../replicas/plan-states.ts';
import type { AnonymousContext } from '../values/context.ts';
import { formatDid } from '../values/format-did.ts';
import type { Reaction } from '../values/reaction.ts';
import { effectiveState } from '../values/replica-state.ts';
import type { RequestDetails } from './describe-request.ts';
import { RequestDetailsReader } from './read-request-details.ts';

/** The most copies that one plan changes. */
const copiesPerPlan = 100;

/** The most destinations whose copies are looked at in parallel. */
const maxParallelDestinations = 4;

/**
 * Reacts to replicas that can be copied no more, or again: the rules that wait for a copy whose last source is gone say so at
 * once, whether a mover asks for the copy or not, and go on once there is a source.
 *
 * Costs nothing for files of which no copy is asked for; otherwise a read for each file, each copy and each rule, and the
 * writes of `PUT /replicas` for what changes.
 */
export const followSources: Reaction = {
  name: 'follow sources',
  kinds: ['did'],
  async run(context, changes) {
    const copies = changesOf('did', changes).flatMap((change) => findAffected(change, context.now));
    const byDestination = [...Map.groupBy(copies, ({ rseId }) => rseId)];
    if (byDestination.length === 0) return;
    const { byId } = await getFleet(context.store.table);
    await forEachLimited(byDestination, maxParallelDestinations, async ([rseId, affected]) => {
      const rse = byId.get(rseId);
      if (rse === undefined) return;
      const files = new Map(affected.map(({ file }) => [formatDid(file), file]));
      for await (const some of splitIntoChunks(files.values(), copiesPerPlan)) await follow(context, rse, some);
    });
  },
};

/** A copy whose sources have changed. */
interface Affected {
  readonly file: FileDid;
  /** The destination. */
  readonly rseId: string;
}

/** The copies of a file whose rules may have to say something else than before the change. */
function findAffected(change: ChangeOf<'did'>, now: number): Affected[] {
  const file = asFile(change.after);
  if (file === undefined) return [];
  const asked = [...file.replicas].filter(([, replica]) => isAskedFor(replica));
  if (asked.length === 0) return [];
  const former = asFile(change.before)?.replicas ?? new Map<string, Replica>();
  const [had, has] = [sourcesOf(former, now), sourcesOf(file.replicas, now)];
  const hasLost = [...had].some((id) => !has.has(id));
  const hasGained = [...has].some((id) => !had.has(id));
  // A replica that somebody uploads is a source soon; one that is not in the catalogue yet may be.
  const isHopeless = has.size === 0 && file.replicas.size > asked.length && !isUploaded(file);
  return asked.flatMap(([rseId, replica]) => {
    const isNew = !isAskedFor(former.get(rseId));
    const waits = replica.failed?.waits === true;
    return hasLost || (hasGained && waits) || (isHopeless && isNew) ? [{ file, rseId }] : [];
  });
}

const isAskedFor = (replica: Replica | undefined) =>
  replica?.state === ReplicaState.COPYING && replica.askedBy !== undefined;

const isUploaded = ({ replicas }: FileDid) =>
  [...replicas.values()].some(({ state, askedBy }) => state === ReplicaState.COPYING && askedBy === undefined);

function sourcesOf(replicas: ReadonlyMap<string, Replica>, now: number): ReadonlySet<string> {
  const sources = [...replicas].filter(([, replica]) => effectiveState(replica, now) === ReplicaState.AVAILABLE);
  return new Set(sources.map(([id]) => id));
}

/** Brings what the rules say of copies to an RSE in line with the sources that there are now. */
async function follow({ store, now }: AnonymousContext, rse: Rse, affected: readonly FileDid[]): Promise<void> {
  let attempt = 0;
  await store.write(
    async (latest) => {
      attempt += 1;
      return planFollowing(latest.latest(), { rse, affected, attempt, now });
    },
    { inBackground: true },
  );
}

interface Following {
  readonly rse: Rse;
  readonly affected: readonly FileDid[];
  readonly attempt: number;
  readonly now: number;
}

async function planFollowing(latest: Table, { rse, affected, attempt, now }: Following): Promise<Plan> {
  const transfers = await getTransfers(latest, affected, rse.id);
  if (transfers.length === 0) return [];
  const copies = await new RequestDetailsReader(latest, now).find(transfers, rse);
  const without = copies.filter(({ sources, transfer }) => sources.length === 0 && !isLeased(transfer, now));
  const withSources = copies.filter(({ sources, file }) => sources.length > 0 && waitsFor(file, rse));
  const changes = [
    ...without.flatMap(({ file }) => noteWaiting(file, rse.id, missingSource) ?? []),
    ...withSources.flatMap(({ file }) => endWaiting(file, rse.id) ?? []),
  ];
  if (changes.length === 0) return [];
  const files = await findFiles(latest, changes);
  const woken = withSources.flatMap(({ transfer }) => wake(transfer, now));
  return [...(await planStates(latest, { rse, files, changes, attempt, now })), ...woken];
}

/** Whether a mover has leased the copy; it will report the outcome. */
const isLeased = ({ lease }: Transfer, now: number) => lease !== undefined && lease.until > now;

const waitsFor = (file: RequestDetails['file'], { id }: Rse) => file?.replicas.get(id)?.failed?.waits === true;

/** A mover may take the copy at once. */
const wake = (transfer: Transfer, now: number) =>
  isLeased(transfer, now) ? [] : [changeTransfer(transfer, { state: 'QUEUED', due: now, updatedAt: now })];
