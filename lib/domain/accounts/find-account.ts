import { accountName, knownAccountName } from '../../contract/schemas/names.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Account, getAccount } from '../../store/entities/account.ts';

/** @throws InvalidObject (400) when no new account can have this name (spec/access.md 2.1). */
export function requireAccountName(name: string): void {
  const result = accountName.safeParse(name);
  if (!result.success) fail('InvalidObject', `Problem validating account: ${result.error.issues[0]?.message}`);
}

/** Whether there can be an account of this name, whatever the policy says about new ones; others are never looked up. */
export function isAccountName(name: string): boolean {
  return knownAccountName.safeParse(name).success;
}

/**
 * The account, whatever its status.
 *
 * @throws AccountNotFound (404) in the first of Rucio's wordings.
 */
export async function requireAccount(table: Table, account: string): Promise<Account> {
  return (await getAccount(table, account)) ?? fail('AccountNotFound', `Account with ID '${account}' cannot be found`);
}

/**
 * The account if it is active; a suspended or deleted one counts as unknown (spec/access.md 2.3).
 *
 * @param message Of the error; Rucio has three wordings.
 * @throws AccountNotFound (404).
 */
export async function requireActiveAccount(table: Table, account: string, message: string): Promise<Account> {
  const found = await getAccount(table, account);
  return found?.status === 'ACTIVE' ? found : fail('AccountNotFound', message);
}
