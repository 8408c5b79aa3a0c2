import { rseName } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import { getRse, type Rse } from '../../store/entities/rse.ts';
import type { Table } from '../../store/table.ts';
import { requireActiveAccount } from '../accounts/find-account.ts';

/** @throws RSENotFound (404). */
export async function requireRse(table: Table, name: string): Promise<Rse> {
  const rse = rseName.safeParse(name).success ? await getRse(table, name) : undefined;
  return rse ?? fail('RSENotFound', `RSE '${name}' cannot be found in vo 'def'`);
}

/** @throws AccountNotFound (404), also for a suspended or deleted account (spec/access.md 2.3). */
export async function requireLimitable(table: Table, account: string): Promise<void> {
  await requireActiveAccount(table, account, `Account ${account} does not exist`);
}
