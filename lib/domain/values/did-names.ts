import { didName, knownDidName, scopeName, type DidKey } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import { isScopeName } from './scope-name.ts';

/** Whether a DID of this name can exist. Check it before every read of the table. */
export function isValidDid({ scope, name }: DidKey): boolean {
  return isScopeName(scope) && knownDidName.safeParse(name).success;
}

/** Why no new DID can have a name; undefined: it can. */
export function findDidNameProblem({ scope, name }: DidKey): string | undefined {
  const problem = scopeName.safeParse(scope).error ?? didName.safeParse(name).error;
  return problem?.issues[0]?.message;
}

/** Whether a file of this name is an archive, which can contain other files (spec/dids.md 1.6). */
export function isArchiveName(name: string): boolean {
  return /^.*\.(zip|zipx|tar.gz|tgz|tar.Z|tar.bz2|tbz2)(\.\d+)*$/i.test(name);
}

/**
 * Checks the name of a new DID.
 *
 * @throws InvalidObject (400).
 */
export function requireValidDidName(did: DidKey): void {
  const problem = findDidNameProblem(did);
  if (problem !== undefined) fail('InvalidObject', `Problem validating did: ${problem}`);
}
