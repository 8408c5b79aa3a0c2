import { readFile } from 'node:fs/promises';

import * as z from 'zod/mini';

import { Cache } from '../../cache.ts';
import { env } from '../../env.ts';
import { parseNamed } from '../../json-names.ts';
import { readSecret } from '../../store/secrets.ts';

const text = z.string().check(z.minLength(1));

const rseCredentials = z.object({
  /** S3. */
  access_key: z.optional(text),
  secret_key: z.optional(text),
  region: z.optional(text),
  /** WebDAV: the bearer token with which files are deleted and copied. */
  auth_token: z.optional(text),
  /** The bearer token for the FTS server of the RSE. */
  fts_token: z.optional(text),
  /** Swift: the key of temporary URLs. */
  tempurl_key: z.optional(text),
  /** Google Cloud Storage: the key file of a service account. */
  gcs: z.optional(z.object({ client_email: text, private_key: text })),
});
/** The credentials of an RSE, as in Rucio's `rse-accounts.cfg`. */
export type RseCredentials = z.output<typeof rseCredentials>;

const document = z.record(z.string(), rseCredentials);

/** A changed secret is used everywhere within this time. */
const credentialsTtlMs = 5 * 60_000;

/** By their source; a process has one. */
const cache = new Cache<Readonly<Record<string, RseCredentials>>>({ ttlMs: credentialsTtlMs });

/**
 * The credentials of an RSE, by its name or its id; undefined if it has none. They are at most five minutes old: from a
 * file on a laptop, from Secrets Manager when deployed.
 *
 * @throws Error if they cannot be read; its message holds nothing of them.
 */
export async function findRseCredentials(rse: { readonly id: string; readonly rse: string }) {
  const { rseCredentialsFile: file, rseCredentialsSecretId: secretId } = env;
  const source = file ?? secretId;
  if (source === undefined) return undefined;
  const all = await cache.getOrLoad(source, async () =>
    file === undefined
      ? parse(await readSecret(source), 'the secret of the credentials of RSEs')
      : parse(await readFile(file, 'utf8'), file),
  );
  return [rse.rse, rse.id].flatMap((key) => (Object.hasOwn(all, key) ? (all[key] ?? []) : []))[0];
}

function parse(source: string, what: string): Readonly<Record<string, RseCredentials>> {
  try {
    return document.parse(parseNamed(source));
  } catch {
    // The cause could quote a secret.
    throw new Error(`${what} is no JSON object with the credentials of RSEs`);
  }
}
