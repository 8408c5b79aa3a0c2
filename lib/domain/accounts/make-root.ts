import * as z from 'zod/mini';

import type { Store } from '../../store/open-store.ts';
import { readSecret } from '../../store/secrets.ts';
import { bootstrapRoot } from './bootstrap.ts';

const login = z.object({ username: z.string().check(z.minLength(1)), password: z.string().check(z.minLength(1)) });

/**
 * Makes the account `root` with the log-in that a secret holds: JSON with `username` and `password`. An account that is
 * there stays as it is.
 *
 * @throws Error when the secret holds no log-in; its message tells nothing of what it holds.
 */
export async function makeRoot(store: Store, secretId: string): Promise<'created' | 'found'> {
  return bootstrapRoot(store, readLogin(await readSecret(secretId), secretId));
}

function readLogin(text: string, secretId: string): z.output<typeof login> {
  try {
    return login.parse(JSON.parse(text));
  } catch {
    // Neither the cause nor its message: both quote the text.
    throw new Error(`the secret ${secretId} is not JSON with a username and a password`);
  }
}
