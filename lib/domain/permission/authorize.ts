import { fail } from '../../errors.ts';
import type { Context } from '../values/context.ts';
import { type Facts, freshFacts, rememberedFacts } from './facts.ts';
import type { Action, Targets } from './permission-targets.ts';
import { permissions } from './permission.ts';
import type { Subject } from './subject.ts';

/**
 * Lets an action pass or refuses it. Costs nothing for root; others need their attributes and the owner of a scope,
 * which are remembered for a minute. A refusal is never based on memory.
 *
 * @throws AccessDenied (401), spec/access.md 5.
 */
export async function authorize<A extends Action>(context: Context, action: A, target: Targets[A]): Promise<void> {
  if (await isPermitted(context, action, target)) return;
  const { denial, names } = permissions[action];
  const { account } = context.issuer;
  fail('AccessDenied', names === 'nobody' ? denial(target, account) : `Account ${account} ${denial(target, account)}`);
}

/** Says whether an action may pass, as {@link authorize} does. */
export async function isPermitted<A extends Action>(context: Context, action: A, target: Targets[A]): Promise<boolean> {
  const { allows } = permissions[action];
  const { account } = context.issuer;
  return (
    (await allows(subjectOf(account, rememberedFacts(context.store)), target)) ||
    (await allows(subjectOf(account, freshFacts(context.store)), target))
  );
}

function subjectOf(account: string, facts: Facts): Subject {
  const attributes = async () => (await facts.account(account))?.attributes ?? {};
  return {
    account,
    isRoot: account === 'root',
    isAdmin: async () => {
      const { admin } = await attributes();
      return admin !== undefined && admin !== null && admin !== false;
    },
    administers: async () =>
      Object.entries(await attributes())
        .filter(([key, value]) => key.startsWith('country-') && value === 'admin')
        .map(([key]) => key.slice('country-'.length)),
    owns: async (scope) => (await facts.scope(scope))?.account === account,
  };
}
