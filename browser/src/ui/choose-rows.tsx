import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { counted } from '../format.ts';
import type { Column } from './rows-table.tsx';

/** Rows that the reader has ticked. */
export interface Choice<T> {
  readonly rows: readonly T[];
  /** The column with the boxes. */
  readonly column: Column<T>;
  readonly clear: () => void;
  /** Ticks these rows, too. */
  readonly choose: (rows: readonly T[]) => void;
  /** Unticks these rows. */
  readonly leave: (rows: readonly T[]) => void;
}

/** Lets the reader tick rows of a table; they stay ticked when they are scrolled away. `nameOf` tells rows apart, for readers too. */
export function useChoice<T>(nameOf: (row: T) => string): Choice<T> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(new Map());
  const toggle = (row: T, isChosen: boolean) =>
    setChosen((before) => {
      const next = new Map(before);
      if (isChosen) next.set(nameOf(row), row);
      else next.delete(nameOf(row));
      return next;
    });
  return {
    rows: [...chosen.values()],
    column: {
      head: 'Choose',
      tight: true,
      cell: (row) => (
        <input
          type="checkbox"
          aria-label={`Choose ${nameOf(row)}`}
          checked={chosen.has(nameOf(row))}
          onChange={({ currentTarget }) => toggle(row, currentTarget.checked)}
        />
      ),
    },
    clear: () => setChosen(new Map()),
    choose: (rows) => setChosen((before) => new Map([...before, ...rows.map((row) => [nameOf(row), row] as const)])),
    leave: (rows) => {
      const left = new Set(rows.map(nameOf));
      setChosen((before) => new Map([...before].filter(([name]) => !left.has(name))));
    },
  };
}

/** What can be done with ticked rows; nothing while none is. */
export function Chosen({
  of: { rows, clear },
  noun,
  children,
}: {
  of: Pick<Choice<unknown>, 'rows' | 'clear'>;
  noun: string;
  children: ComponentChildren;
}) {
  return (
    <div class="chosen">
      <p role="status" class="hint">
        {rows.length > 0 && `${counted(rows.length, noun)} chosen.`}
      </p>
      {rows.length > 0 && (
        <div class="actions">
          {children}
          <button type="button" class="quiet" onClick={clear}>
            Choose none
          </button>
        </div>
      )}
    </div>
  );
}
