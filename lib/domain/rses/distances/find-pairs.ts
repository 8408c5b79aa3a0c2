import type { Table } from '../../../store/batches/table.ts';
import type { RsePair } from '../../../store/entities/rse-distance.ts';
import { getRseIds } from '../../../store/entities/rse.ts';
import { failWithoutRse } from '../find-rse.ts';

/** Where a distance begins and where it ends, by the names of the RSEs. */
export interface Direction {
  readonly source: string;
  readonly destination: string;
}

/**
 * The ids of two RSEs, live or disabled.
 *
 * @throws RSENotFound (404), for the source first.
 */
export async function requirePair(table: Table, { source, destination }: Direction): Promise<RsePair> {
  const ids = await getRseIds(table, [source, destination]);
  const idOf = (name: string) => ids.get(name) ?? failWithoutRse(name);
  return { sourceId: idOf(source), destinationId: idOf(destination) };
}

/** The pair alone, or also the one in the other direction. */
export function directions({ sourceId, destinationId }: RsePair, bidirectional: boolean): readonly RsePair[] {
  const there = { sourceId, destinationId };
  const back = { sourceId: destinationId, destinationId: sourceId };
  return bidirectional && sourceId !== destinationId ? [there, back] : [there];
}
