import type { Table } from '../../store/batches/table.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { listTransferLimits, type TransferLimit } from '../../store/entities/transfer-limit.ts';
import { listLeasedFrom, listTakenTransfers } from '../../store/entities/transfer.ts';
import { resolveIfPossible } from '../rse-expression/resolve-expression.ts';

/** The activity of limits on all activities together. */
const allActivities = 'all_activities';

/** The most index entries that are read to count the leased copies at an RSE. */
const maxCounted = 20_000;

type Direction = TransferLimit['direction'];

/**
 * The transfer limits (`/requests/transfer_limits`), and how much of each is in use: a limit applies to each RSE of its
 * expression, and counts the transfers that movers have leased there. Two requests at the same moment do not see each
 * other's leases, so together they may exceed a limit once.
 *
 * Costs a query for the limits, and for each RSE with a limit a query of the leased copies there.
 */
export class ActiveLimits {
  readonly #table: Table;
  readonly #now: number;
  /** The limits by direction and RSE. */
  readonly #limits: ReadonlyMap<string, readonly TransferLimit[]>;
  /** The leased transfers by direction, RSE and activity. */
  readonly #counts = new Map<string, Map<string, number>>();

  private constructor(table: Table, limits: ReadonlyMap<string, readonly TransferLimit[]>, now: number) {
    this.#table = table;
    this.#limits = limits;
    this.#now = now;
  }

  /** Reads the limits. */
  static async open(table: Table, now: number): Promise<ActiveLimits> {
    const limits = new Map<string, TransferLimit[]>();
    for (const limit of await listTransferLimits(table)) {
      for (const rse of await resolveIfPossible(table, limit.rseExpression)) {
        const key = keyOf(limit.direction, rse);
        limits.set(key, [...(limits.get(key) ?? []), limit]);
      }
    }
    return new ActiveLimits(table, limits, now);
  }

  /** Whether an RSE has a limit in a direction. */
  isLimited(direction: Direction, rse: Rse): boolean {
    return this.#limits.has(keyOf(direction, rse));
  }

  /** Whether one more transfer of an activity fits into the limits of an RSE. */
  async hasRoom(direction: Direction, rse: Rse, activity: string): Promise<boolean> {
    const limits = this.#limits.get(keyOf(direction, rse)) ?? [];
    const applying = limits.filter((limit) => limit.activity === activity || limit.activity === allActivities);
    if (applying.length === 0) return true;
    const counts = await this.#countsOf(direction, rse);
    return applying.every((limit) => (counts.get(limit.activity) ?? 0) < limit.maxTransfers);
  }

  /** Counts a transfer that was just leased. */
  add(direction: Direction, rse: Rse, activity: string): void {
    const counts = this.#counts.get(keyOf(direction, rse));
    if (counts !== undefined) count(counts, activity);
  }

  async #countsOf(direction: Direction, rse: Rse): Promise<Map<string, number>> {
    const key = keyOf(direction, rse);
    const counts = this.#counts.get(key) ?? (await this.#read(direction, rse));
    this.#counts.set(key, counts);
    return counts;
  }

  async #read(direction: Direction, rse: Rse): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    let read = 0;
    for await (const activity of direction === 'SOURCE'
      ? listLeasedFrom(this.#table, rse.id, this.#now)
      : this.#to(rse)) {
      if (activity !== undefined) count(counts, activity);
      read += 1;
      if (read >= maxCounted) break;
    }
    return counts;
  }

  /** The activities of the transfers to an RSE that nobody may take yet; undefined for those that no mover has. */
  async *#to(rse: Rse): AsyncGenerator<string | undefined> {
    for await (const { lease, activity } of listTakenTransfers(this.#table, rse.id, this.#now)) {
      yield lease === undefined ? undefined : (activity ?? '');
    }
  }
}

const keyOf = (direction: Direction, { id }: Rse) => `${direction} ${id}`;

function count(counts: Map<string, number>, activity: string): void {
  for (const counted of [activity, allActivities]) counts.set(counted, (counts.get(counted) ?? 0) + 1);
}
