import type { Rse } from '../../store/entities/rse.ts';

/**
 * The tombstone of a new replica, from the RSE attribute `tombstone_delay` in seconds. Negative: it may be deleted at
 * once.
 *
 * @param now In milliseconds since 1970.
 */
export function computeFirstTombstone({ attributes }: Pick<Rse, 'attributes'>, now: number): number | undefined {
  const delaySeconds = Number.parseInt(String(attributes['tombstone_delay'] ?? ''), 10);
  if (!Number.isSafeInteger(delaySeconds * 1000) || delaySeconds === 0) return undefined;
  return delaySeconds < 0 ? 0 : now + delaySeconds * 1000;
}
