import { fail } from '../../errors.ts';
import { cachedFacts } from '../permission/facts.ts';
import type { Context } from '../values/context.ts';

/**
 * Requires that a scope exists. Scopes are never deleted, so a cached scope is enough.
 *
 * @throws ScopeNotFound (404).
 */
export async function requireScope(context: Context, scope: string): Promise<void> {
  if ((await cachedFacts(context.store).scope(scope)) === undefined) fail('ScopeNotFound', 'Scope not found!');
}
