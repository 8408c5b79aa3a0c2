import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../batches/table.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { didKeys } from '../keys/did-keys.ts';
import type { Did, NewDid } from './did.ts';

/** The last state of a deleted DID. Content, free metadata and rules are not kept (spec/dids.md 2.23). */
export interface DeletedDid extends Omit<NewDid, 'meta' | 'replicas'> {
  /** In milliseconds since 1970. */
  readonly deletedAt: number;
}

/** The records of deleted DIDs; DIDs without one are left out. */
export async function getDeletedDids(table: Table, dids: readonly DidKey[]): Promise<DeletedDid[]> {
  const items = await table.getMany(dids.map(didKeys.deleted));
  return items.map((item) => item['record'] as DeletedDid);
}

/**
 * The write that keeps the record of a DID that is being deleted.
 *
 * @param former The existing record of an earlier DID of the same name.
 */
export function keepDeletedDid(did: Did, deletedAt: number, former: DeletedDid | undefined): Insert | Change {
  const { meta: _meta, replicas: _replicas, unsettled: _unsettled, pending: _pending, ...rest } = did;
  const { rev: _rev, foldedAt: _foldedAt, ...kept } = rest;
  const attributes = { record: { ...kept, deletedAt }, deletedAt };
  const makeRaceError = () => new LostRace(`${did.scope}:${did.name} was deleted or resurrected concurrently`);
  return former === undefined
    ? { kind: 'insert', item: { ...didKeys.deleted(did), ...attributes }, onExists: makeRaceError }
    : {
        kind: 'change',
        key: didKeys.deleted(did),
        patch: { set: attributes },
        when: { deletedAt: former.deletedAt },
        onMismatch: makeRaceError,
      };
}

/** The write that drops the record of a deleted DID. */
export function dropDeletedDid(did: DeletedDid): Change {
  return {
    kind: 'change',
    key: didKeys.deleted(did),
    patch: { delete: true },
    when: { deletedAt: did.deletedAt },
    onMismatch: () => new LostRace(`${did.scope}:${did.name} was resurrected concurrently`),
  };
}
