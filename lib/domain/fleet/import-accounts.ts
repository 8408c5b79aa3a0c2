import type { ImportedAccount } from '../../contract/schemas/fleet.ts';
import { fail, RucioError } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Account, changeAccount, getAccounts, insertAccount, listAccounts } from '../../store/entities/account.ts';
import { LostRace, type Plan, type Write } from '../../store/items/plan.ts';

/**
 * The writes that create the accounts of an import, change the e-mail addresses of existing ones, and delete all other
 * active accounts but root. An import without accounts changes none (spec/rses.md 1.30).
 *
 * @param now In milliseconds since 1970.
 * @throws InvalidObject, UnsupportedAccountName (400); Duplicate (409) for an account that is suspended or deleted.
 */
export async function planAccounts(latest: Table, given: readonly ImportedAccount[], now: number): Promise<Plan> {
  if (given.length === 0) return [];
  const names = new Set<string>();
  for (const { account } of given) {
    if (names.has(account)) fail('InvalidObject', `Problem validating import: the account ${account} is there twice`);
    names.add(account);
  }
  const [known, active] = await Promise.all([getAccounts(latest, [...names]), Array.fromAsync(activeAccounts(latest))]);
  const byName = new Map(known.map((account) => [account.account, account]));
  return [
    ...given.flatMap((account) => planAccount(byName.get(account.account), account, now)),
    ...active.filter((name) => !names.has(name) && name !== 'root').map((name) => deletion(name, now)),
  ];
}

async function* activeAccounts(latest: Table): AsyncGenerator<string> {
  for await (const { account, status } of listAccounts(latest)) if (status === 'ACTIVE') yield account;
}

function planAccount(known: Account | undefined, { account, email }: ImportedAccount, now: number): Write[] {
  if (known === undefined) return [creation(account, email, now)];
  if (known.status !== 'ACTIVE') throw duplicate(account);
  return email && email !== known.email ? [changeAccount(account, { email, updatedAt: now }, onRace)] : [];
}

function creation(account: string, email: string | null, now: number): Write {
  if (account === 'super_root') fail('UnsupportedAccountName', 'The name "super_root" cannot be used.');
  const times = { createdAt: now, updatedAt: now, suspendedAt: null, deletedAt: null };
  return insertAccount({ account, type: 'USER', status: 'ACTIVE', email, attributes: {}, ...times }, onRace);
}

function deletion(account: string, now: number): Write {
  return changeAccount(account, { status: 'DELETED', deletedAt: now, updatedAt: now }, onRace, { status: 'ACTIVE' });
}

const onRace = () => new LostRace('an account was changed concurrently');

function duplicate(account: string): RucioError {
  return new RucioError('Duplicate', `Account ID '${account}' already exists!`);
}
