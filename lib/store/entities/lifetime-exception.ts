import type { DidType } from '../../contract/schemas/did.ts';
import type { ExceptionState } from '../../contract/schemas/lifetime-exception.ts';
import type { Slice, Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { attributesReader, isNumber, isText, nullable, oneOf, optional } from '../items/read-attributes.ts';
import { isKeyPart } from '../keys/key-parts.ts';
import { type LifetimeExceptionKey, lifetimeExceptionOf, lifetimeKeys } from '../keys/lifetime-keys.ts';
import { isDidType } from './did-type.ts';

/** An exception to the lifetime model, of one DID; dates in milliseconds since 1970 (spec/access.md 6.5). */
export interface LifetimeException extends LifetimeExceptionKey {
  readonly didType: DidType;
  /** The account that requested it. */
  readonly account: string;
  readonly pattern: string | null;
  readonly comments: string | null;
  readonly state: ExceptionState;
  readonly createdAt: number;
  /** Absent: never. */
  readonly expiresAt?: number;
}

/** Exceptions by id and DID, all or those of one id; `slice` by both. */
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

/** The write that inserts an exception. */
export function insertLifetimeException({ id, did, ...attributes }: LifetimeException): Insert {
  const item = { ...lifetimeKeys.exception({ id, did }), ...attributes };
  return { kind: 'insert', item, onExists: () => new Error(`the exception ${id} was inserted twice`) };
}

/** The write that sets the state of an exception. */
export function decideLifetimeException(key: LifetimeExceptionKey, state: ExceptionState, now: number): Change {
  return {
    kind: 'change',
    key: lifetimeKeys.exception(key),
    patch: { set: { state, updatedAt: now } },
    onMismatch: () => new LostRace(`the exception ${key.id} was deleted concurrently`),
  };
}

const readException = attributesReader<Omit<LifetimeException, keyof LifetimeExceptionKey>>({
  didType: isDidType,
  account: isText,
  pattern: nullable(isText),
  comments: nullable(isText),
  state: oneOf<ExceptionState>({ WAITING: true, APPROVED: true, REJECTED: true }),
  createdAt: isNumber,
  expiresAt: optional(isNumber),
});

function fromItem(item: Item): LifetimeException {
  return { ...readException(item), ...lifetimeExceptionOf(item) };
}
