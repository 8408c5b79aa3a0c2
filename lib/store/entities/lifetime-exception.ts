import type { DidType } from '../../contract/schemas/did.ts';
import type { ExceptionState } from '../../contract/schemas/lifetime-exception.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { isKeyPart } from '../keys/key-parts.ts';
import { type LifetimeExceptionKey, lifetimeExceptionOf, lifetimeKeys } from '../keys/lifetime-keys.ts';

/** An exception to the lifetime model, of one DID; dates in milliseconds since 1970 (spec/access.md 6.5). */
export interface LifetimeException extends LifetimeExceptionKey {
  readonly didType: DidType;
  /** Who asked for it. */
  readonly account: string;
  readonly pattern: string | null;
  readonly comments: string | null;
  readonly state: ExceptionState;
  readonly createdAt: number;
  /** Absent: never. */
  readonly expiresAt?: number;
}

/** Exceptions by id and DID, all or those of an id; `slice` by both. */
export async function* listLifetimeExceptions(
  table: Table,
  id: string | undefined,
  { after, pageSize }: Slice<LifetimeExceptionKey> = {},
): AsyncGenerator<LifetimeException> {
  if (id !== undefined && !isKeyPart(id)) return;
  const bounds = id === undefined ? {} : lifetimeKeys.ofId(id);
  const range = { pk: lifetimeKeys.partition, ...bounds, after: after && lifetimeKeys.exception(after).SK, pageSize };
  for await (const item of table.query(range)) yield fromItem(item);
}

/** The write that makes an exception. */
export function insertLifetimeException({ id, did, ...attributes }: LifetimeException): Insert {
  const item = { ...lifetimeKeys.exception({ id, did }), ...attributes };
  return { kind: 'insert', item, onExists: () => new Error(`the exception ${id} was made twice`) };
}

/** The write that decides about an exception. */
export function decideLifetimeException(key: LifetimeExceptionKey, state: ExceptionState, now: number): Change {
  return {
    kind: 'change',
    key: lifetimeKeys.exception(key),
    patch: { set: { state, updatedAt: now } },
    onMismatch: () => new LostRace(`the exception ${key.id} went meanwhile`),
  };
}

function fromItem(item: Item): LifetimeException {
  const { PK, SK, batch: _batch, gone: _gone, ...attributes } = item;
  return { ...attributes, ...lifetimeExceptionOf({ PK, SK }) } as unknown as LifetimeException;
}
