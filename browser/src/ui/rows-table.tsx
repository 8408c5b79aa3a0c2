import type { ComponentChildren, RefObject } from 'preact';

import type { Integer } from '../api/json.ts';

/** A column of a table. */
export interface Column<T> {
  readonly head: string;
  readonly cell: (row: T) => ComponentChildren;
  /** What the rows can be sorted by; without it the column has no order. */
  readonly sortBy?: (row: T) => Integer | string | null | undefined;
  /** Left out on narrow screens. */
  readonly wide?: true;
  /** Left out unless the screen is very wide. */
  readonly roomy?: true;
  /** Aligned to the right. */
  readonly number?: true;
  /** Has a line of its own on narrow screens, where rows are stacked. */
  readonly lead?: true;
  /** Never breaks: a state, an id, a date. */
  readonly tight?: true;
  /** Takes the width that the others leave; long names are cut in their middle. */
  readonly fill?: true;
}

/** The column that a table is sorted by. */
export interface Sort {
  readonly head: string;
  readonly isDown: boolean;
}

/** Rows of a list that came together. */
export interface TablePage<T> {
  readonly index: number;
  readonly rows: readonly T[];
}

/** The rows of a table under their headings; headings with an order are buttons. */
export function RowsTable<T>({
  caption,
  columns,
  pages,
  sort,
  onSort,
  table,
}: {
  caption: string;
  columns: readonly Column<T>[];
  pages: readonly TablePage<T>[];
  sort?: Sort | undefined;
  onSort?: (sort: Sort | undefined) => void;
  table?: RefObject<HTMLTableElement | null>;
}) {
  return (
    <div class="table-frame">
      {/* Stacked rows are no table to a browser any more, so the roles are said. */}
      <table ref={table ?? null} role="table" class="stacked">
        <caption class="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <Heading key={column.head} of={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        {pages.map((page) => (
          <tbody key={page.index} role="rowgroup" data-page={page.index}>
            {page.rows.map((row, i) => (
              <tr key={i} role="row">
                {columns.map((column) => (
                  <td key={column.head} role="cell" class={cellClass(column)} data-head={column.head}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function Heading<T>({
  of: column,
  sort,
  onSort,
}: {
  of: Column<T>;
  sort: Sort | undefined;
  onSort: ((sort: Sort | undefined) => void) | undefined;
}) {
  const { head } = column;
  const isSorted = sort?.head === head;
  const order = !isSorted ? 'none' : sort.isDown ? 'descending' : 'ascending';
  if (column.sortBy === undefined || onSort === undefined) {
    return (
      <th scope="col" role="columnheader" class={cellClass(column)}>
        {head}
      </th>
    );
  }
  // Numbers are looked at from the largest: up, down, and as the service orders them.
  const begin = column.number === true;
  const next = !isSorted ? { head, isDown: begin } : sort.isDown === begin ? { head, isDown: !begin } : undefined;
  return (
    <th scope="col" role="columnheader" class={`${cellClass(column)} sortable`} aria-sort={order}>
      <button type="button" class="sort" onClick={() => onSort(next)}>
        {head}
        <span aria-hidden="true">{isSorted ? (sort.isDown ? ' ▼' : ' ▲') : ''}</span>
      </button>
    </th>
  );
}

type Look = Pick<Column<never>, 'wide' | 'roomy' | 'number' | 'lead' | 'tight' | 'fill'>;

function cellClass({ wide, roomy, number, lead, tight, fill }: Look): string {
  return [wide && 'wide', roomy && 'roomy', number && 'number', lead && 'row-lead', tight && 'tight', fill && 'fill']
    .filter(Boolean)
    .join(' ');
}

/** Rows in the order of a column; rows without a value come last. */
export function sortRows<T>(rows: readonly T[], columns: readonly Column<T>[], { head, isDown }: Sort): readonly T[] {
  const by = columns.find((column) => column.head === head)?.sortBy;
  if (by === undefined) return rows;
  const valued = rows.map((row) => [by(row) ?? undefined, row] as const);
  return valued
    .toSorted(([a], [b]) => {
      if (a === undefined || b === undefined) return (a === undefined ? 1 : 0) - (b === undefined ? 1 : 0);
      return compare(a, b) * (isDown ? -1 : 1);
    })
    .map(([, row]) => row);
}

function compare(a: Integer | string, b: Integer | string): number {
  if (typeof a === 'string' || typeof b === 'string')
    return String(a).localeCompare(String(b), 'en', { numeric: true });
  return a < b ? -1 : a > b ? 1 : 0;
}
