import type { DidKey } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';

/** How the scope is found in a name (Rucio's option `common/extract_scope`). */
export type ScopeExtraction = 'def' | 'dirac';

/** A file by its logical name, with the collections above it. */
export interface LogicalFile {
  readonly file: DidKey;
  readonly dataset: DidKey;
  /** From the one that holds the dataset to the topmost. */
  readonly containers: readonly DidKey[];
}

/**
 * Reads the DIDs out of a logical file name: each part of the path above the file is a collection, whose name is the
 * whole path up to it (spec/access.md 11.2).
 *
 * @throws InvalidPath (400) for a path with fewer than two collections, and for one without a scope.
 */
export function readLfn(lfn: string, extraction: ScopeExtraction): LogicalFile {
  const parts = lfn.split('/');
  const above = parts.slice(2).map((_part, index) => parts.slice(0, parts.length - 1 - index).join('/'));
  const [dataset, ...containers] = above.map((name) => toDid(name, extraction));
  if (dataset === undefined || containers.length === 0) {
    fail('InvalidPath', `The path '${lfn}' names no dataset in a container`);
  }
  return { file: toDid(lfn, extraction), dataset, containers };
}

function toDid(name: string, extraction: ScopeExtraction): DidKey {
  const scope = extraction === 'dirac' ? scopeOfPath(name) : scopeOfName(name);
  return { scope: scope || fail('InvalidPath', `The path '${name}' names no scope`), name };
}

/** The scope in a logical file name of DIRAC, such as `/vo/scope/file` or `/scope`. */
function scopeOfPath(name: string): string | undefined {
  const parts = name.replace(/\/+$/, '').split('/');
  return parts.length > 2 ? parts[2] : parts[1];
}

/** Rucio's default: what precedes the first dot; of users and groups the second one. */
function scopeOfName(name: string): string | undefined {
  const parts = name.split('.');
  return name.startsWith('user') || name.startsWith('group') ? parts.slice(0, 2).join('.') : parts[0];
}
