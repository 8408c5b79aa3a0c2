import type { Store } from '../../store/open-store.ts';

/** On whose behalf an operation runs; taken from the token alone. */
export interface Issuer {
  readonly account: string;
  readonly identity: string;
}

/** What an operation of a route without a token gets. */
export interface AnonymousContext {
  readonly store: Store;
  /** The time of the request in milliseconds since 1970. */
  readonly now: number;
}

/** What an operation gets that needs no token and gives more to whoever shows a good one. */
export interface GuestContext extends AnonymousContext {
  readonly issuer?: Issuer;
}

/** What every other operation gets. */
export interface Context extends AnonymousContext {
  readonly issuer: Issuer;
}
