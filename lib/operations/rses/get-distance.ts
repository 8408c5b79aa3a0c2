import type { RseDistances } from '../../contract/schemas/rse-distance.ts';
import { type Direction, requireRsePair } from '../../domain/rses/distances/find-pairs.ts';
import type { Context } from '../../domain/values/context.ts';
import { getRseDistances } from '../../store/entities/rse-distance.ts';
import { formatDate } from '../../time.ts';

/**
 * The distance from an RSE to another one: a list of one distance or none (spec/rses.md 1.9).
 *
 * @throws RSENotFound (404).
 */
export async function getDistance({ store }: Context, direction: Direction): Promise<RseDistances> {
  const pair = await requireRsePair(store.table, direction);
  const found = await getRseDistances(store.table, [pair]);
  return found.map(({ distance, createdAt, updatedAt }) => ({
    src_rse_id: pair.sourceId,
    dest_rse_id: pair.destinationId,
    src_rse: direction.source,
    dest_rse: direction.destination,
    distance,
    ranking: distance,
    created_at: formatDate(createdAt),
    updated_at: formatDate(updatedAt),
  }));
}
