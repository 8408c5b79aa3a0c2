import type { DidKey } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import type { ScopeRule } from '../../policy/policy.ts';

/** A file by its logical name, with the collections above it. */
export interface LogicalFile {
  readonly file: DidKey;
  readonly dataset: DidKey;
  /** From the one that holds the dataset to the topmost. */
  readonly containers: readonly DidKey[];
}

/** How the scopes of names are found: the convention, and which scopes there are of those that it asks for. */
export interface ScopeFinding {
  readonly rule: ScopeRule;
  readonly known: ReadonlySet<string>;
}

/** The scopes that a convention asks for: the scopes of names depend on whether these exist. */
export function listAskedScopes(lfns: readonly string[], rule: ScopeRule): string[] {
  const asked = new Set<string>();
  const note = (scope: string) => {
    asked.add(scope);
    return false;
  };
  for (const lfn of lfns) for (const name of [lfn, ...namesAbove(lfn)]) rule(name, note);
  return [...asked];
}

/**
 * Reads the DIDs out of a logical file name: each part of the path above the file is a collection, whose name is the
 * whole path up to it (spec/access.md 11.2).
 *
 * @throws InvalidPath (400) for a path with fewer than two collections, and for one without a scope.
 */
export function readLfn(lfn: string, finding: ScopeFinding): LogicalFile {
  const [dataset, ...containers] = namesAbove(lfn).map((name) => toDid(name, finding));
  if (dataset === undefined || containers.length === 0) {
    fail('InvalidPath', `The path '${lfn}' names no dataset in a container`);
  }
  return { file: toDid(lfn, finding), dataset, containers };
}

/** The paths above a file, from the longest to the topmost. */
function namesAbove(lfn: string): string[] {
  const parts = lfn.split('/');
  return parts.slice(2).map((_part, index) => parts.slice(0, parts.length - 1 - index).join('/'));
}

function toDid(name: string, { rule, known }: ScopeFinding): DidKey {
  const scope = rule(name, (wanted) => known.has(wanted));
  return { scope: scope || fail('InvalidPath', `The path '${name}' names no scope`), name };
}
