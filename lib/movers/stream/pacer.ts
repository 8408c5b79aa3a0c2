import { setTimeout as sleep } from 'node:timers/promises';

import type { StorageRse } from '../mover.ts';

/** The attribute of an RSE with the bytes a second that a process copies from and to it. */
export const rateAttribute = 'mover_rate';

/** The least rate, in bytes a second: a copy that takes weeks would hold its place for so long. */
export const leastRate = 1_000;

/** The rate of an RSE; undefined: it has no limit, `invalid`: its attribute is no number, or below {@link leastRate}. */
export function rateOf({ attributes }: StorageRse): number | 'invalid' | undefined {
  const value = attributes[rateAttribute];
  if (value === undefined) return undefined;
  const rate = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof rate === 'number' && Number.isFinite(rate) && rate >= leastRate ? rate : 'invalid';
}

/** Keeps the copies of a process below the rates of the RSEs, all copies of an RSE together. */
export class Pacer {
  /** The bytes that have not had their time, at an instant, by RSE. */
  readonly #debts = new Map<string, { readonly bytes: number; readonly at: number }>();

  /** Waits until so many bytes may pass between some RSEs. */
  async take(rses: readonly StorageRse[], bytes: number, signal: AbortSignal): Promise<void> {
    const now = performance.now();
    const waits = rses.map((rse) => this.#reserve(rse, bytes, now));
    const wait = Math.max(...waits);
    if (wait > 0) await sleep(wait, undefined, { signal });
  }

  #reserve(rse: StorageRse, bytes: number, now: number): number {
    const rate = rateOf(rse);
    if (typeof rate !== 'number') return 0;
    const debt = this.#debts.get(rse.id) ?? { bytes: 0, at: now };
    // At the present rate, also if it was another one when they came.
    const left = Math.max(0, debt.bytes - ((now - debt.at) / 1_000) * rate);
    this.#debts.set(rse.id, { bytes: left + bytes, at: now });
    return (left / rate) * 1_000;
  }
}
