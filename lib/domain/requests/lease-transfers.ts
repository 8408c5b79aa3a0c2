import { mapLimited } from '../../parallel.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { FileDid } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { changeTransfer, hasDueTransfer, listDueTransfers, type Transfer } from '../../store/entities/transfer.ts';
import type { Store } from '../../store/open-store.ts';
import { missingSource } from '../locks/lock-updates.ts';
import { findFiles } from '../replicas/find-dids.ts';
import { endWaiting, noteWaiting, planStates, type StateChange } from '../replicas/plan-states.ts';
import type { AnonymousContext } from '../values/context.ts';
import { formatDid } from '../values/format-did.ts';
import { shuffle } from '../values/shuffle.ts';
import { defaultPriority, type RequestDetails } from './describe-request.ts';
import { type LeaseOffer, type LeasePlan, LeasePlanner, type LeaseWish } from './lease-planner.ts';
import { RequestDetailsReader } from './read-request-details.ts';
import { reportTransfers } from './report-transfers.ts';

/** A transfer that a mover has leased, with all that it needs to make the copy. */
export interface LeasedTransfer extends LeaseOffer {
  /** With the transfer as it is leased. */
  readonly details: RequestDetails;
}

/** Candidates for each wanted transfer: several movers that ask at once choose different ones. */
const candidatesPerWanted = 4;

/** The most candidates that a request looks at. */
const maxCandidates = 2_000;

/** The most transfers that are leased in parallel. */
const maxParallelLeases = 16;

/** The most destinations that are looked at in parallel, once some had nothing due. */
const maxParallelDestinations = 8;

/** After this many leases in a row without a report the next one counts as a failed attempt. */
const maxSilentLeases = 5;

/**
 * Leases transfers that are due: each to one mover until a time, by one conditional write
 * (docs/adr/0019-transfers-and-movers.md). Transfers of rules with a higher priority come first. A transfer whose mover
 * was silent until its lease ended is leased again.
 *
 * Costs a query for each shard of each destination that it looks at, a read for each file, and three write units for
 * each lease. Of idle destinations it looks at several in parallel.
 */
export async function leaseTransfers({ store, now }: AnonymousContext, wish: LeaseWish): Promise<LeasedTransfer[]> {
  const open = wish.destinations.filter((rse) => rse.availabilityWrite && rse.deletedAt === undefined);
  if (open.length === 0) return [];
  const leasing = new Leasing(store, wish, now, await LeasePlanner.open(store.table, wish, now));
  await leasing.leaseToAny(shuffle([...open]));
  return leasing.leased;
}

class Leasing {
  readonly leased: LeasedTransfer[] = [];
  readonly #store: Store;
  readonly #wish: LeaseWish;
  readonly #now: number;
  readonly #planner: LeasePlanner;
  readonly #reader: RequestDetailsReader;
  /** Candidates that may still be looked at. */
  #left = maxCandidates;

  constructor(store: Store, wish: LeaseWish, now: number, planner: LeasePlanner) {
    this.#store = store;
    this.#wish = wish;
    this.#now = now;
    this.#planner = planner;
    this.#reader = new RequestDetailsReader(store.table, now);
  }

