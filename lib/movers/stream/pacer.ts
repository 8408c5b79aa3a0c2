import { setTimeout as sleep } from 'node:timers/promises';

import type { StorageRse } from '../mover.ts';

/** The attribute of an RSE with the bytes a second that a process copies from and to it. */
export const rateAttribute = 'mover_rate';

/** The rate of an RSE; undefined: it has no limit, `invalid`: its attribute is no positive number. */
export function rateOf({ attributes }: StorageRse): number | 'invalid' | undefined {
  const value = attributes[rateAttribute];
  if (value === undefined) return undefined;
  const rate = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof rate === 'number' && Number.isFinite(rate) && rate > 0 ? rate : 'invalid';
}

/** Keeps the copies of a process below the rates of the RSEs, all copies of an RSE together. */
export class Pacer {
  /** When the bytes so far have had their time, by RSE. */
  readonly #freeAt = new Map<string, number>();

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
    const from = Math.max(now, this.#freeAt.get(rse.id) ?? 0);
    this.#freeAt.set(rse.id, from + (bytes / rate) * 1_000);
    return from - now;
  }
}
