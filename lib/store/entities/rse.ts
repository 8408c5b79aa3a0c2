import type { DidKey } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import type { Item } from '../item.ts';
import { keys, lastPart } from '../keys.ts';
import type { Insert } from '../plan.ts';
import type { Table } from '../table.ts';

/** A storage endpoint; dates in milliseconds since 1970. */
export interface Rse {
  /** 32 lower-case hex digits. */
  readonly id: string;
  readonly rse: string;
  readonly rseType: string;
  readonly deterministic: boolean;
  readonly volatile: boolean;
  readonly stagingArea: boolean;
  readonly availabilityRead: boolean;
  readonly availabilityWrite: boolean;
  readonly availabilityDelete: boolean;
  /** City, country and the like, by their wire name; null where not given. */
  readonly location: Readonly<Record<string, string | number | null>>;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The RSE of a name. */
export async function getRse(table: Table, name: string): Promise<Rse | undefined> {
  const pointer = await table.get(keys.rseName(name));
  const item = pointer === undefined ? undefined : await table.get(keys.rse(String(pointer['id'])));
  return item === undefined ? undefined : fromItem(item);
}

/** The writes that make an RSE: the RSE and the pointer that keeps its name. */
export function insertRse(rse: Rse, onExists: () => Error): Insert[] {
  const { id, ...attributes } = rse;
  return [
    { kind: 'insert', item: { ...keys.rseName(rse.rse), id }, onExists },
    {
      kind: 'insert',
      item: { ...keys.rse(id), GSI1PK: keys.rses.GSI1PK, GSI1SK: rse.rse, ...attributes },
      onExists,
    },
  ];
}

/** The write that enters a file in the content of an RSE. */
export function insertRseContent(
  rseId: string,
  did: DidKey,
  bytes: Integer | undefined,
  now: number,
  onExists: () => Error,
): Insert {
  return {
    kind: 'insert',
    item: { ...keys.rseContent(rseId, did), ...(bytes === undefined ? {} : { bytes }), createdAt: now },
    onExists,
  };
}

function fromItem(item: Item): Rse {
  const { PK, SK: _key, GSI1PK: _partition, GSI1SK: _sort, ...attributes } = item;
  return { id: lastPart({ PK: '', SK: PK }), ...attributes } as unknown as Rse;
}
