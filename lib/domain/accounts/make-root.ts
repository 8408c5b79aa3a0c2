import * as z from 'zod/mini';

import { parseNamed } from '../../json-names.ts';
import type { Store } from '../../store/open-store.ts';
import { readSecret } from '../../store/secrets.ts';
import { bootstrapRoot } from './bootstrap.ts';

const login = z.object({ username: z.string().check(z.minLength(1)), password: z.string().check(z.minLength(1)) });

/**
 * Creates the account `root` with the log-in in a secret: JSON with `username` and `password`. An existing account stays
 * as it is.
 *
 * @throws Error when the secret holds no log-in; the message does not quote the secret.
 */
export async function makeRoot(store: Store, secretId: string): Promise<'created' | 'found'> {
  return bootstrapRoot(store, readLogin(await readSecret(secretId), secretId));
}

function readLogin(text: string, secretId: string): z.output<typeof login> {
  try {
    return login.parse(parseNamed(text));
  } catch {
    // Without the cause and its message: both quote the secret.
    throw new Error(`the secret ${secretId} is not JSON with a username and a password`);
  }
}
