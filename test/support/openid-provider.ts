/** A real OpenID provider on this machine (the package oidc-provider), and a browser that logs in there. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

/** A running provider. */
export interface OpenIdProvider {
  readonly issuer: string;
  /** Dapple's registration there, as Rucio's `idpsecrets.json` has it. */
  readonly registration: Readonly<Record<string, unknown>>;
  /** Method and URL of the requests so far. */
  readonly requests: readonly string[];
  /** Makes all answers errors, or good again. */
  fail(isDown: boolean): void;
  close(): Promise<void>;
}

/** Starts a provider that knows one client with these redirect URIs. It lets everybody in, with any password. */
export async function startOpenIdProvider(redirectUris: readonly string[]): Promise<OpenIdProvider> {
  const requests: string[] = [];
  let isDown = false;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (isDown) response.writeHead(500).end();
    else handle(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = {
    client_id: 'dapple',
    client_secret: randomBytes(24).toString('hex'),
    redirect_uris: redirectUris,
  };
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const handle = new Provider(issuer, {
    clients: [{ ...client, grant_types: ['authorization_code', 'refresh_token'] }],
    pkce: { required: () => true },
    scopes: ['openid', 'offline_access', 'profile'],
    claims: { openid: ['sub'], profile: ['name'] },
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    rotateRefreshToken: true,
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(24).toString('hex')] },
    ttl: {
      AccessToken: 3_600,
      Grant: 1_209_600,
      IdToken: 3_600,
      Interaction: 3_600,
      RefreshToken: 1_209_600,
      Session: 3_600,
    },
  }).callback();
  return {
    issuer,
    registration: { issuer, ...client },
    requests,
    fail: (next) => {
      isDown = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A browser: follows redirects and keeps cookies, until it leaves the provider. */
class Browser {
  readonly #cookies = new Map<string, string>();

  async open(url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: {
        Accept: 'text/html',
        Cookie: Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }
}

/**
 * Acts as a user: opens the URL of the client, logs in at the provider and agrees.
 *
 * @returns The URL to which the provider sends the browser in the end; nobody has opened it.
 */
export async function logInAtProvider(startUrl: string, user: string): Promise<string> {
  const browser = new Browser();
  let [url, answer] = [startUrl, await browser.open(startUrl)];
  for (let step = 0; step < 20; step += 1) {
    const location = answer.headers.get('Location');
    if (location !== null) {
      url = new URL(location, url).href;
      if (url.includes('/auth/oidc_code')) return url;
      answer = await browser.open(url);
      continue;
    }
    const page = await answer.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (prompt === undefined) throw new Error(`the provider shows ${answer.status} ${page}`);
    answer = await browser.open(url, { prompt, login: user, password: 'any' });
  }
  throw new Error('the provider redirects for ever');
}

/** Opens a URL as a browser does. */
export function openPage(url: string): Promise<Response> {
  return new Browser().open(url);
}
