import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import { type Change, type Insert, LostRace } from '../items/plan.ts';
import { attributesReader, isNumber, isRecord, isText, readAttribute } from '../items/read-attributes.ts';
import { didKeys } from '../keys/did-keys.ts';
import { collectionShape, fileShape } from './did-item.ts';
import type { Did, NewCollectionDid, NewFileDid } from './did.ts';

interface Deletion {
  /** In milliseconds since 1970. */
  readonly deletedAt: number;
}

/** The last state of a deleted file. */
export type DeletedFile = Omit<NewFileDid, 'meta' | 'replicas'> & Deletion;

/** The last state of a deleted dataset or container. */
export type DeletedCollection = Omit<NewCollectionDid, 'meta'> & Deletion;

/** The last state of a deleted DID. Content, free metadata and rules are not kept (spec/dids.md 2.23). */
export type DeletedDid = DeletedFile | DeletedCollection;

/** The records of deleted DIDs; DIDs without one are left out. */
export async function getDeletedDids(table: Table, dids: readonly DidKey[]): Promise<DeletedDid[]> {
  const items = await table.getMany(dids.map(didKeys.deleted));
  return items.map(toDeletedDid);
}

/**
 * The write that keeps the record of a DID that is being deleted.
 *
 * @param former The existing record of an earlier DID of the same name.
 */
export function keepDeletedDid(did: Did, deletedAt: number, former: DeletedDid | undefined): Insert | Change {
  const attributes = { record: { ...lastState(did), deletedAt }, deletedAt };
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

function lastState(did: Did): Omit<DeletedFile, 'deletedAt'> | Omit<DeletedCollection, 'deletedAt'> {
  const { meta: _meta, unsettled: _unsettled, pending: _pending, rev: _rev, foldedAt: _foldedAt, ...rest } = did;
  if (rest.type === 'FILE') {
    const { replicas: _replicas, ...file } = rest;
    return file;
  }
  const { shrinks: _shrinks, shrinking: _shrinking, ...collection } = rest;
  return collection;
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

/** The check that a DID is still deleted when a plan takes effect. */
export function requireStillDeleted(did: DeletedDid): Change {
  return { ...dropDeletedDid(did), patch: {}, isCheck: true };
}

const shapeOfBoth = { scope: isText, name: isText, columns: isRecord, deletedAt: isNumber };
const readFile = attributesReader<DeletedFile>({ ...fileShape, ...shapeOfBoth });
const readCollection = attributesReader<DeletedCollection>({ ...collectionShape, ...shapeOfBoth });

/** Reads the last state of a deleted DID out of its record. */
export function toDeletedDid(item: Item): DeletedDid {
  const { PK, SK } = item;
  const record: Item = { ...readAttribute(item, 'record', isRecord), PK, SK };
  return record['type'] === 'FILE' ? readFile(record) : readCollection(record);
}
