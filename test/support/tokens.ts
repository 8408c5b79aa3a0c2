import { issueToken } from '../../lib/domain/tokens/token.ts';
import { getOrigin } from '../../lib/store/entities/identity.ts';
import type { Store } from '../../lib/store/open-store.ts';

/** A token of an account, as after a log-in with one of its usernames. */
export async function newToken(
  { table }: Store,
  { account, identity }: { readonly account: string; readonly identity: string },
  now = Date.now(),
): Promise<string> {
  const origin = await getOrigin(table, account, { type: 'USERPASS', identity });
  if (origin === undefined) throw new Error(`${identity} may not act for ${account}`);
  return (await issueToken({ account, identity, origin }, now)).token;
}

/** Basis of a token that nobody checks. */
export const anyOrigin = { type: 'USERPASS', identity: 'x', mappedAt: 0, generation: 0 } as const;
