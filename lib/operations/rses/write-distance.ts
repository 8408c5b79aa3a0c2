import type { NewDistance } from '../../contract/schemas/rse-distance.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { type Direction, pairsOfDistance, requireRsePair } from '../../domain/rses/distances/find-pairs.ts';
import type { Context } from '../../domain/values/context.ts';
import { RucioError } from '../../errors.ts';
import {
  changeRseDistance,
  deleteRseDistance,
  getRseDistances,
  insertRseDistance,
} from '../../store/entities/rse-distance.ts';

/** The distance of a request; null when it is not set. */
export function readDistance({ distance, ranking }: Pick<NewDistance, 'distance' | 'ranking'>): number | null {
  return distance ?? ranking ?? null;
}

/**
 * Adds the distance from an RSE to another one, and back if bidirectional; both or none (spec/rses.md 1.10).
 *
 * @throws AccessDenied (401), RSENotFound (404), Duplicate (409) when one of them exists.
 */
export async function addDistance(context: Context, direction: Direction, given: NewDistance): Promise<void> {
  const { store, now } = context;
  await authorize(context, 'add_distance', direction);
  const pair = await requireRsePair(store.table, direction);
  const { source, destination } = direction;
  const duplicate = () => new RucioError('Duplicate', `Distance from ${source} to ${destination} already exists!`);
  // Both directions are the same pair.
  if (given.bidirectional && pair.sourceId === pair.destinationId) throw duplicate();
  const content = { distance: readDistance(given), createdAt: now, updatedAt: now };
  await store.write(async () =>
    pairsOfDistance(pair, given.bidirectional).map((way) => insertRseDistance({ ...way, ...content }, duplicate)),
  );
}

/**
 * Changes the distance from an RSE to another one, and back if bidirectional. Missing distances are not created
 * (spec/rses.md 1.11).
 *
 * @throws AccessDenied (401), RSENotFound (404).
 */
export async function updateDistance(context: Context, direction: Direction, given: NewDistance): Promise<void> {
  const { store, now } = context;
  await authorize(context, 'update_distance', direction);
  const pair = await requireRsePair(store.table, direction);
  const distance = readDistance(given);
  await store.write(async (latest) => {
    const found = await getRseDistances(latest, pairsOfDistance(pair, given.bidirectional));
    return found.map((way) => changeRseDistance(way, distance, now));
  });
}

/**
 * Deletes the distance from an RSE to another one, and back if bidirectional; missing ones are ignored (spec/rses.md 1.12).
 *
 * @throws AccessDenied (401), RSENotFound (404).
 */
export async function deleteDistance(
  context: Context,
  direction: Direction,
  { bidirectional }: Pick<NewDistance, 'bidirectional'>,
): Promise<void> {
  const { store } = context;
  await authorize(context, 'delete_distance', direction);
  const pair = await requireRsePair(store.table, direction);
  await store.write(async (latest) => {
    const found = await getRseDistances(latest, pairsOfDistance(pair, bidirectional));
    return found.map((way) => deleteRseDistance(way));
  });
}
