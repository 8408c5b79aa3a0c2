import type { Table } from '../../store/batches/table.ts';
import { listAccounts } from '../../store/entities/account.ts';
import { type Page, sliceOf, wholeList } from '../paging/page.ts';
import { chunksOf } from '../values/chunks.ts';

const chunkSize = 100;

/**
 * The names of all accounts, as many at once as a request to the table takes. What they use lies with them, and no index
 * leads to it from an RSE: what is asked of all of them costs as much as there are accounts.
 */
export async function* chunksOfAccounts(table: Table, page: Page = wholeList): AsyncGenerator<string[]> {
  const slice = sliceOf(page, page.after?.[0]);
  const accounts = listAccounts(table, '', slice);
  for await (const chunk of chunksOf(accounts, Math.min(slice.pageSize ?? chunkSize, chunkSize))) {
    yield chunk.map(({ account }) => account);
  }
}
