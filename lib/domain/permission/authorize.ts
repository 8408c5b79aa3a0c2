import { fail } from '../../errors.ts';
import type { Context } from '../values/context.ts';
import { denials } from './denials.ts';
import { cachedFacts, freshFacts } from './facts.ts';
import type { Action, Targets } from './permission-targets.ts';
import type { Asked } from './predicates.ts';
import { allows, rightOf } from './rights.ts';
import { subjectOf } from './subject.ts';

import policy from '#policy';

/**
 * Requires the permission for an action. Costs nothing for root; for others it reads their attributes and the owner of a
 * scope, cached for a minute. A refusal is never based on cached facts; the facts that it read explain it.
 *
 * @throws AccessDenied (401), spec/access.md 5.
 */
export async function authorize<A extends Action>(context: Context, action: A, target: Targets[A]): Promise<void> {
  if (await isPermitted(context, action, target)) return;
  const { denial, hasPrefix = true, reason } = denials[action];
  const { account } = context.issuer;
  const subject = subjectOf(account, cachedFacts(context.store));
  const why = isGeneric ? await reason?.(subject, target, rightOf(action)) : `The policy ${policy.name} refuses it.`;
  fail('AccessDenied', `${hasPrefix ? `Account ${account} ` : ''}${denial(target, account)}${why ?? ''}`);
}

/** The generic policy is Rucio's own, which has no name there. */
const isGeneric = policy.name === 'generic';

/** Whether the issuer has the permission for an action, as {@link authorize} requires it. */
export async function isPermitted<A extends Action>(context: Context, action: A, asked: Targets[A]): Promise<boolean> {
  const { account } = context.issuer;
  const target = readOnce(asked);
  return (
    (await allows(action, subjectOf(account, cachedFacts(context.store)), target)) ||
    (await allows(action, subjectOf(account, freshFacts(context.store)), target))
  );
}

/** Makes a target that reads each of its facts once, however often a right asks for it. */
function readOnce<T>(target: T): T {
  const { rses, files, hasLimit } = (target ?? {}) as Asked;
  if (rses === undefined && files === undefined && hasLimit === undefined) return target;
  return { ...target, rses: rses && once(rses), files: files && once(files), hasLimit: hasLimit && once(hasLimit) };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= read());
}
