import type { Database } from './database.ts';

/** How long a repeated transaction is recognised, in milliseconds. */
const lifetimeMilliseconds = 600_000;
/** Tokens are pruned once for so many new ones. */
const pruneEvery = 1_000;

/** The tokens of the transactions of the last ten minutes, so that a repeat does nothing twice. */
export class TokenStore {
  readonly #database: Database;
  #added = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The request that came with a token; undefined when there was none. */
  find(token: string, now: number): string | undefined {
    const row = this.#database.first(
      'SELECT request FROM tokens WHERE token = ? AND at > ?',
      token,
      now - lifetimeMilliseconds,
    );
    return row === undefined ? undefined : String(row[0]);
  }

  /** @param request A digest of what the request asked for. */
  add(token: string, request: string, now: number): void {
    this.#database.run('INSERT OR REPLACE INTO tokens (token, request, at) VALUES (?, ?, ?)', token, request, now);
    this.#added += 1;
    if (this.#added % pruneEvery === 0) {
      this.#database.run('DELETE FROM tokens WHERE at <= ?', now - lifetimeMilliseconds);
    }
  }
}
