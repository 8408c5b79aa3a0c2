import { fail } from '../../errors.ts';
import { rememberedFacts } from '../permission/facts.ts';
import type { Context } from '../values/context.ts';

/**
 * Lets an operation go on only if a scope exists. Scopes never go away, so one that was seen need not be read again.
 *
 * @throws ScopeNotFound (404).
 */
export async function requireScope(context: Context, scope: string): Promise<void> {
  if ((await rememberedFacts(context.store).scope(scope)) === undefined) fail('ScopeNotFound', 'Scope not found!');
}
