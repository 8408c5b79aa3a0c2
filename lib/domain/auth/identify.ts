import { fail } from '../../errors.ts';
import type { Store } from '../../store/open-store.ts';
import { freshFacts, rememberedFacts } from '../facts.ts';
import { type TokenContent, verifyToken } from '../tokens/token.ts';

/**
 * Reads a token and makes sure that its account is still active: a ban ends within a minute what tokens allow. Costs
 * one read a minute and account, else nothing (spec/access.md 1.5).
 *
 * @throws CannotAuthenticate (401).
 */
export async function identify(store: Store, token: string): Promise<TokenContent> {
  const content = await verifyToken(token);
  if ((await rememberedFacts(store).account(content.account))?.status === 'ACTIVE') return content;
  // As everywhere, a refusal is not based on memory.
  if ((await freshFacts(store).account(content.account))?.status === 'ACTIVE') return content;
  return fail('CannotAuthenticate', 'Cannot authenticate with given credentials');
}
