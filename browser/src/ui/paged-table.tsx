import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { ApiError, PageOf } from '../api/client.ts';
import { exactInteger } from '../format.ts';
import { toApiError } from '../load.ts';
import { Empty, Loading } from './basics.tsx';
import { ErrorNote } from './error-note.tsx';

/** A column of a table. */
export interface Column<T> {
  readonly head: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Left out on narrow screens. */
  readonly wide?: true;
  /** Aligned to the right. */
  readonly number?: true;
  /** Has a line of its own on narrow screens, where rows are stacked. */
  readonly lead?: true;
}

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
}

interface TablePage<T> {
  readonly index: number;
  readonly rows: readonly T[];
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

/**
 * A list of any length. The document holds a window of a few pages: scrolling down fetches the next one by its cursor
 * and drops the first, scrolling up the other way round. Only the cursors of past pages are kept.
 */
export function PagedTable<T>({ caption, listKey, load, columns, empty, pageRows = 100 }: PagedTableProps<T>) {
  const [shown, setShown] = useState<Window<T>>();
  const [error, setError] = useState<ApiError>();
  const cursors = useRef<(string | undefined)[]>([]);
  const busy = useRef<AbortController | undefined>(undefined);
  const body = useRef<HTMLTableElement>(null);
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
  if (rows === 0) {
    return (
      <div role="status">
        <Empty>{empty}</Empty>
      </div>
    );
  }
  return (
    <div class="paged">
      {first > 0 && <More label="Earlier rows" onReach={loadPrevious} />}
      <div class="table-frame">
        {/* Stacked rows are no table to a browser any more, so the roles are said. */}
        <table ref={body} role="table" class="stacked">
          <caption class="visually-hidden">{caption}</caption>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map(({ head, ...look }) => (
                <th key={head} scope="col" role="columnheader" class={cellClass(look)}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          {shown.pages.map((page) => (
            <tbody key={page.index} role="rowgroup" data-page={page.index}>
              {page.rows.map((row, i) => (
                <tr key={i} role="row">
                  {columns.map(({ head, cell, ...look }) => (
                    <td key={head} role="cell" class={cellClass(look)} data-head={head}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
      {error !== undefined && <ErrorNote error={error} retry={() => void loadNext()} />}
      {!shown.atEnd && error === undefined && <More key={last} label="More rows" onReach={loadNext} />}
      <p class="paged-place" role="status">
        {first === 0 && shown.atEnd
          ? `${exactInteger(rows)} ${rows === 1 ? 'row' : 'rows'}`
          : `Rows ${exactInteger(first * pageRows + 1)} to ${exactInteger(first * pageRows + rows)}${shown.atEnd ? ', the end' : ', and more'}`}
      </p>
    </div>
  );
}

function cellClass(look: Pick<Column<unknown>, 'wide' | 'number' | 'lead'>): string {
  return Object.entries(look)
    .filter(([, isSet]) => isSet)
    .map(([name]) => (name === 'lead' ? 'row-lead' : name))
    .join(' ');
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
