import { useState } from 'preact/hooks';

import type { PageOf } from '../../api/client.ts';
import type { RequestLine } from '../../api/types.ts';
import { counted, readDate } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { Pending, Section } from '../../ui/basics.tsx';
import { type Column, RowsTable } from '../../ui/rows-table.tsx';
import { readAll } from '../../ui/table-export.tsx';
import { Bytes, Count } from '../../ui/values.tsx';

/** Attempts that are added up at most: the list has offsets, so a page costs as much as all before it. */
const maxAttempts = 2_000;

interface Period {
  readonly label: string;
  readonly done: number;
  readonly bytes: number;
  readonly failed: number;
}

const columns: readonly Column<Period>[] = [
  { head: 'When', cell: ({ label }) => label, lead: true, tight: true },
  { head: 'Done', cell: ({ done }) => <Count of={done} />, number: true },
  { head: 'Size', cell: ({ bytes }) => <Bytes of={bytes} />, number: true },
  { head: 'Failed', cell: ({ failed }) => <Count of={failed} />, number: true },
];

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const hour = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
});

/** Past attempts by day or hour, the latest first. They are read when they are asked for. */
export function HistoryByTime({
  listKey,
  load,
}: {
  listKey: string;
  load: (cursor: string | undefined, limit: number, signal: AbortSignal) => Promise<PageOf<RequestLine>>;
}) {
  const [unit, setUnit] = useState<'day' | 'hour'>();
  return (
    <Section heading="By time">
      <div class="actions">
        <button type="button" aria-pressed={unit === 'day'} onClick={() => setUnit('day')}>
          By day
        </button>
        <button type="button" aria-pressed={unit === 'hour'} onClick={() => setUnit('hour')}>
          By hour
        </button>
        {unit === undefined && <span class="hint">Reads up to {counted(maxAttempts, 'attempt')}.</span>}
      </div>
      {unit !== undefined && <Periods key={listKey} listKey={listKey} unit={unit} load={load} />}
    </Section>
  );
}

function Periods({ listKey, unit, load }: Parameters<typeof HistoryByTime>[0] & { readonly unit: 'day' | 'hour' }) {
  const { value, error, reload } = useLoad(`by time ${listKey}`, (signal) => readAll(load, signal, maxAttempts));
  if (value === undefined) return <Pending of={{ value, error, reload }} />;
  return (
    <>
      {value.isPart && <p class="hint">Of {counted(maxAttempts, 'attempt')}, those of the first RSEs and files.</p>}
      {value.rows.length === 0 ? (
        <p class="absent">None.</p>
      ) : (
        <RowsTable
          caption={`Past attempts by ${unit}`}
          columns={columns}
          pages={[{ index: 0, rows: addUp(value.rows, unit === 'day' ? day : hour) }]}
        />
      )}
    </>
  );
}

/** The attempts of each period, in the reader's zone. */
function addUp(rows: readonly RequestLine[], format: Intl.DateTimeFormat): readonly Period[] {
  const dated = rows.flatMap((row) => {
    const at = readDate(row.updated_at);
    return at === undefined ? [] : [{ row, at }];
  });
  const latest = dated.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  return [...Map.groupBy(latest, ({ at }) => format.format(at))].map(([label, of]) => {
    const done = of.filter(({ row }) => row.state === 'DONE');
    return {
      label,
      done: done.length,
      bytes: done.reduce((sum, { row }) => sum + Number(row.bytes ?? 0), 0),
      failed: of.length - done.length,
    };
  });
}
