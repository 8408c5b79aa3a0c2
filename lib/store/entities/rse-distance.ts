import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { lastPart } from '../keys/key-parts.ts';
import { rseKeys, rseOf } from '../keys/rse-keys.ts';

/** From an RSE to another one, or to itself, by their ids. */
export interface RsePair {
  readonly sourceId: string;
  readonly destinationId: string;
}

/** How far it is from an RSE to another one; dates in milliseconds since 1970. */
export interface RseDistance extends RsePair {
  readonly distance: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The distances of pairs, in no particular order; those that there are not are left out. */
export async function getRseDistances(table: Table, pairs: readonly RsePair[]): Promise<RseDistance[]> {
  const items = await table.getMany(pairs.map(keyOf));
  return items.map(fromItem);
}

/** The distances from an RSE. */
export async function* listRseDistances(table: Table, sourceId: string): AsyncGenerator<RseDistance> {
  for await (const item of table.query({ pk: rseKeys.hangers(sourceId), ...rseKeys.distances })) yield fromItem(item);
}

/** The write that makes a distance. */
export function insertRseDistance(given: RseDistance, onExists: () => Error): Insert {
  const { distance, createdAt, updatedAt } = given;
  return { kind: 'insert', item: { ...keyOf(given), distance, createdAt, updatedAt }, onExists };
}

/** The write that changes a distance that was there when it was read. */
export function changeRseDistance(pair: RsePair, distance: number | null, now: number): Change {
  return { kind: 'change', key: keyOf(pair), patch: { set: { distance, updatedAt: now } }, onMismatch: onRace };
}

/** The write that deletes a distance that was there when it was read. */
export function deleteRseDistance(pair: RsePair): Change {
  return { kind: 'change', key: keyOf(pair), patch: { delete: true }, onMismatch: onRace };
}

const onRace = () => new LostRace('a distance was deleted in the meantime');

const keyOf = ({ sourceId, destinationId }: RsePair) => rseKeys.distance(sourceId, destinationId);

function fromItem(item: Item): RseDistance {
  const { distance, createdAt, updatedAt } = item as unknown as RseDistance;
  return { sourceId: rseOf(item), destinationId: lastPart(item), distance, createdAt, updatedAt };
}
