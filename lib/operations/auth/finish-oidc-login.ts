import { clock } from '../../clock.ts';
import { defaultAccount, originNow } from '../../domain/auth/caller.ts';
import { findOidcClient, type OidcClient } from '../../domain/oidc/oidc-clients.ts';
import { ProviderRefusal, type ProviderTokens, redeemCode } from '../../domain/oidc/provider.ts';
import { oidcRefusal, refuseOidcLogin } from '../../domain/oidc/refuse.ts';
import { seal } from '../../domain/oidc/seal.ts';
import { type OpenTicket, proofsOf, readTicket, writeTicket } from '../../domain/oidc/tickets.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import { getIdentityWithMappings, isIdentityText } from '../../store/entities/identity.ts';
import { getLoginFacts } from '../../store/entities/login.ts';
import {
  getOidcLogin,
  grantOidcLogin,
  type OidcGrant,
  type OidcLogin,
  useOidcLogin,
} from '../../store/entities/oidc-login.ts';

/** The code that the user types into the client; undefined: the client fetches its token by itself. */
export interface FinishedLogin {
  readonly account: string;
  readonly code: string | undefined;
}

/**
 * Takes the provider's answer from the browser of the user (spec/access.md 1.7). A state that is not ours costs no read, and
 * each of ours at most one request to the provider.
 *
 * @param query The query of the answer.
 * @throws CannotAuthenticate (401); ResourceTemporaryUnavailable (503) when the provider does not answer.
 */
export async function finishOidcLogin(
  context: AnonymousContext,
  query: Readonly<Record<string, string>>,
): Promise<FinishedLogin> {
  const { store, now } = context;
  const state = (await readTicket('state', query['state'] ?? '')) ?? refuseOidcLogin();
  const login = await getOidcLogin(store.table, state.id, now);
  if (login?.stage !== 'asked') return refuseOidcLogin();
  const client = (await findOidcClient(login.provider)) ?? refuseOidcLogin();
  await store.write(async () => [useOidcLogin(state.id, oidcRefusal)]);
  const grant = await toGrant(context, login, await redeem(client, login, state, query));
  await store.write(async () => [grantOidcLogin(state.id, grant, clock.now(), oidcRefusal)]);
  return { account: grant.account, code: login.isPolling ? undefined : writeTicket('code', state) };
}

async function redeem(
  client: OidcClient,
  { redirectUri }: OidcLogin,
  ticket: OpenTicket,
  query: Readonly<Record<string, string>>,
): Promise<ProviderTokens> {
  const answer = new URL(redirectUri);
  answer.search = new URLSearchParams(query).toString();
  try {
    return await redeemCode(client, answer, { state: writeTicket('state', ticket), ...proofsOf(ticket) });
  } catch (error) {
    if (error instanceof ProviderRefusal) return refuseOidcLogin();
    throw error;
  }
}

/** The grant for the requested account, or for the one of the identity. */
async function toGrant(context: AnonymousContext, login: OidcLogin, tokens: ProviderTokens): Promise<OidcGrant> {
  const { table } = context.store;
  const { subject, issuer, accessUntil, refreshToken } = tokens;
  const identity = `SUB=${subject}, ISS=${issuer}`;
  if (subject === undefined || issuer === undefined || !isIdentityText(identity)) return refuseOidcLogin();
  const key = { type: 'OIDC', identity };
  const account = login.account ?? defaultAccount((await getIdentityWithMappings(table, key)).mappings);
  const origin = account && originNow(await getLoginFacts(table, account, key));
  if (!account || !origin) return refuseOidcLogin();
  return {
    account,
    identity,
    subject,
    ...(accessUntil === undefined ? {} : { accessUntil }),
    ...(refreshToken === undefined ? {} : { refreshToken: await seal(refreshToken) }),
  };
}
