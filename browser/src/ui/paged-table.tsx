import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { ApiError, PageOf } from '../api/client.ts';
import { counted, exactInteger } from '../format.ts';
import { type Asked, noteAsked } from '../late-focus.ts';
import { toApiError, useLoad } from '../load.ts';
import { AsOf, comparedRows } from './as-of.tsx';
import { Empty, Loading } from './basics.tsx';
import { ErrorNote } from './error-note.tsx';
import { type Column, RowsTable, type Sort, sortRows, type TablePage } from './rows-table.tsx';
import { readAll, TableExport } from './table-export.tsx';

export type { Column };

/** The properties of a list in pages. */
export interface PagedTableProps<T> {
  /** Name of the list, for screen readers. */
  readonly caption: string;
  /** Another key is another list. */
  readonly listKey: string;
  readonly load: (cursor: string | undefined, limit: number, signal: AbortSignal) => Promise<PageOf<T>>;
  readonly columns: readonly Column<T>[];
  readonly empty: ComponentChildren;
  readonly pageRows?: number;
  /** Rows that are sorted, or taken along, at most; absent: a usual number. */
  readonly most?: number;
  /** The column that the list is sorted by at first. */
  readonly sort?: Sort;
  /** A row costs requests of its own: the list is not compared with the service while it is shown. */
  readonly costly?: true;
}

interface Window<T> {
  readonly pages: readonly TablePage<T>[];
  /** The last page of the list is in the window. */
  readonly atEnd: boolean;
}

/** Pages kept in the DOM. */
const maxPages = 4;
/** The next page is fetched when its place is that near to the visible part. */
const lookAhead = '800px';

/** Rows that are sorted at most: the service has one order for each list, so the page reads what it sorts. */
const maxSorted = 1_000;

/** A list of any length, in the order of the service or sorted by a column, to take along as a file. */
export function PagedTable<T>(props: PagedTableProps<T>) {
  const [sort, setSort] = useState<Sort | undefined>(props.sort);
  const [turn, setTurn] = useState<{ count: number; asked?: Asked }>({ count: 0 });
  const again = {
    listKey: turn.count === 0 ? props.listKey : `${props.listKey} again ${turn.count}`,
    again: turn.asked,
    onAgain: () => setTurn({ count: turn.count + 1, asked: noteAsked() }),
  };
  return sort === undefined ? (
    <WindowTable {...props} {...again} onSort={setSort} />
  ) : (
    <SortedTable {...props} {...again} order={sort} onSort={setSort} />
  );
}

interface Sortable {
  readonly onSort: (sort: Sort | undefined) => void;
  /** When the reader asked for the list once more. */
  readonly again: Asked | undefined;
  /** Reads the list once more. */
  readonly onAgain: () => void;
}

/** The rows of a list in the order of a column. */
function SortedTable<T>({
  most,
  caption,
  listKey,
  load,
  columns,
  empty,
  order,
  costly,
  onSort,
  ...again
}: PagedTableProps<T> & Sortable & { order: Sort }) {
  const { value, error, reload } = useLoad(`${caption} ${listKey}`, (signal) =>
    readAll(load, signal, most ?? maxSorted),
  );
  if (error !== undefined) return <ErrorNote error={error} retry={reload} />;
  if (value === undefined) return <Loading />;
  if (value.rows.length === 0) return <Nothing>{empty}</Nothing>;
  const pages = [{ index: 0, rows: sortRows(value.rows, columns, order) }];
  return (
    <div class="paged">
      <RowsTable caption={caption} columns={columns} pages={pages} sort={order} onSort={onSort} />
      <div class="table-foot">
        <p class="paged-place" role="status">
          {value.isPart && 'The first '}
          {counted(value.rows.length, 'row')}, by {order.head.toLowerCase()}
        </p>
        <AsOf key={listKey} shown={costly ? undefined : value.rows} load={load} {...again} />
        <TableExport name={caption} load={load} most={most} />
      </div>
    </div>
  );
}

function Nothing({ children }: { children: ComponentChildren }) {
  return (
    <div role="status">
      <Empty>{children}</Empty>
    </div>
  );
}

/**
 * A list of any length in the order of the service. The document holds a window of a few pages: scrolling down fetches the next one by its cursor
 * and drops the first, scrolling up the other way round. Only the cursors of past pages are kept.
 */
