import type { Table } from '../batches/table.ts';
import type { Change, Insert } from '../items/plan.ts';
import { attributesReader, isNumber, isText, optional } from '../items/read-attributes.ts';
import { oidcKeys } from '../keys/oidc-keys.ts';

/** Data to refresh a token. Secrets are sealed. */
export interface OidcSession {
  readonly account: string;
  readonly identity: string;
  readonly subject: string;
  /** The id of the provider's registration. */
  readonly provider: string;
  /** When the token was issued, in milliseconds since 1970. */
  readonly since: number;
  /** When refreshing ends, in milliseconds since 1970. */
  readonly until: number;
  readonly refreshToken?: string;
  /** A refresh is under way until then. */
  readonly busyUntil?: number;
  /** The token that has replaced this one. */
  readonly successor?: string;
}

/** The session of a token; undefined if there is none, or it has ended. */
export async function getOidcSession(table: Table, token: string, now: number): Promise<OidcSession | undefined> {
  const item = await table.get(oidcKeys.session(token));
  const session = item && readSession(item);
  return session !== undefined && session.until > now ? session : undefined;
}

/** The write that begins the session of a token. */
export function insertOidcSession(token: string, session: OidcSession, onExists: () => Error): Insert {
  const ttl = Math.ceil(session.until / 1_000);
  return { kind: 'insert', item: { ...oidcKeys.session(token), ...session, ttl }, onExists };
}

/** The write with which one of concurrent refreshes begins. */
export function beginOidcRefresh(
  token: string,
  { busyUntil, refreshToken }: OidcSession,
  until: number,
  onMismatch: () => Error,
): Change {
  return {
    kind: 'change',
    key: oidcKeys.session(token),
    patch: { set: { busyUntil: until } },
    when: { busyUntil, refreshToken },
    onMismatch,
  };
}

/** The write that ends the session of a token, in favour of its successor if there is one. */
export function endOidcSession(
  token: string,
  busyUntil: number,
  successor: string | undefined,
  onMismatch: () => Error,
): Change {
  return {
    kind: 'change',
    key: oidcKeys.session(token),
    patch: { ...(successor === undefined ? {} : { set: { successor } }), remove: ['refreshToken', 'busyUntil'] },
    when: { busyUntil },
    onMismatch,
  };
}

const readSession = attributesReader<OidcSession>({
  account: isText,
  identity: isText,
  subject: isText,
  provider: isText,
  since: isNumber,
  until: isNumber,
  refreshToken: optional(isText),
  busyUntil: optional(isNumber),
  successor: optional(isText),
});
