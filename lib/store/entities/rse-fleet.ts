import type { Item } from '../item.ts';
import { keys, lastPart } from '../keys.ts';
import type { Table } from '../table.ts';

/** What an expression asks of an RSE. */
export interface FleetRse {
  readonly id: string;
  readonly rse: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** All RSEs in name order; eventually consistent. */
export async function* listRses(table: Table): AsyncGenerator<FleetRse> {
  for await (const item of table.query({ index: 'GSI1', pk: keys.rses.GSI1PK })) yield toFleetRse(item);
}

/** The RSEs of many ids, by id. */
export async function getRsesById(table: Table, ids: readonly string[]): Promise<ReadonlyMap<string, FleetRse>> {
  const items = await table.getMany(ids.map(keys.rse));
  return new Map(items.map(toFleetRse).map((rse) => [rse.id, rse]));
}

function toFleetRse(item: Item): FleetRse {
  const { rse, attributes } = item as unknown as FleetRse;
  return { id: lastPart({ PK: '', SK: item.PK }), rse, attributes };
}
