import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import { didName, didNameOfType, knownDidName, scopeName } from '../../contract/schemas/names.ts';
import { fail } from '../../errors.ts';
import { findNewPathFlaw } from '../../paths.ts';
import { isScopeName } from './scope-name.ts';

import policy from '#policy';

/** Whether a DID of this name can exist. Check it before every read of the table. */
export function isValidDid({ scope, name }: DidKey): boolean {
  return isScopeName(scope) && knownDidName.safeParse(name).success;
}

/** Why no new DID of a type can have a name; undefined: it can. */
export function findDidNameProblem({ scope, name }: DidKey, type: DidType): string | undefined {
  const problem =
    scopeName.safeParse(scope).error ?? didNameOfType[type]?.safeParse(name).error ?? didName.safeParse(name).error;
  if (problem !== undefined) return `Problem validating did: ${problem.issues[0]?.message}`;
  // A file has a path, in which some marks of names mean other files.
  const flaw = type === 'FILE' ? findNewPathFlaw(name) : undefined;
  return flaw === undefined
    ? policy.refuse?.({ scope, name }, type)
    : `Problem validating did: '${name}' is no name of a FILE: ${flaw}`;
}

/** Whether a file of this name is an archive, which can contain other files (spec/dids.md 1.6). */
export function isArchiveName(name: string): boolean {
  return /^.*\.(zip|zipx|tar.gz|tgz|tar.Z|tar.bz2|tbz2)(\.\d+)*$/i.test(name);
}

/**
 * Checks the name of a new DID of a type.
 *
 * @throws InvalidObject (400).
 */
export function requireValidDidName(did: DidKey, type: DidType): void {
  const problem = findDidNameProblem(did, type);
  if (problem !== undefined) fail('InvalidObject', problem);
}
