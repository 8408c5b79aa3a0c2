import { fail } from '../../errors.ts';
import type { Context } from '../values/context.ts';
import { freshFacts, cachedFacts } from './facts.ts';
import type { Action, Targets } from './permission-targets.ts';
import { permissions } from './permissions.ts';
import { subjectOf } from './subject.ts';

/**
 * Requires the permission for an action. Costs nothing for root; for others it reads their attributes and the owner of a
 * scope, cached for a minute. A refusal is never based on cached facts; the facts that it read explain it.
 *
 * @throws AccessDenied (401), spec/access.md 5.
 */
export async function authorize<A extends Action>(context: Context, action: A, target: Targets[A]): Promise<void> {
  if (await isPermitted(context, action, target)) return;
  const { denial, hasPrefix = true, reason } = permissions[action];
  const { account } = context.issuer;
  const why = (await reason?.(subjectOf(account, cachedFacts(context.store)), target)) ?? '';
  fail('AccessDenied', `${hasPrefix ? `Account ${account} ` : ''}${denial(target, account)}${why}`);
}

/** Whether the issuer has the permission for an action, as {@link authorize} requires it. */
export async function isPermitted<A extends Action>(context: Context, action: A, target: Targets[A]): Promise<boolean> {
  const { allows } = permissions[action];
  const { account } = context.issuer;
  return (
    (await allows(subjectOf(account, cachedFacts(context.store)), target)) ||
    (await allows(subjectOf(account, freshFacts(context.store)), target))
  );
}