  get #wanted(): number {
    return this.#left <= 0 ? 0 : this.#wish.limit - this.leased.length;
  }

  /** Leases to one destination after the other. Those that follow an idle one are looked at before, in parallel. */
  async leaseToAny(destinations: readonly Rse[]): Promise<void> {
    let width = 1;
    for (let start = 0; start < destinations.length && this.#wanted > 0;) {
      const group = destinations.slice(start, start + width);
      start += group.length;
      const busy = group.length === 1 ? group : await this.#findBusy(group);
      const before = this.#left;
      for (const destination of busy) if (this.#wanted > 0) await this.#leaseTo(destination);
      width = this.#left === before ? Math.min(2 * width, maxParallelDestinations) : 1;
    }
  }

  async #findBusy(destinations: readonly Rse[]): Promise<Rse[]> {
    const { table } = this.#store;
    const areBusy = await Promise.all(destinations.map(({ id }) => hasDueTransfer(table, id, this.#now)));
    return destinations.filter((_destination, index) => areBusy[index]);
  }

  async #leaseTo(destination: Rse): Promise<void> {
    const size = Math.min(this.#left, candidatesPerWanted * this.#wanted);
    const due = listDueTransfers(this.#store.table, destination.id, this.#now, size);
    for await (const candidates of splitIntoChunks(due, size)) {
      await this.#leaseAmong(await this.#order(candidates), destination);
      this.#left -= candidates.length;
      if (this.#wanted <= 0) return;
    }
  }

  /** The candidates of the wanted activity by the priority of their rules, those of the same priority at random. */
  async #order(candidates: readonly Transfer[]): Promise<Transfer[]> {
    const { activity } = this.#wish;
    const rules = await this.#reader.readRules(candidates.map(({ ruleId }) => ruleId));
    const fitting = candidates.filter(
      ({ ruleId }) => activity === undefined || rules.get(ruleId)?.activity === activity,
    );
    const priorityOf = ({ ruleId }: Transfer) => rules.get(ruleId)?.priority ?? defaultPriority;
    return shuffle([...fitting]).toSorted((a, b) => priorityOf(b) - priorityOf(a));
  }

  async #leaseAmong(candidates: readonly Transfer[], destination: Rse): Promise<void> {
    for (let start = 0; start < candidates.length && this.#wanted > 0;) {
      const chunk = candidates.slice(start, start + this.#wanted);
      start += chunk.length;
      const plans = await this.#planner.plan(await this.#reader.find(chunk, destination));
      const taken = await mapLimited(plans, maxParallelLeases, (plan) => this.#carryOut(plan));
      this.leased.push(...taken.filter((one) => one !== undefined));
      await this.#noteObstacles(destination, plans);
    }
  }

  /** Carries out a plan, unless the transfer has changed since it was read. @returns The lease, if there is one. */
  async #carryOut({ details, change, offer }: LeasePlan): Promise<LeasedTransfer | undefined> {
    const { transfer } = details;
    if (!(await this.#write(transfer, change)) || offer === undefined) return undefined;
    if ((change.silent ?? 0) <= maxSilentLeases) {
      return { ...offer, details: { ...details, transfer: { ...transfer, lease: offer.lease } } };
    }
    const error = `${change.silent} movers in a row did not report, the last one ${transfer.lease?.holder}`;
    const report = { ...transfer.did, lease: offer.lease.id, state: 'FAILED', err_msg: error } as const;
    await reportTransfers({ store: this.#store, now: this.#now }, details.destination, [report]);
    return undefined;
  }

  /** The rules of copies that cannot be made, or can be again, say so, in one plan, since these are mostly of the same rule. */
  async #noteObstacles(rse: Rse, plans: readonly LeasePlan[]): Promise<void> {
    const notesOf = (fileOf: (file: FileDid) => FileDid | undefined) =>
      plans.flatMap(({ details: { file }, obstacle, offer }) => {
        const present = file === undefined ? undefined : fileOf(file);
        if (obstacle !== undefined) return noteWaiting(present, rse.id, obstacle) ?? [];
        return (offer === undefined ? undefined : endMissing(present, rse.id)) ?? [];
      });
    const wanted = notesOf((file) => file);
    if (wanted.length === 0) return;
    let attempt = 0;
    await this.#store.write(
      async (latest) => {
        attempt += 1;
        const present = await findFiles(latest, wanted);
        // A source may have come or gone meanwhile: then the next lease says so.
        const changes = notesOf((file) => present.get(formatDid(file)));
        return planStates(latest, { rse, files: present, changes, attempt, now: this.#now });
      },
      { inBackground: true },
    );
  }

  async #write(transfer: Transfer, change: LeasePlan['change']): Promise<boolean> {
    try {
      await this.#store.write(async () => [changeTransfer(transfer, change, () => new Changed())]);
      return true;
    } catch (error) {
      if (error instanceof Changed) return false;
      throw error;
    }
  }
}

/** As {@link endWaiting}, if a copy waited for a source. Why movers found no way may still be true. */
function endMissing(file: FileDid | undefined, rseId: string): StateChange | undefined {
  return file?.replicas.get(rseId)?.failed?.error === missingSource ? endWaiting(file, rseId) : undefined;
}

/** Somebody else has taken or finished the transfer since it was read. */
class Changed extends Error {
  override readonly name = 'Changed';
}
