import { useEffect, useState } from 'preact/hooks';

import { type ApiError, getPage, path, pickRows } from '../../api/client.ts';
import type { FoundDid } from '../../api/types.ts';
import { counted, exactInteger } from '../../format.ts';
import { toApiError } from '../../load.ts';
import { Empty, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { RowsTable, type Sort, sortRows } from '../../ui/rows-table.tsx';
import { TableExport } from '../../ui/table-export.tsx';
import { columns, isFoundDid } from './columns.tsx';
import { FoundTable } from './found-table.tsx';
import { type Condition, toQuery } from './query.ts';

/** Scopes that are searched at once. */
const parallel = 6;
/** DIDs shown of a scope; a link leads to the rest. */
const rowsOfScope = 20;
/** From this number on no other scope is searched, until the reader asks for more. */
const enough = 200;

interface Found {
  readonly scope: string;
  readonly rows: readonly FoundDid[];
  readonly hasMore: boolean;
}

interface Progress {
  readonly found: readonly Found[];
  readonly searched: number;
  readonly error?: ApiError;
}

/** A search in all scopes, whose results appear as they come. */
export function Everywhere({
  scopes,
  hasMoreScopes,
  name,
  type,
  conditions,
  linkTo,
}: {
  scopes: readonly string[];
  /** There are scopes beyond these. */
  hasMoreScopes: boolean;
  name: string;
  type: string;
  conditions: readonly Condition[];
  /** The address of this search in one scope. */
  linkTo: (scope: string) => string;
}) {
  const [progress, setProgress] = useState<Progress>({ found: [], searched: 0 });
  const [limit, setLimit] = useState(enough);
  const [sort, setSort] = useState<Sort>();
  const query = { ...(name === '*' ? {} : { name }), type, ...toQuery(conditions.filter(({ value }) => value !== '')) };
  const key = JSON.stringify([scopes, query, limit]);
  useEffect(() => {
    const abort = new AbortController();
    setProgress({ found: [], searched: 0 });
    void searchScopes(scopes, query, limit, abort.signal, (change) => {
      if (!abort.signal.aborted) setProgress(change);
    });
    return () => abort.abort();
  }, [key]);
  const { found, searched, error } = progress;
  const rows = found.flatMap((one) => one.rows);
  const isOver = searched === scopes.length || rows.length >= limit || error !== undefined;
  const pages = [{ index: 0, rows: sort === undefined ? rows : sortRows(rows, columns, sort) }];
  return (
    <Section heading="Found in all scopes">
      <p class="hint" role="status">
        {isOver ? '' : 'Searching … '}
        {counted(rows.length, 'DID')} in {counted(found.length, 'scope')}; {exactInteger(searched)} of{' '}
        {exactInteger(scopes.length)} scopes searched{hasMoreScopes && ', there are others'}.
      </p>
      {rows.length > 0 && (
        <>
          <FoundTable key={key}>
            {(shown) => (
              <RowsTable
                caption="The DIDs that were found"
                columns={shown}
                pages={pages}
                sort={sort}
                onSort={setSort}
              />
            )}
          </FoundTable>
          <div class="table-foot">
            <p class="paged-place">{counted(rows.length, 'row')}</p>
            <TableExport name="found" load={() => Promise.resolve({ rows, next: undefined })} />
          </div>
        </>
      )}
      {isOver && rows.length === 0 && error === undefined && (
        <Empty>
          Nothing fits in any scope. Names are case-sensitive, <code>*</code> stands for any text, and the type is the
          one that is chosen above.
        </Empty>
      )}
      {rows.length >= limit && searched < scopes.length && (
        <button type="button" class="more" onClick={() => setLimit(limit + enough)}>
          Search on: {exactInteger(scopes.length - searched)} scopes are left
        </button>
      )}
      {error !== undefined && <ErrorNote error={error} />}
      {found.some(({ hasMore }) => hasMore) && (
        <p>
          More in{' '}
          {found
            .filter(({ hasMore }) => hasMore)
            .map(({ scope }, i) => (
              <>
                {i > 0 && ', '}
                <a key={scope} class="name" href={linkTo(scope)}>
                  <bdi>{scope}</bdi>
                </a>
              </>
            ))}
        </p>
      )}
    </Section>
  );
}

/** Searches scopes, some at once, and tells how far it is after each. */
async function searchScopes(
  scopes: readonly string[],
  query: object,
  limit: number,
  signal: AbortSignal,
  tell: (progress: Progress) => void,
): Promise<void> {
  const found: Found[] = [];
  let [rows, searched, hasFailed] = [0, 0, false];
  const waiting = scopes.values();
  const work = async () => {
    for (const scope of waiting) {
      if (signal.aborted || rows >= limit || hasFailed) return;
      const target = path('/dids/:scope/dids/search', { scope });
      const page = pickRows(
        await getPage(target, rowsOfScope, undefined, { query: { ...query, long: true }, signal }),
        isFoundDid,
      );
      rows += page.rows.length;
      if (page.rows.length > 0) found.push({ scope, rows: page.rows, hasMore: page.next !== undefined });
      searched += 1;
      if (!hasFailed) tell({ found: found.slice(), searched });
    }
  };
  const refuse = (failure: unknown) => {
    hasFailed = true;
    tell({ found: found.slice(), searched, error: toApiError(failure) });
  };
  await Promise.all(Array.from({ length: parallel }, () => work().catch(refuse)));
}
