import { log } from '../../log.ts';
import { changeHash, type Identity } from '../../store/entities/identity.ts';
import type { Store } from '../../store/open-store.ts';
import { hashPassword, isOutdatedHash } from './password.ts';

/** The hash was replaced concurrently. */
class AlreadyRenewed extends Error {}

/**
 * Replaces a hash that came from a Rucio server, now that its password is known. A log-in does not fail because of it: the
 * next one tries again.
 *
 * @param identity As it was read; the password was found to be correct.
 */
export async function renewPassword(store: Store, identity: Identity, password: string): Promise<void> {
  if (identity.password === undefined || !isOutdatedHash(identity.password)) return;
  try {
    const hash = await hashPassword(password);
    await store.write(async () => [changeHash(identity, hash, () => new AlreadyRenewed())]);
  } catch (error) {
    if (!(error instanceof AlreadyRenewed)) log.warn('a password could not be hashed anew', { error: error as Error });
  }
}
