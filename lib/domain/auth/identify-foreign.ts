import { cachePerTable } from '../../cache.ts';
import { getIdentityWithMappings, isIdentityText } from '../../store/entities/identity.ts';
import type { Store } from '../../store/open-store.ts';
import { type OpenIdIssuer, verifyForeignToken } from '../tokens/issuers.ts';
import type { TokenContent } from '../tokens/token.ts';
import { defaultAccount, refuseToken } from './caller.ts';

/** The accounts of identities, with the TTL of all facts about callers. */
const accountsOf = cachePerTable<string>({ ttlMs: 60_000, maxEntries: 10_000 });

/**
 * The account and identity of a token from a configured OpenID issuer: the default account of the identity
 * `SUB=<sub>, ISS=<issuer>`, else the oldest one (spec/access.md 1.5). Costs one query per identity and minute.
 *
 * @throws CannotAuthenticate (401); ResourceTemporaryUnavailable (503).
 */
export async function identifyForeign(store: Store, token: string, issuer: OpenIdIssuer): Promise<TokenContent> {
  const { subject, expiresAt, audience, scope } = await verifyForeignToken(token, issuer);
  const identity = `SUB=${subject}, ISS=${issuer.issuer}`;
  const accounts = accountsOf(store.table);
  const account =
    accounts.get(identity) ?? (await accounts.reload(identity, () => findAccount(store, identity))) ?? refuseToken();
  return { account, identity, expiresAt, audience, scope };
}

async function findAccount({ table }: Store, identity: string): Promise<string | undefined> {
  if (!isIdentityText(identity)) return undefined;
  const { mappings } = await getIdentityWithMappings(table, { type: 'OIDC', identity });
  return defaultAccount(mappings);
}
