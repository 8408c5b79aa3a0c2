import { getIdentityWithMappings } from '../../store/entities/identity.ts';
import { isEncodablePart } from '../../store/keys/key-parts.ts';
import type { Store } from '../../store/open-store.ts';
import { type Issuer, verifyForeignToken } from '../tokens/issuers.ts';
import type { TokenContent } from '../tokens/token.ts';
import { refuseToken } from './caller.ts';

/** How long the account of an identity is remembered, in milliseconds: as long as every other fact about callers. */
const memory = 60_000;

/** By the name of the table and the identity. */
const remembered = new Map<string, { readonly account: string; readonly until: number }>();

/**
 * The account and identity behind a token of a configured OpenID issuer: the default account of the identity
 * `SUB=<sub>, ISS=<issuer>`, else the oldest one (spec/access.md 1.5). Costs one query a minute and identity.
 *
 * @throws CannotAuthenticate (401); ResourceTemporaryUnavailable (503).
 */
export async function identifyForeign(store: Store, token: string, issuer: Issuer): Promise<TokenContent> {
  const { subject, expiresAt, audience, scope } = await verifyForeignToken(token, issuer);
  const identity = `SUB=${subject}, ISS=${issuer.issuer}`;
  const account = recall(store, identity) ?? (await findAccount(store, identity)) ?? refuseToken();
  return { account, identity, expiresAt, audience, scope };
}

function recall({ table }: Store, identity: string): string | undefined {
  const known = remembered.get(`${table.name} ${identity}`);
  return known === undefined || known.until < Date.now() ? undefined : known.account;
}

async function findAccount({ table }: Store, identity: string): Promise<string | undefined> {
  if (!isEncodablePart(identity)) return undefined;
  const { mappings } = await getIdentityWithMappings(table, { type: 'OIDC', identity });
  const oldest = mappings.toSorted((a, b) => a.createdAt - b.createdAt)[0];
  const account = (mappings.find(({ isDefault }) => isDefault) ?? oldest)?.account;
  if (account === undefined) return undefined;
  if (remembered.size > 10_000) remembered.clear();
  remembered.set(`${table.name} ${identity}`, { account, until: Date.now() + memory });
  return account;
}
