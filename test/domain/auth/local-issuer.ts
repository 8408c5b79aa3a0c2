import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** An OpenID issuer on this machine. */
export interface LocalIssuer {
  /** The value of the claim `iss`. */
  readonly url: string;
  /** Paths of the requests so far, in order. */
  readonly requests: readonly string[];
  /** Switches errors in all answers on or off. */
  fail(on: boolean): void;
  /** Replaces the key of the issuer. */
  rotate(): Promise<void>;
  /** A token of the issuer; claims given as undefined are left out. */
  issue(claims?: Readonly<Record<string, unknown>>, headers?: { alg?: string; kid?: string }): Promise<string>;
  close(): Promise<void>;
}

/** Starts an issuer that publishes its metadata and keys; `describes` is the issuer in its metadata. */
export async function startIssuer(options: { describes?: string; jwksUri?: string } = {}): Promise<LocalIssuer> {
  const requests: string[] = [];
  let failing = false;
  let count = 0;
  let current = await newKey();
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.statusCode = failing ? 500 : 200;
    response.setHeader('Content-Type', 'application/json');
    const metadata = { issuer: options.describes ?? url, jwks_uri: options.jwksUri ?? `${url}keys` };
    response.end(JSON.stringify(request.url === '/keys' ? { keys: [current.published] } : metadata));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  async function newKey() {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    count += 1;
    const kid = `key-${count}`;
    return { privateKey, kid, published: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
  }

  return {
    url,
    requests,
    fail: (on) => {
      failing = on;
    },
    rotate: async () => {
      current = await newKey();
    },
    issue: (claims = {}, headers = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: url, sub: 'jane', aud: 'rucio', scope: 'openid profile', iat: now, exp: now + 600 };
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: current.kid, ...headers })
        .sign(current.privateKey);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
