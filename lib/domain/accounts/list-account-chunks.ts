import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { listAccounts } from '../../store/entities/account.ts';
import { type Page, sliceOf, wholeList } from '../paging/page.ts';

const accountsPerChunk = 100;

/**
 * The names of all accounts, in chunks of one batch read. Usage is stored with the account and has no index by RSE, so the
 * cost of a question about all accounts grows with their number.
 */
export async function* listAccountChunks(table: Table, page: Page = wholeList): AsyncGenerator<string[]> {
  const slice = sliceOf(page, page.after?.[0]);
  const accounts = listAccounts(table, '', slice);
  for await (const chunk of splitIntoChunks(accounts, Math.min(slice.pageSize ?? accountsPerChunk, accountsPerChunk))) {
    yield chunk.map(({ account }) => account);
  }
}