function WindowTable<T>({
  caption,
  listKey,
  load,
  columns,
  empty,
  pageRows = 100,
  most,
  costly,
  onSort,
  ...again
}: PagedTableProps<T> & Sortable) {
  const [shown, setShown] = useState<Window<T>>();
  const [error, setError] = useState<ApiError>();
  const cursors = useRef<(string | undefined)[]>([]);
  const busy = useRef<AbortController | undefined>(undefined);
  const body = useRef<HTMLTableElement>(null);
  const beginning = useRef<readonly T[]>([]);
  const anchor = useRef<{ index: number; top: number } | undefined>(undefined);

  const fetchPage = async (index: number, place: (present: Window<T>, page: TablePage<T>) => Window<T>) => {
    if (busy.current !== undefined) return;
    const abort = new AbortController();
    busy.current = abort;
    setError(undefined);
    try {
      const { rows, next } = await load(cursors.current[index], pageRows, abort.signal);
      if (abort.signal.aborted) return;
      cursors.current[index + 1] = next;
      if (index === 0) beginning.current = rows.slice(0, comparedRows);
      const atEnd = next === undefined;
      setShown((present) => {
        const placed = place(present ?? { pages: [], atEnd }, { index, rows });
        anchor.current = findAnchor(body.current, present?.pages, placed.pages);
        return { pages: placed.pages, atEnd: cursors.current[(placed.pages.at(-1)?.index ?? 0) + 1] === undefined };
      });
    } catch (failure) {
      if (!abort.signal.aborted) setError(toApiError(failure));
    } finally {
      if (busy.current === abort) busy.current = undefined;
    }
  };
  const first = shown?.pages[0]?.index ?? 0;
  const last = shown?.pages.at(-1)?.index ?? -1;
  const loadNext = () =>
    fetchPage(last + 1, ({ pages, atEnd }, page) => ({ pages: [...pages, page].slice(-maxPages), atEnd }));
  const loadPrevious = () =>
    fetchPage(first - 1, ({ pages, atEnd }, page) => ({ pages: [page, ...pages].slice(0, maxPages), atEnd }));

  useEffect(() => {
    busy.current?.abort();
    busy.current = undefined;
    cursors.current = [];
    setShown(undefined);
    void fetchPage(0, (_present, page) => ({ pages: [page], atEnd: true }));
    return () => busy.current?.abort();
  }, [listKey]);

  // The visible rows stay where they are when pages come and go above them.
  useLayoutEffect(() => {
    const before = anchor.current;
    anchor.current = undefined;
    if (before === undefined) return;
    const part = body.current?.querySelector(`tbody[data-page="${before.index}"]`);
    const moved = part === null || part === undefined ? 0 : part.getBoundingClientRect().top - before.top;
    if (Math.abs(moved) > 1) scrollBy({ top: moved, behavior: 'instant' });
  }, [shown]);

  if (shown === undefined) return error === undefined ? <Loading /> : <ErrorNote error={error} />;
  const rows = shown.pages.reduce((sum, page) => sum + page.rows.length, 0);
  if (rows === 0) return <Nothing>{empty}</Nothing>;
  return (
    <div class="paged">
      {first > 0 && <More label="Earlier rows" onReach={loadPrevious} />}
      <RowsTable caption={caption} columns={columns} pages={shown.pages} onSort={onSort} table={body} />
      {error !== undefined && <ErrorNote error={error} retry={() => void loadNext()} />}
      {!shown.atEnd && error === undefined && <More key={last} label="More rows" onReach={loadNext} />}
      <div class="table-foot">
        <p class="paged-place" role="status">
          {first === 0 && shown.atEnd
            ? `${exactInteger(rows)} ${rows === 1 ? 'row' : 'rows'}`
            : `Rows ${exactInteger(first * pageRows + 1)} to ${exactInteger(first * pageRows + rows)}${shown.atEnd ? ', the end' : ', and more'}`}
        </p>
        <AsOf key={listKey} shown={costly ? undefined : beginning.current} load={load} {...again} />
        <TableExport name={caption} load={load} most={most} />
      </div>
    </div>
  );
}

/** A button that presses itself when it comes near. */
function More({ label, onReach }: { label: string; onReach: () => Promise<void> }) {
  const button = useRef<HTMLButtonElement>(null);
  const reach = useRef(onReach);
  reach.current = onReach;
  useEffect(() => {
    if (button.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && void reach.current(),
      { rootMargin: lookAhead },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, []);
  return (
    <button ref={button} type="button" class="more" onClick={() => void onReach()}>
      {label}
    </button>
  );
}

/** A page that is in the document before and after, and where it is now. */
function findAnchor<T>(
  table: HTMLTableElement | null,
  before: readonly TablePage<T>[] | undefined,
  after: readonly TablePage<T>[],
): { index: number; top: number } | undefined {
  const kept = before?.find(({ index }) => after.some((page) => page.index === index));
  const part = kept === undefined ? undefined : table?.querySelector(`tbody[data-page="${kept.index}"]`);
  return kept === undefined || part === null || part === undefined
    ? undefined
    : { index: kept.index, top: part.getBoundingClientRect().top };
}
