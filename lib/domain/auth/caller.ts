import { fail, RucioError } from '../../errors.ts';
import { type Origin, originOf, type StoredMapping } from '../../store/entities/identity.ts';
import type { LoginFacts } from '../../store/entities/login.ts';

/** A token, or the accounts from which the caller must choose one. */
export type Login =
  | { readonly account: string; readonly token: string; readonly expiresAt: number }
  | { readonly accounts: readonly string[] };

/**
 * Whether the caller names our virtual organisation, or none; an empty name counts as none.
 *
 * @throws RucioException (400) when it is malformed (spec/access.md 1.2).
 */
export function isOurVo(vo: string | undefined): boolean {
  if (!vo) return true;
  if (!/^[a-zA-Z0-9.-]+$/.test(vo)) {
    throw new RucioError('RucioException', 'Invalid characters in VO name.', { status: 400 });
  }
  return vo === 'def';
}

/** Basis of a token that is issued now; undefined: the identity may not act for the account, or that is not active. */
export function originNow({ account, identity, mapping }: LoginFacts): Origin | undefined {
  return mapping !== undefined && account?.status === 'ACTIVE' ? originOf(identity, mapping) : undefined;
}

/** The account of an identity when the caller names none: the only one, or the default. */
export function chooseMapping(mappings: readonly StoredMapping[]): StoredMapping | undefined {
  return mappings.length === 1 ? mappings[0] : mappings.find(({ isDefault }) => isDefault);
}

/** The account of an OpenID identity when the caller names none: the default, else the oldest (spec/access.md 1.5). */
export function defaultAccount(mappings: readonly StoredMapping[]): string | undefined {
  const oldest = mappings.toSorted((a, b) => a.createdAt - b.createdAt)[0];
  return (mappings.find(({ isDefault }) => isDefault) ?? oldest)?.account;
}

/**
 * @param status Of the account, for a caller who may act for it; others do not learn it.
 * @throws CannotAuthenticate (401) with the message of every refused log-in to an account.
 */
export function refuseLogin(account: string, status?: string): never {
  const reason = status === undefined || status === 'ACTIVE' ? '' : `: the account is ${status.toLowerCase()}`;
  return fail('CannotAuthenticate', `Cannot authenticate to account ${account} with given credentials${reason}`);
}

/** @throws CannotAuthenticate (401) with the message of every refused token. */
export function refuseToken(): never {
  return fail('CannotAuthenticate', 'Cannot authenticate with given credentials');
}
