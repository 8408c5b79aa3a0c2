import { isAccountName } from '../../domain/accounts/find-account.ts';
import { isOurVo } from '../../domain/auth/caller.ts';
import { findOidcClient, type OidcClient } from '../../domain/oidc/oidc-clients.ts';
import { getSigningKey, newLoginId, writeTicket } from '../../domain/oidc/tickets.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { getAccount } from '../../store/entities/account.ts';
import { insertOidcLogin } from '../../store/entities/oidc-login.ts';

/** Request of a client to begin a log-in; empty texts count as absent. */
export interface OidcLoginInput {
  readonly vo: string | undefined;
  readonly account: string | undefined;
  readonly scope: string | undefined;
  readonly audience: string | undefined;
  readonly provider: string | undefined;
  readonly polling: string | undefined;
  readonly refreshLifetime: string | undefined;
  /** The host that the request names; chooses among the registered redirect URIs. */
  readonly host: string | undefined;
}

/** The suffix of the tickets of clients that poll. */
export const pollingSuffix = '_polling';

const required = { scope: 'openid profile', audience: 'rucio' };

/** The length of scope and audience, so that a caller without a token makes small items only. */
const maxTextLength = 500;

const refreshHours = { default: 96, max: 720 };

/**
 * Begins a log-in at an OpenID provider (spec/access.md 1.7). Costs a read of the account that is named, and a write.
 *
 * @returns The URL for the browser of the user: one of this server.
 * @throws RucioException (400) for a malformed VO; CannotAuthenticate (401).
 */
export async function requestOidcLogin({ store, now }: AnonymousContext, input: OidcLoginInput): Promise<string> {
  const isHere = isOurVo(input.vo);
  // The web interface calls itself by this name while it knows no account.
  const account = input.account === 'webui' ? undefined : input.account || undefined;
  const client = isHere ? await findOidcClient(input.provider || undefined) : undefined;
  const scope = readWords(input.scope, required.scope);
  const audience = readWords(input.audience, required.audience);
  const hours = readHours(input.refreshLifetime);
  const isPossible =
    account === undefined || (isAccountName(account) && (await getAccount(store.table, account))?.status === 'ACTIVE');
  if (client === undefined || scope === undefined || audience === undefined || hours === undefined || !isPossible) {
    return refuse(account);
  }
  const [id, key] = [newLoginId(), await getSigningKey()];
  const isPolling = input.polling?.toLowerCase() === 'true';
  const redirectUri = chooseRedirectUri(client, input.host);
  const request = { provider: client.id, redirectUri, scope, audience, isPolling, refreshHours: hours };
  await store.write(async () => [
    insertOidcLogin(
      id,
      { ...request, ...(account === undefined ? {} : { account }) },
      now,
      () => new Error('id taken'),
    ),
  ]);
  const ticket = writeTicket('ticket', { id, key }) + (isPolling ? pollingSuffix : '');
  return `${redirectUri.replace(/oidc_code$/, 'oidc_redirect')}?${ticket}`;
}

/** The registered address on the host of the request, else the first. */
function chooseRedirectUri({ redirect_uris: [first = '', ...others] }: OidcClient, host: string | undefined): string {
  return [first, ...others].find((uri) => new URL(uri).host === host?.toLowerCase()) ?? first;
}

/** Words that include all required ones; undefined if some are missing. */
function readWords(text: string | undefined, needed: string): string | undefined {
  const words = (text || needed).split(' ').filter(Boolean);
  const isEnough = needed.split(' ').every((word) => words.includes(word));
  return isEnough && words.join(' ').length <= maxTextLength ? words.join(' ') : undefined;
}

function readHours(text: string | undefined): number | undefined {
  if (!text || text === 'None') return refreshHours.default;
  return /^[1-9]\d{0,8}$/.test(text) ? Math.min(Number(text), refreshHours.max) : undefined;
}

function refuse(account: string | undefined): never {
  return fail(
    'CannotAuthenticate',
    `Cannot get authentication URL from Rucio Authentication Server for account ${account ?? 'webui'}`,
  );
}
