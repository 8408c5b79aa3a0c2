import type { Database } from './database.ts';

/** Time for which a repeated transaction is recognised. */
const lifetimeMs = 600_000;
/** Expired tokens are deleted once per this many new ones. */
const tokensPerPrune = 1_000;

/** The idempotency tokens of the transactions of the last ten minutes. */
export class TokenStore {
  readonly #database: Database;
  #added = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The request that came with a token; undefined if there was none. */
  find(token: string, now: number): string | undefined {
    const row = this.#database.first('SELECT request FROM tokens WHERE token = ? AND at > ?', token, now - lifetimeMs);
    return row === undefined ? undefined : String(row[0]);
  }

  /** @param request A digest of the request's content. */
  add(token: string, request: string, now: number): void {
    this.#database.run('INSERT OR REPLACE INTO tokens (token, request, at) VALUES (?, ?, ?)', token, request, now);
    this.#added += 1;
    if (this.#added % tokensPerPrune === 0) {
      this.#database.run('DELETE FROM tokens WHERE at <= ?', now - lifetimeMs);
    }
  }
}
