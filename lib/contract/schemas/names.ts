import * as z from 'zod/mini';

import { findNewNameFlaw, findScopeFlaw } from '../../paths.ts';
import { nameLimits } from '../../policy/limits.ts';
import type { NameRule } from '../../policy/policy.ts';
import { pythonRepr } from '../../python/text.ts';
import { atMost, pattern } from './common.ts';

import policy from '#policy';

/** The longest text in which a pattern is searched for; longer than every limit of a name. */
const maxSearched = 2_000;

/** The names of scopes that may be in the table, whatever the policy says about new ones (spec/dids.md 4.1). */
export const knownScopeName = pattern(nameLimits.scope.pattern, nameLimits.scope.longest);
/** The names of DIDs that may be in the table (spec/dids.md 4.1). */
export const knownDidName = pattern(nameLimits.did.pattern, nameLimits.did.longest);
/** The names of accounts that may be in the table. */
export const knownAccountName = pattern(nameLimits.account.pattern, nameLimits.account.longest);

/** The name of a new scope: no folder of it is outside of the prefix of an RSE. */
export const scopeName = named(policy.scope, nameLimits.scope).check(refuse('scope', findScopeFlaw));
/** The name of a new DID of any type: Rucio allows some that name other files, or none (spec/dids.md 4.1). */
export const didName = named(policy.did, nameLimits.did).check(refuse('DID', findNewNameFlaw));
/** Rules for names of new DIDs of each type, beside {@link didName}; Rucio tells of this first. */
export const didNameOfType = {
  FILE: nameOfType(policy.didOfType.FILE),
  DATASET: nameOfType(policy.didOfType.DATASET),
  CONTAINER: nameOfType(policy.didOfType.CONTAINER),
};
/** The name of an account (spec/access.md 2.1). */
export const accountName = named(policy.account, nameLimits.account);
/** The key of an attribute of an account, or a value that is not empty. */
export const accountAttribute = named(policy.accountAttribute, nameLimits.accountAttribute);
/** The name of a new RSE (spec/rses.md 2.1). */
export const rseName = named(policy.rse, nameLimits.rse);

function nameOfType(rule: NameRule | undefined) {
  return rule === undefined ? undefined : named(rule, nameLimits.did);
}

/** A name by a rule of the policy, within the limits of all policies. Violations have the message of Rucio's validator. */
function named({ pattern: shown, linear = shown, longest, isPatternFirst }: NameRule, limit: NameLimit) {
  const expression = new RegExp(linear);
  const isLengthFirst = longest !== undefined && isPatternFirst !== true;
  // A name that is far too long costs no search for a pattern.
  const name = pattern(expression, isLengthFirst ? longest : maxSearched, shown);
  return name.check(
    atMost(longest ?? limit.longest),
    z.regex(limit.pattern, { error: ({ input }) => `'${String(input)}' does not match '${limit.pattern.source}'` }),
  );
}

/** Why a text is no activity, in the words of Rucio's validator. */
export function describeNoActivity(given: unknown): string {
  return `${pythonRepr(given)} is not one of ${pythonRepr(policy.activities)}`;
}

interface NameLimit {
  readonly pattern: RegExp;
  readonly longest: number;
}

/** Refuses a name of which a function tells a flaw. */
function refuse(kind: string, findFlaw: (name: string) => string | undefined) {
  return z.superRefine<string>((name, context) => {
    const flaw = findFlaw(name);
    if (flaw === undefined) return;
    context.addIssue({ code: 'custom', message: `'${name}' is no name of a ${kind}: ${flaw}`, input: name });
  });
}
