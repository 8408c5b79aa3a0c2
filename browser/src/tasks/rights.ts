import { getJson } from '../api/client.ts';
import type { AnswerAt } from '../api/contract.ts';
import { session } from '../api/session.ts';
import { splitDid } from '../format.ts';
import { useLoad } from '../load.ts';

/** The rights of the reader by action. */
export type OwnRights = AnswerAt<'GET', '/accounts/whoami/rights'>;

/** The things that a task acts on. */
type Target = Readonly<Partial<Record<'did' | 'scope' | 'account' | 'rse', string | undefined>>>;

/** Asks what the reader may do with the things that values name; undefined while it is loading. */
export function useRights({ did = '', scope = splitDid(did)?.scope, account, rse }: Target): OwnRights | undefined {
  const query = { scope, account, rse };
  const key = `rights ${session()?.account} ${JSON.stringify(query)}`;
  const { value } = useLoad(key, (signal) =>
    getJson('/accounts/whoami/rights', { query, signal }).catch((error: unknown) => {
      // An RSE that is still being typed has no rights of its own.
      if (rse === undefined || signal.aborted) throw error;
      return getJson('/accounts/whoami/rights', { query: { scope, account }, signal });
    }),
  );
  return value;
}

/** Who has a right, as a sentence that follows a colon. */
export function describeWho(who: string): string {
  return who
    .replace(/^root; or attribute `admin`/, 'root and administrators')
    .replace(/^root$/, 'the account root alone')
    .replaceAll('own account', 'the account itself')
    .replaceAll('its own scope', 'the owner of the scope')
    .replaceAll('`', '');
}
