import type { DidKey } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import { cachedFacts } from '../permission/facts.ts';
import type { Context } from '../values/context.ts';

/**
 * Requires that a scope exists. Scopes are never deleted, so a cached scope is enough.
 *
 * @param path Whose scope it is, for a caller that named a path instead; the error tells both.
 * @throws ScopeNotFound (404).
 */
export async function requireScope(context: Context, scope: string, path?: DidKey): Promise<void> {
  if ((await cachedFacts(context.store).scope(scope)) !== undefined) return;
  const detail = path === undefined ? '' : ` The path '${path.name}' is in the scope '${path.scope}'.`;
  fail('ScopeNotFound', `Scope not found!${detail}`);
}
