import type { Store } from '../../store/open-store.ts';
import { freshFacts, cachedFacts, type Facts } from '../permission/facts.ts';
import { findIssuer } from '../tokens/issuers.ts';
import { type TokenContent, verifyToken } from '../tokens/token.ts';
import { refuseToken } from './caller.ts';
import { identifyForeign } from './identify-foreign.ts';

/**
 * Reads a token, ours or one of a configured OpenID issuer, and checks that its account is active, that its identity still may
 * act for it, and that the password of the identity is that of the log-in: a change takes effect within a minute. Costs two
 * reads, at the same time, for each account and identity and minute (spec/access.md 1.5).
 *
 * @throws CannotAuthenticate (401); ResourceTemporaryUnavailable (503) when the issuer of a token cannot be reached.
 */
export async function identify(store: Store, token: string): Promise<TokenContent> {
  const issuer = findIssuer(token);
  const content = issuer === undefined ? await verifyToken(token) : await identifyForeign(store, token, issuer);
  // Never refuse from a cached fact.
  if ((await holds(content, cachedFacts(store))) || (await holds(content, freshFacts(store)))) return content;
  return refuseToken();
}

async function holds({ account, origin }: TokenContent, facts: Facts): Promise<boolean> {
  const [found, now] = await Promise.all([
    facts.account(account),
    origin === undefined ? undefined : facts.origin(account, origin),
  ]);
  if (found?.status !== 'ACTIVE') return false;
  return origin === undefined || (now?.mappedAt === origin.mappedAt && now.generation === origin.generation);
}
