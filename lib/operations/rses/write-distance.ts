import type { NewDistance } from '../../contract/schemas/rse-distance.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { type Direction, directions, requirePair } from '../../domain/rses/distances/find-pairs.ts';
import type { Context } from '../../domain/values/context.ts';
import { RucioError } from '../../errors.ts';
import {
  changeRseDistance,
  deleteRseDistance,
  getRseDistances,
  insertRseDistance,
} from '../../store/entities/rse-distance.ts';

/** A smaller distance is nearer; null says nothing. */
export function distanceOf({ distance, ranking }: Pick<NewDistance, 'distance' | 'ranking'>): number | null {
  return distance ?? ranking ?? null;
}

/**
 * Says how far it is from an RSE to another one, and back where that is asked for; both or none (spec/rses.md 1.10).
 *
 * @throws AccessDenied (401), RSENotFound (404), Duplicate (409) when one of them has been said.
 */
export async function addDistance(context: Context, direction: Direction, given: NewDistance): Promise<void> {
  const { store, now } = context;
  await authorize(context, 'add_distance', direction);
  const pair = await requirePair(store.table, direction);
  const { source, destination } = direction;
  const duplicate = () => new RucioError('Duplicate', `Distance from ${source} to ${destination} already exists!`);
  // There and back are the same here.
  if (given.bidirectional && pair.sourceId === pair.destinationId) throw duplicate();
  const content = { distance: distanceOf(given), createdAt: now, updatedAt: now };
  await store.write(async () =>
    directions(pair, given.bidirectional).map((way) => insertRseDistance({ ...way, ...content }, duplicate)),
  );
}

/**
 * Changes how far it is from an RSE to another one, and back where that is asked for. What nobody has said yet stays
 * unsaid (spec/rses.md 1.11).
 *
 * @throws AccessDenied (401), RSENotFound (404).
 */
export async function updateDistance(context: Context, direction: Direction, given: NewDistance): Promise<void> {
  const { store, now } = context;
  await authorize(context, 'update_distance', direction);
  const pair = await requirePair(store.table, direction);
  const distance = distanceOf(given);
  await store.write(async (latest) => {
    const found = await getRseDistances(latest, directions(pair, given.bidirectional));
    return found.map((way) => changeRseDistance(way, distance, now));
  });
}

/**
 * Deletes how far it is from an RSE to another one, and back where that is asked for, if anybody has said so (spec/rses.md
 * 1.12).
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
  const pair = await requirePair(store.table, direction);
  await store.write(async (latest) => {
    const found = await getRseDistances(latest, directions(pair, bidirectional));
    return found.map((way) => deleteRseDistance(way));
  });
}
