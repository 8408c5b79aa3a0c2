import { randomBytes } from 'node:crypto';

import type { DidKey } from '../../contract/schemas/did.ts';
import { defined } from '../../defined.ts';
import type { Table } from '../../store/batches/table.ts';
import type { FileDid } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { TransferLease, TransferPatch } from '../../store/entities/transfer.ts';
import { findSharers } from '../deletion/find-sharers.ts';
import { missingSource } from '../locks/lock-updates.ts';
import { truncateError } from '../locks/rule-errors.ts';
import { formatDid } from '../values/format-did.ts';
import { ActiveLimits } from './active-limits.ts';
import { type CopyPfn, findCopyPfn } from './copy-pfn.ts';
import { describeNoWay } from './describe-no-way.ts';
import { defaultActivity, type RequestDetails } from './describe-request.ts';
import { type RankedSource, SourceRanker } from './rank-sources.ts';

/** Request of a mover. */
export interface LeaseWish {
  /** Name of the mover, for people who look for it later. */
  readonly holder: string;
  readonly destinations: readonly Rse[];
  /** From where the mover can copy; undefined: anywhere. */
  readonly sources?: ReadonlySet<Rse> | undefined;
  /** The schemes that it can use at both ends; undefined: any. */
  readonly schemes?: readonly string[] | undefined;
  /**
   * The name of the mover, if the destinations name it by their attribute `mover`: nobody else makes copies for which it has no
   * scheme, so their rules say why. Absent: such copies are left to others.
   */
  readonly mover?: string | undefined;
  /** The mover does not run here, or has no such name: all its copies are put off. */
  readonly isAbsent?: boolean | undefined;
  readonly activity?: string | undefined;
  /** The most transfers. */
  readonly limit: number;
  readonly seconds: number;
}

/** Lease as a mover gets it. */
export interface LeaseOffer {
  readonly lease: TransferLease;
  /** Undefined: nothing tells the path of the file, or the RSE has no protocol for it. */
  readonly destination: CopyPfn | undefined;
  /** The best first. */
  readonly sources: readonly RankedSource[];
  /** A bad file may be at the destination, which the copy replaces. */
  readonly replaces: boolean;
}

/** How a transfer is to be changed. */
export interface LeasePlan {
  readonly details: RequestDetails;
  readonly change: TransferPatch & { readonly due: number };
  /** Why it is put off, for the rules that wait for it; absent: it is leased, or waits for its turn. */
  readonly obstacle?: string;
  /** Absent: the transfer is put off. */
  readonly offer?: LeaseOffer;
}

/** How long a transfer waits for a source, for a protocol that its mover knows, for room in a limit, or until its path is its own. */
const waitMs = { noSources: 600_000, noWay: 600_000, limit: 60_000, shared: 3_600_000 };

/** Decides about transfers that are due: they are leased, put off, or left to another mover. */
export class LeasePlanner {
  readonly #table: Table;
  readonly #wish: LeaseWish;
  readonly #now: number;
  readonly #limits: ActiveLimits;
  readonly #ranker: SourceRanker;

  private constructor(table: Table, wish: LeaseWish, now: number, limits: ActiveLimits) {
    this.#table = table;
    this.#wish = wish;
    this.#now = now;
    this.#limits = limits;
    this.#ranker = new SourceRanker(table);
  }

  /** Reads the limits. */
  static async open(table: Table, wish: LeaseWish, now: number): Promise<LeasePlanner> {
    return new LeasePlanner(table, wish, now, await ActiveLimits.open(table, now));
  }

  /** The plans for transfers; those that are left to another mover have none. */
  async plan(wanted: readonly RequestDetails[]): Promise<LeasePlan[]> {
    await this.#ranker.load(wanted);
    const plans: LeasePlan[] = [];
    for (const details of wanted) {
      const plan = await this.#planOne(details);
      if (plan !== undefined) plans.push(plan);
    }
    return plans;
  }

