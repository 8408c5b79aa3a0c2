import { addIntegers, type Integer, negate } from '../../integer.ts';
import { insertAccountUsageDifference } from '../../store/entities/account-usage.ts';
import { insertRseUsageDifference } from '../../store/entities/rse-usage.ts';
import type { UsageDifference } from '../../store/entities/usage-difference.ts';
import type { Insert } from '../../store/items/plan.ts';

/**
 * What a plan does to usage while it is being decided (docs/adr/0011-rules-on-the-stream.md): costs one write for each
 * RSE, and each pair of account and RSE, however many replicas and locks there are.
 */
export class UsageChanges {
  readonly #rses = new Map<string, UsageDifference>();
  /** By account, then by RSE. */
  readonly #accounts = new Map<string, Map<string, UsageDifference>>();

  /** Counts a replica, in whatever state, that is made (1) or removed (-1); `bytes` are its size. */
  replica(rseId: string, bytes: Integer, count: 1 | -1): void {
    add(this.#rses, rseId, bytes, count);
  }

  /** Counts a lock that an account is charged with from now on (1) or no longer (-1); `bytes` are the size of the replica. */
  lock(account: string, rseId: string, bytes: Integer, count: 1 | -1): void {
    const onRses = this.#accounts.get(account) ?? new Map<string, UsageDifference>();
    this.#accounts.set(account, onRses);
    add(onRses, rseId, bytes, count);
  }

  /** The writes that enter the differences; none where there is none. */
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
