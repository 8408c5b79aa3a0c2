import type * as z from 'zod/mini';

import type { historyLine } from '../../contract/schemas/did-lists.ts';
import type { DidKey } from '../../contract/schemas/did.ts';
import { didNotFoundError } from '../../domain/dids/find-did.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { readAhead } from '../../rows/read-ahead.ts';
import { getDid } from '../../store/entities/did.ts';
import { listHistory } from '../../store/entities/edge.ts';
import { formatDate } from '../../time.ts';

/**
 * The past attachments to a DID, one line each, even if the DID itself is deleted (spec/dids.md 2.9).
 *
 * @throws DataIdentifierNotFound (404) if neither the DID nor any history of it exists.
 */
export async function* listContentHistory(
  { store }: Context,
  key: DidKey,
  page: Page = wholeList,
): AsyncGenerator<Placed<z.input<typeof historyLine>>> {
  if (!isValidDid(key)) throw didNotFoundError(key);
  const past = listHistory(store.table, key, sliceOf(page, readHistoryPosition(page)));
  const [did, history] = await Promise.all([getDid(store.table, key), readAhead(past)]);
  let empty = page.after === undefined;
  for await (const { child, type, bytes, adler32, md5, deletedAt, createdAt, updatedAt } of history) {
    empty = false;
    const line = {
      ...child,
      type,
      bytes: (type === 'FILE' ? bytes : null) ?? null,
      adler32: adler32 ?? null,
      md5: md5 ?? null,
      deleted_at: formatDate(deletedAt),
      created_at: formatDate(createdAt),
      updated_at: formatDate(updatedAt ?? createdAt),
    };
    yield placed(line, String(deletedAt), child.scope, child.name);
  }
  if (empty && did === undefined) throw didNotFoundError(key);
}

function readHistoryPosition({ after }: Page) {
  const [deletedAt, scope = '', name = ''] = after ?? [];
  return after === undefined ? undefined : { deletedAt: Number(deletedAt), child: { scope, name } };
}
