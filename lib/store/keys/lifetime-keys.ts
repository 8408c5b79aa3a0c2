import type { DidKey } from '../../contract/schemas/did.ts';
import { join, type Key, part, rangeOf, readName, spellName } from './key-parts.ts';

/** A DID of an exception to the lifetime model. */
export interface LifetimeExceptionKey {
  readonly id: string;
  readonly did: DidKey;
}

/** The keys of exceptions to the lifetime model. */
export const lifetimeKeys = {
  /** All exceptions share one partition, sorted by id. */
  partition: 'LIFETIMEEXCEPTIONS',
  exception: ({ id, did: { scope, name } }: LifetimeExceptionKey): Key => ({
    PK: lifetimeKeys.partition,
    SK: join(id, scope, spellName(name)),
  }),
  ofId: (id: string) => rangeOf(id),
} as const;

/** Reads id and DID back out of the key of an exception. */
export function lifetimeExceptionOf({ SK }: Key): LifetimeExceptionKey {
  return { id: part(SK, 0), did: { scope: part(SK, 1), name: readName(part(SK, 2)) } };
}
