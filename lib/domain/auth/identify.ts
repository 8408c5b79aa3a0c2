import type { Store } from '../../store/open-store.ts';
import { freshFacts, rememberedFacts } from '../permission/facts.ts';
import { findIssuer } from '../tokens/issuers.ts';
import { type TokenContent, verifyToken } from '../tokens/token.ts';
import { refuseToken } from './caller.ts';
import { identifyForeign } from './identify-foreign.ts';

/**
 * Reads a token, ours or one of a configured OpenID issuer, and makes sure that its account is still active: a ban ends
 * within a minute what tokens allow. Costs one read a minute and account, else nothing (spec/access.md 1.5).
 *
 * @throws CannotAuthenticate (401); ResourceTemporaryUnavailable (503) when the issuer of a token cannot be reached.
 */
export async function identify(store: Store, token: string): Promise<TokenContent> {
  const issuer = findIssuer(token);
  const content = issuer === undefined ? await verifyToken(token) : await identifyForeign(store, token, issuer);
  if ((await rememberedFacts(store).account(content.account))?.status === 'ACTIVE') return content;
  // As everywhere, a refusal is not based on memory.
  if ((await freshFacts(store).account(content.account))?.status === 'ACTIVE') return content;
  return refuseToken();
}
