import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Change, Insert } from '../items/plan.ts';
import { attributesReader, isFlag, isNumber, isText, oneOf, optional } from '../items/read-attributes.ts';
import { oidcKeys } from '../keys/oidc-keys.ts';

/** Request of a client that begins a log-in. */
export interface OidcRequest {
  /** The account to act for; absent: the identity's. */
  readonly account?: string;
  /** The id of the provider's registration. */
  readonly provider: string;
  readonly redirectUri: string;
  readonly scope: string;
  readonly audience: string;
  readonly isPolling: boolean;
  /** How long its tokens may be refreshed. */
  readonly refreshHours: number;
}

/** Grant of the provider. */
export interface OidcGrant {
  readonly account: string;
  readonly identity: string;
  readonly subject: string;
  /** When the access token of the provider ends, in milliseconds since 1970; absent: unknown. */
  readonly accessUntil?: number;
  /** Sealed. */
  readonly refreshToken?: string;
}

/** `asked`: nobody was at the provider yet; `used`: its answer has arrived; `granted`: a token waits; `fetched`: it is gone. */
export type OidcStage = 'asked' | 'used' | 'granted' | 'fetched';

/** A log-in under way. */
export interface OidcLogin extends OidcRequest, Partial<OidcGrant> {
  readonly stage: OidcStage;
}

/** How long each part of a log-in may take, as in Rucio. */
const lifetimeMs = 300_000;

const ttlOf = (now: number) => Math.ceil((now + lifetimeMs) / 1_000);

/** The log-in with an id; undefined if there is none, or it is too old. */
export async function getOidcLogin(table: Table, id: string, now: number): Promise<OidcLogin | undefined> {
  const item = await table.get(oidcKeys.login(id));
  if (item === undefined) return undefined;
  // DynamoDB deletes expired items late.
  const { ttl, ...login } = readLogin(item);
  return ttl * 1_000 > now ? login : undefined;
}

/** The write that begins a log-in. */
export function insertOidcLogin(id: string, request: OidcRequest, now: number, onExists: () => Error): Insert {
  return {
    kind: 'insert',
    item: { ...oidcKeys.login(id), ...request, stage: 'asked', ttl: ttlOf(now) },
    onExists,
  };
}

/** The write that uses up the state of a log-in, so that one answer of the provider counts. */
export function useOidcLogin(id: string, onMismatch: (existing: Item | undefined) => Error): Change {
  return {
    kind: 'change',
    key: oidcKeys.login(id),
    patch: { set: { stage: 'used' } },
    when: { stage: 'asked' },
    onMismatch,
  };
}

/** The write that notes what the provider has granted. */
export function grantOidcLogin(id: string, grant: OidcGrant, now: number, onMismatch: () => Error): Change {
  return {
    kind: 'change',
    key: oidcKeys.login(id),
    patch: { set: { ...grant, stage: 'granted', ttl: ttlOf(now) } },
    when: { stage: 'used' },
    onMismatch,
  };
}

/** The write with which a client fetches its token, once. */
export function fetchOidcLogin(id: string, onMismatch: () => Error): Change {
  return {
    kind: 'change',
    key: oidcKeys.login(id),
    patch: { set: { stage: 'fetched' }, remove: ['refreshToken'] },
    when: { stage: 'granted' },
    onMismatch,
  };
}

const readLogin = attributesReader<OidcLogin & { readonly ttl: number }>({
  stage: oneOf<OidcStage>({ asked: 1, used: 1, granted: 1, fetched: 1 }),
  account: optional(isText),
  provider: isText,
  redirectUri: isText,
  scope: isText,
  audience: isText,
  isPolling: isFlag,
  refreshHours: isNumber,
  identity: optional(isText),
  subject: optional(isText),
  accessUntil: optional(isNumber),
  refreshToken: optional(isText),
  ttl: isNumber,
});
