import { clock } from '../../clock.ts';
import { getAccount, insertAccount } from '../../store/entities/account.ts';
import { insertIdentity, insertMapping } from '../../store/entities/identity.ts';
import type { Store } from '../../store/open-store.ts';
import { hashPassword } from '../identities/password.ts';

/**
 * Creates the account `root` with a user and a password, unless it exists: a later start with another password changes
 * nothing. The account has no attributes, as in Rucio (spec/access.md 2.1).
 */
export async function bootstrapRoot(
  store: Store,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<'created' | 'found'> {
  if ((await getAccount(store.table, 'root')) !== undefined) return 'found';
  const now = clock.now();
  const identity = { type: 'USERPASS', identity: username, email: '' };
  const root = {
    account: 'root',
    type: 'SERVICE',
    status: 'ACTIVE',
    email: null,
    attributes: {},
    createdAt: now,
    updatedAt: now,
    suspendedAt: null,
    deletedAt: null,
  };
  const found = new Error('another process has created the account root');
  const onExists = () => found;
  const hash = await hashPassword(password);
  try {
    await store.write(async () => [
      insertAccount(root, onExists),
      insertIdentity({ ...identity, password: hash }, now, onExists),
      ...insertMapping({ ...identity, account: 'root', isDefault: true }, now, onExists),
    ]);
  } catch (error) {
    if (error === found) return 'found';
    throw error;
  }
  return 'created';
}
