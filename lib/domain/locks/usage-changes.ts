import { addIntegers, type Integer, negate } from '../../integer.ts';
import { insertAccountUsageDifference } from '../../store/entities/account-usage.ts';
import { insertRseUsageDifference } from '../../store/entities/rse-usage.ts';
import type { UsageDifference } from '../../store/entities/usage-difference.ts';
import type { Insert } from '../../store/items/plan.ts';

/**
 * Collects the usage changes of a plan (docs/adr/0011-rules-on-the-stream.md). Costs one write for each RSE and for
 * each pair of account and RSE, whatever the number of replicas and locks.
 */
export class UsageChanges {
  readonly #rses = new Map<string, UsageDifference>();
  /** By account, then by RSE. */
  readonly #accounts = new Map<string, Map<string, UsageDifference>>();

  /** Counts a replica, in any state, that is added (1) or removed (-1); `bytes` is its size. */
  replica(rseId: string, bytes: Integer, count: 1 | -1): void {
    add(this.#rses, rseId, bytes, count);
  }

  /** Counts a lock that is charged to an account (1) or no longer charged (-1); `bytes` is the size of the replica. */
  lock(account: string, rseId: string, bytes: Integer, count: 1 | -1): void {
    const onRses = this.#accounts.get(account) ?? new Map<string, UsageDifference>();
    this.#accounts.set(account, onRses);
    add(onRses, rseId, bytes, count);
  }

  /** The writes that record the differences; none if nothing changed. */
  writes(): Insert[] {
    return [
      ...changed(this.#rses).map(([rseId, sum]) => insertRseUsageDifference(rseId, sum)),
      ...[...this.#accounts].flatMap(([account, onRses]) =>
        changed(onRses).map(([rseId, sum]) => insertAccountUsageDifference(account, rseId, sum)),
      ),
    ];
  }
}

function add(sums: Map<string, UsageDifference>, rseId: string, bytes: Integer, count: 1 | -1): void {
  const sum = sums.get(rseId) ?? { bytes: 0, files: 0 };
  const change = count === 1 ? bytes : negate(bytes);
  sums.set(rseId, { bytes: addIntegers(sum.bytes, change), files: addIntegers(sum.files, count) });
}

function changed(sums: ReadonlyMap<string, UsageDifference>): [string, UsageDifference][] {
  return [...sums].filter(([, { bytes, files }]) => bytes !== 0 || files !== 0);
}
