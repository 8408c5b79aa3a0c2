import type { Table } from '../../../store/batches/table.ts';
import type { RsePair } from '../../../store/entities/rse-distance.ts';
import { getRseIds } from '../../../store/entities/rse.ts';
import { failRseNotFound } from '../find-rse.ts';

/** The source and the destination of a distance, by the names of the RSEs. */
export interface Direction {
  readonly source: string;
  readonly destination: string;
}

/**
 * The ids of two RSEs, live or disabled.
 *
 * @throws RSENotFound (404), for the source first.
 */
export async function requireRsePair(table: Table, { source, destination }: Direction): Promise<RsePair> {
  const ids = await getRseIds(table, [source, destination]);
  const idOf = (name: string) => ids.get(name) ?? failRseNotFound(name);
  return { sourceId: idOf(source), destinationId: idOf(destination) };
}

/** The pair, and the opposite one if bidirectional. */
export function pairsOfDistance({ sourceId, destinationId }: RsePair, bidirectional: boolean): readonly RsePair[] {
  const there = { sourceId, destinationId };
  const back = { sourceId: destinationId, destinationId: sourceId };
  return bidirectional && sourceId !== destinationId ? [there, back] : [there];
}
