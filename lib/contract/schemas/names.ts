import * as z from 'zod/mini';

import { findNewNameFlaw, findScopeFlaw } from '../../paths.ts';
import { nameLimits } from '../../policy/limits.ts';
import type { NameRule } from '../../policy/policy.ts';
import { matching, pattern } from './common.ts';

import policy from '#policy';

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
/** The names of new DIDs of each type. */
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
  return rule === undefined ? didName : didName.check(matching(new RegExp(rule.linear ?? rule.pattern), rule.pattern));
}

/** A name by a rule of the policy, within the limits of all policies. Violations have the message of Rucio's validator. */
function named({ pattern: shown, linear = shown, longest }: NameRule, limit: NameLimit) {
  const name = pattern(new RegExp(linear), longest ?? limit.longest, shown);
  return name.check(
    z.regex(limit.pattern, { error: ({ input }) => `'${String(input)}' does not match '${limit.pattern.source}'` }),
  );
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