  async #planOne(details: RequestDetails): Promise<LeasePlan | undefined> {
    const { transfer, destination, file, rule } = details;
    if (file === undefined) return undefined;
    const { schemes, sources: allowed } = this.#wish;
    const path = file.replicas.get(destination.id)?.path;
    const place = findCopyPfn(destination, transfer.did, { operation: 'write', schemes, path });
    const ranked = this.#ranker.rank(details, schemes).filter(({ rse }) => allowed?.has(rse) !== false);
    // Already submitted: the next lease holder polls that tool.
    const isSubmitted = transfer.state === 'SUBMITTED' && transfer.externalId !== undefined;
    if (!isSubmitted && details.sources.length === 0)
      return this.#putOff(details, 'NO_SOURCES', waitMs.noSources, missingSource);
    if (this.#wish.isAbsent === true)
      return isSubmitted
        ? undefined
        : this.#putOff(details, 'MISMATCH_SCHEME', waitMs.noWay, this.#describeAbsent(destination));
    if ((schemes !== undefined && place === undefined) || (!isSubmitted && ranked.length === 0))
      return isSubmitted ? undefined : this.#findNoWay(details, place);
    const replaces = file.replicas.get(destination.id)?.declared !== undefined;
    const sharer = !isSubmitted && replaces ? await this.#findSharer(file, destination) : undefined;
    if (sharer !== undefined) return this.#putOff(details, 'WAITING', waitMs.shared, shared(sharer));
    const activity = rule?.activity ?? defaultActivity;
    const sources = isSubmitted ? ranked : await this.#withRoom(ranked, destination, activity);
    if (!isSubmitted && sources.length === 0) return this.#putOff(details, 'WAITING', waitMs.limit);
    const sourceId = isSubmitted ? transfer.sourceId : sources[0]?.rse.id;
    const lease = this.#makeLease();
    const change = {
      state: isSubmitted ? ('SUBMITTED' as const) : ('SUBMITTING' as const),
      lease,
      due: lease.until,
      activity,
      sourceId,
      isCountedAtSource:
        sources.some(({ rse }) => rse.id === sourceId && this.#limits.isLimited('SOURCE', rse)) || undefined,
      silent: transfer.lease === undefined || isSubmitted ? undefined : (transfer.silent ?? 0) + 1,
      updatedAt: this.#now,
    };
    return { details, change, offer: { lease, destination: place, sources, replaces } };
  }

  /** The sources whose limits have room, if the destination has room, too. Counts the transfer as leased then. */
  async #withRoom(ranked: readonly RankedSource[], destination: Rse, activity: string): Promise<RankedSource[]> {
    if (!(await this.#limits.hasRoom('DESTINATION', destination, activity))) return [];
    const sources: RankedSource[] = [];
    for (const source of ranked) if (await this.#limits.hasRoom('SOURCE', source.rse, activity)) sources.push(source);
    const [best] = sources;
    if (best === undefined) return [];
    this.#limits.add('SOURCE', best.rse, activity);
    this.#limits.add('DESTINATION', destination, activity);
    return sources;
  }

  #makeLease(): TransferLease {
    const { holder, seconds } = this.#wish;
    return { id: randomBytes(12).toString('hex'), holder, until: this.#now + seconds * 1_000 };
  }

  /**
   * A file that is where a bad one would be replaced: of a catalogue that gave a path to several. The copy would be written over
   * it.
   */
  async #findSharer(file: FileDid, destination: Rse): Promise<FileDid | undefined> {
    if (file.replicas.get(destination.id)?.ownsPath === true) return undefined;
    const [sharer] = await findSharers(this.#table, destination, file);
    return sharer;
  }

  #describeAbsent({ rse }: Rse): string {
    return `No mover runs here that has the name ${this.#wish.mover}, the attribute mover of ${rse}.`;
  }

  /** Puts off what the mover of the destination cannot do; what others may do is left to them. */
  #findNoWay(details: RequestDetails, place: CopyPfn | undefined): LeasePlan | undefined {
    const { mover, schemes } = this.#wish;
    if (mover === undefined) return undefined;
    return this.#putOff(details, 'MISMATCH_SCHEME', waitMs.noWay, describeNoWay(details, { mover, schemes, place }));
  }

  #putOff(
    details: RequestDetails,
    state: 'NO_SOURCES' | 'MISMATCH_SCHEME' | 'WAITING',
    delayMs: number,
    obstacle?: string,
  ): LeasePlan {
    const error = obstacle === undefined || state === 'NO_SOURCES' ? {} : { error: truncateError(obstacle) };
    const due = this.#now + delayMs;
    const change = { state, due, lease: undefined, silent: undefined, updatedAt: this.#now, ...error };
    return { details, change, ...defined({ obstacle }) };
  }
}

const shared = (other: DidKey) => `${formatDid(other)} has the same path on this RSE, and would be overwritten.`;
