import type { FileDid, Replica } from '../../store/entities/did.ts';

/*
 * Whose rules on a replica have ended (docs/adr/0020-deletion.md). A rule of any account may be about any file, and after its
 * last lock a replica may be deleted: so the end of a stranger's rule would cost the owner a file that stood there without a
 * rule. Who has let it go is noted with each lock that is released; the reaper judges it.
 */

/** Stands for the owner of the file in the list of those who have let a replica go: no account has an empty name. */
export const owner = '';

/** The most accounts that are noted; the latest stay. */
const maxAccounts = 4;

/** The account that has registered a replica, or for whose rule it was made. */
export function makerOf(file: Pick<FileDid, 'account'>, replica: Pick<Replica, 'account'>): string {
  return replica.account ?? file.account;
}

/** The list with one more account. Entries of the owner and of the creator of the file always stay. */
export function noteFreedBy(
  file: Pick<FileDid, 'account'>,
  replica: Pick<Replica, 'freedBy'>,
  account: string,
): readonly string[] {
  const { freedBy = [] } = replica;
  if (freedBy.includes(account)) return freedBy;
  const lasting = freedBy.filter((one) => one === owner || one === file.account);
  const others = freedBy.filter((one) => !lasting.includes(one));
  return [...lasting, ...others.slice(-Math.max(0, maxAccounts - lasting.length - 1)), account];
}

/** The list with the accounts of a later one; undefined if there is neither. */
export function joinFreedBy(
  file: Pick<FileDid, 'account'>,
  first: Replica['freedBy'],
  later: Replica['freedBy'] = [],
): Replica['freedBy'] {
  let joined = first;
  for (const account of later) joined = noteFreedBy(file, joined === undefined ? {} : { freedBy: joined }, account);
  return joined;
}

/** Whether the owner or the creator of a file has let a replica go, as far as the replica tells. */
export function isLetGo(file: Pick<FileDid, 'account'>, { freedBy = [] }: Pick<Replica, 'freedBy'>): boolean {
  return freedBy.includes(owner) || freedBy.includes(file.account);
}
