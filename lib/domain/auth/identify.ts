import type { Store } from '../../store/open-store.ts';
import { freshFacts, cachedFacts } from '../permission/facts.ts';
import { findIssuer } from '../tokens/issuers.ts';
import { type TokenContent, verifyToken } from '../tokens/token.ts';
import { refuseToken } from './caller.ts';
import { identifyForeign } from './identify-foreign.ts';

/**
 * Reads a token, ours or one of a configured OpenID issuer, and checks that its account is active: a ban takes effect
 * within a minute. Costs one read per account and minute (spec/access.md 1.5).
 *
 * @throws CannotAuthenticate (401); ResourceTemporaryUnavailable (503) when the issuer of a token cannot be reached.
 */
export async function identify(store: Store, token: string): Promise<TokenContent> {
  const issuer = findIssuer(token);
  const content = issuer === undefined ? await verifyToken(token) : await identifyForeign(store, token, issuer);
  if ((await cachedFacts(store).account(content.account))?.status === 'ACTIVE') return content;
  // Never refuse from a cached fact.
  if ((await freshFacts(store).account(content.account))?.status === 'ACTIVE') return content;
  return refuseToken();
}
