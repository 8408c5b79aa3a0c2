import { knownScopeName, scopeName } from '../../contract/schemas/names.ts';
import { fail } from '../../errors.ts';

/** Whether a scope of this name can exist. Check it before every read of the table. */
export function isScopeName(name: string): boolean {
  return knownScopeName.safeParse(name).success;
}

/** @throws InvalidObject (400) if no new scope can have this name (spec/dids.md 4.1). */
export function requireValidScopeName(name: string): void {
  const { error } = scopeName.safeParse(name);
  if (error !== undefined) fail('InvalidObject', `Problem validating scope: ${error.issues[0]?.message}`);
}
