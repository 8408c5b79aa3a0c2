import { readFile } from 'node:fs/promises';

import * as z from 'zod/mini';

import { Cache } from '../../cache.ts';
import { env } from '../../env.ts';
import { parseNamed } from '../../json-names.ts';
import { readSecret } from '../../store/secrets.ts';
import { isLocalHost } from '../tokens/issuers.ts';

const text = z.string().check(z.minLength(1));

/** A URL with TLS. Only the local machine needs none: on a network, others could read and change the requests. */
const safeUrl = z.string().check(z.refine(isSafeUrl));

function isSafeUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLocalHost(new URL(url)));
}

const registration = z.object({
  issuer: safeUrl,
  client_id: text,
  client_secret: text,
  redirect_uris: z.array(safeUrl.check(z.regex(/^[^?#]*\/auth\/oidc_code$/))).check(z.minLength(1)),
});

/** Dapple's registration as a client of a provider, in the form of Rucio's `idpsecrets.json`. */
export type OidcClient = z.output<typeof registration> & { readonly id: string };

const document = z.record(z.string(), registration);

/** A changed registration is used everywhere within this time. */
const clientsTtlMs = 5 * 60_000;

/** By their source; a process has one. */
const cache = new Cache<readonly OidcClient[]>({ ttlMs: clientsTtlMs });

/**
 * The registration with an id, by default the first one; undefined if there is none. They are at most five minutes old: from
 * a file on a laptop, from Secrets Manager when deployed (spec/access.md 1.7).
 *
 * @throws Error if they cannot be read; its message holds nothing of them.
 */
export async function findOidcClient(id: string | undefined): Promise<OidcClient | undefined> {
  const { oidcClientsFile: file, oidcClientsSecretId: secretId } = env;
  const source = file ?? secretId;
  if (source === undefined) return undefined;
  const clients = await cache.getOrLoad(source, async () =>
    file === undefined
      ? parse(await readSecret(source), 'the secret of the OpenID clients')
      : parse(await readFile(file, 'utf8'), file),
  );
  return id === undefined ? clients[0] : clients.find((client) => client.id === id);
}

function parse(source: string, what: string): readonly OidcClient[] {
  try {
    return Object.entries(document.parse(parseNamed(source))).map(([id, client]) => Object.assign(client, { id }));
  } catch {
    // The cause could quote a secret.
    throw new Error(`${what} is no JSON object with OpenID clients (docs/operations/configuration.md)`);
  }
}
