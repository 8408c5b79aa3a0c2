import type { DidKey } from '../../contract/schemas/did.ts';
import { RucioError } from '../../errors.ts';
import type { NewDid } from '../../store/entities/did.ts';
import type { Edge } from '../../store/entities/edge.ts';
import { LostRace } from '../../store/items/plan.ts';
import { formatDid } from '../values/format-did.ts';

/** DataIdentifierAlreadyExists (409). */
export function alreadyExistsError(): RucioError {
  return new RucioError('DataIdentifierAlreadyExists', 'Data Identifier already exists!');
}

/**
 * The error if another request created the DID first: of concurrent registrations of a file the later one is retried, and
 * that of a collection with `ignoresDuplicates`.
 */
export function nameTakenError(did: NewDid, ignoresDuplicates: boolean): Error {
  return did.type === 'FILE' || ignoresDuplicates
    ? new LostRace(`${formatDid(did)} was registered concurrently`)
    : alreadyExistsError();
}

/** The error if a child is attached already: FileAlreadyExists, DuplicateContent (409), or a retry. */
export function alreadyAttachedError({ parent, child, type }: Edge, ignoresDuplicates: boolean): Error {
  const text = `${formatDid(child)} already attached to ${formatDid(parent)}`;
  if (ignoresDuplicates) return new LostRace(text);
  return type === 'FILE'
    ? new RucioError('FileAlreadyExists', `File ${text}`)
    : new RucioError('DuplicateContent', text);
}

/** A concurrent detachment from a collection on which a draft relies. */
export function concurrentDetachError(did: DidKey): LostRace {
  return new LostRace(`a child was detached from ${formatDid(did)} concurrently`);
}

/** UnsupportedOperation (409) for an attachment to a closed collection. */
export function collectionClosedError(did: DidKey): RucioError {
  return new RucioError('UnsupportedOperation', `Data identifier '${formatDid(did)}' is closed`);
}
