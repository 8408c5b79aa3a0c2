import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { attributesReader, isNumber, nullable } from '../items/read-attributes.ts';
import { lastPart } from '../keys/key-parts.ts';
import { rseKeys, rseOf } from '../keys/rse-keys.ts';

/** A source and a destination RSE, maybe the same, by their ids. */
export interface RsePair {
  readonly sourceId: string;
  readonly destinationId: string;
}

/** The distance from one RSE to another; dates in milliseconds since 1970. */
export interface RseDistance extends RsePair {
  readonly distance: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The distances of pairs, in no particular order; missing ones are left out. */
export async function getRseDistances(table: Table, pairs: readonly RsePair[]): Promise<RseDistance[]> {
  const items = await table.getMany(pairs.map(keyOf));
  return items.map(fromItem);
}

/** The distances from an RSE. */
export function listRseDistances(table: Table, sourceId: string): AsyncGenerator<RseDistance> {
  return table.query({ pk: rseKeys.ofRse(sourceId), ...rseKeys.distances }, fromItem);
}

/** The write that inserts a distance. */
export function insertRseDistance(given: RseDistance, onExists: () => Error): Insert {
  const { distance, createdAt, updatedAt } = given;
  return { kind: 'insert', item: { ...keyOf(given), distance, createdAt, updatedAt }, onExists };
}

/** The write that changes an existing distance. */
export function changeRseDistance(pair: RsePair, distance: number | null, now: number): Change {
  return { kind: 'change', key: keyOf(pair), patch: { set: { distance, updatedAt: now } }, onMismatch: makeRaceError };
}

/** The write that deletes an existing distance. */
export function deleteRseDistance(pair: RsePair): Change {
  return { kind: 'change', key: keyOf(pair), patch: { delete: true }, onMismatch: makeRaceError };
}

const makeRaceError = () => new LostRace('a distance was deleted concurrently');

const keyOf = ({ sourceId, destinationId }: RsePair) => rseKeys.distance(sourceId, destinationId);

const readDistance = attributesReader<Omit<RseDistance, keyof RsePair>>({
  distance: nullable(isNumber),
  createdAt: isNumber,
  updatedAt: isNumber,
});

function fromItem(item: Item): RseDistance {
  return { sourceId: rseOf(item), destinationId: lastPart(item), ...readDistance(item) };
}
