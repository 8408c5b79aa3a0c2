import type { LifetimeExceptionRecord } from '../../contract/schemas/lifetime-exception.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import type { Context } from '../../domain/values/context.ts';
import { readId } from '../../domain/values/ids.ts';
import { type LifetimeException, listLifetimeExceptions } from '../../store/entities/lifetime-exception.ts';
import { formatDate, formatOptionalDate } from '../../time.ts';

/** Exceptions to the lifetime model by id, all or those of one; of an unknown id none (spec/access.md 6.5). */
export async function* listExceptionRecords(
  { store: { table } }: Context,
  wanted: string | undefined,
  page: Page = wholeList,
): AsyncGenerator<Placed<LifetimeExceptionRecord>> {
  const [id = '', scope = '', name = ''] = page.after ?? [];
  const after = page.after === undefined ? undefined : { id, did: { scope, name } };
  const only = wanted === undefined ? undefined : (readId(wanted) ?? wanted);
  for await (const exception of listLifetimeExceptions(table, only, sliceOf(page, after))) {
    const { did } = exception;
    yield placed(describe(exception), exception.id, did.scope, did.name);
  }
}

function describe(exception: LifetimeException): LifetimeExceptionRecord {
  return {
    id: exception.id,
    scope: exception.did.scope,
    name: exception.did.name,
    did_type: exception.didType,
    account: exception.account,
    pattern: exception.pattern,
    comments: exception.comments,
    state: exception.state,
    created_at: formatDate(exception.createdAt),
    expires_at: formatOptionalDate(exception.expiresAt),
  };
}
