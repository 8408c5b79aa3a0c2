import type { Table } from '../../store/batches/table.ts';
import { requireActiveAccount } from '../accounts/find-account.ts';

/** @throws AccountNotFound (404), also for a suspended or deleted account (spec/access.md 2.3). */
export async function requireAccountWithLimits(table: Table, account: string): Promise<void> {
  await requireActiveAccount(table, account, `Account ${account} does not exist`);
}
