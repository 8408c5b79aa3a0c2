import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';

/**
 * Replaces `@smithy/core/checksum` in the bundles: the SDK signs requests with SHA-256, which Node.js always has. The
 * SDK's own class carries an implementation in JavaScript for runtimes without it, 3 KB that a function never uses.
 */
export class Sha256 {
  readonly digestLength = 32;
  readonly #secret: string | Uint8Array | undefined;
  #hash: Hash | Hmac;

  /** @param secret The key of an HMAC; absent: a plain hash. */
  constructor(secret?: string | Uint8Array) {
    this.#secret = secret;
    this.#hash = this.#start();
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  /** Takes the digest of all data since the last reset; ends the hash. */
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#start();
  }

  #start(): Hash | Hmac {
    return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', this.#secret);
  }
}
