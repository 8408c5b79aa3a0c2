import type { Store } from '../../store/open-store.ts';

/** The account and identity of the caller, from the token. */
export interface Issuer {
  readonly account: string;
  readonly identity: string;
  /** The type of the identity; absent where the token is not ours. */
  readonly type?: string;
}

/** The context of a route without a token. */
export interface AnonymousContext {
  readonly store: Store;
  /** The time of the request in milliseconds since 1970. */
  readonly now: number;
}

/** The context of a route with an optional token. */
export interface GuestContext extends AnonymousContext {
  readonly issuer?: Issuer;
}

/** The context of a route that requires a token. */
export interface Context extends AnonymousContext {
  readonly issuer: Issuer;
}
