import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** An OpenID issuer on this machine. */
export interface LocalIssuer {
  /** As in the claim `iss`. */
  readonly url: string;
  /** Paths that have been asked for, in order. */
  readonly requests: readonly string[];
  /** Makes every answer an error, or ends that. */
  fail(on: boolean): void;
  /** Gives the issuer a new key in place of the old one. */
  rotate(): Promise<void>;
  /** A token of the issuer; claims given as undefined are left out. */
  issue(claims?: Readonly<Record<string, unknown>>, headers?: { alg?: string; kid?: string }): Promise<string>;
  close(): Promise<void>;
}

/** Starts an issuer that describes itself and publishes its keys; `describes` is what it says it is. */
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
