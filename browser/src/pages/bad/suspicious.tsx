import { useEffect, useState } from 'preact/hooks';

import { getLines, send } from '../../api/client.ts';
import type { RowAt } from '../../api/contract.ts';
import { counted } from '../../format.ts';
import { useAction, useLoad } from '../../load.ts';
import { describeWho, useRights } from '../../tasks/rights.ts';
import { Empty, Pending, Section } from '../../ui/basics.tsx';
import { Chosen, useChoice } from '../../ui/choose-rows.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { onSubmit, TextField } from '../../ui/fields.tsx';
import { type Column, RowsTable, type Sort, sortRows } from '../../ui/rows-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { TableExport } from '../../ui/table-export.tsx';
import { DidLink, RseLink } from '../../ui/values.tsx';

type Suspect = RowAt<'/replicas/suspicious'>;

/** Rows that are shown: the service sends all at once. */
const shownRows = 1_000;

const columns: readonly Column<Suspect>[] = [
  {
    head: 'File',
    cell: (row) => <DidLink scope={row.scope} name={row.name} />,
    lead: true,
    fill: true,
    sortBy: (row) => row.name,
  },
  { head: 'RSE', cell: (row) => <RseLink rse={row.rse} />, sortBy: (row) => row.rse },
  { head: 'Times', cell: (row) => row.cnt, number: true, sortBy: (row) => row.cnt },
];

/** What suspicious replicas are asked for. */
export interface SuspectFilters {
  readonly rse: string;
  /** Declared suspicious at least so many times. */
  readonly times: string;
  /** Since this day; empty: the last ten days. */
  readonly since: string;
}

const nameOf = ({ scope, name, rse }: Suspect) => `${scope}:${name} on ${rse}`;

/** Replicas that were declared suspicious and not bad since, to be declared bad together. */
export function Suspicious({
  turn,
  filters: { rse, times, since },
  onFilter,
  onDeclared,
}: {
  /** Another number when they are to be read again. */
  turn: number;
  filters: SuspectFilters;
  onFilter: (change: Partial<SuspectFilters>) => void;
  onDeclared: () => void;
}) {
  const query = {
    rse_expression: rse,
    // The service wants more than this number.
    nattempts: /^\d+$/.test(times) && Number(times) > 1 ? String(Number(times) - 1) : '',
    younger_than: since === '' ? '' : new Date(`${since}T00:00:00`).toISOString().slice(0, 19),
  };
  const { value, error, reload } = useLoad(`suspicious ${JSON.stringify(query)}`, (signal) =>
    getLines('/replicas/suspicious', { query, signal }),
  );
  useEffect(() => {
    if (turn > 0) reload();
  }, [turn]);
  const [sort, setSort] = useState<Sort | undefined>({ head: 'Times', isDown: true });
  const all = value ?? [];
  const choice = useChoice(nameOf);
  const listed = new Set(choice.rows.length === 0 ? [] : all.map(nameOf));
  // Those that another filter hides, or that were declared bad meanwhile, are not declared.
  const chosen = choice.rows.filter((row) => listed.has(nameOf(row)));
  const sorted = sort === undefined ? all : sortRows(all, columns, sort);
  const rows = sorted.slice(0, shownRows);
  return (
    <Section heading="Suspicious, and not declared bad since">
      <form class="form-row" onSubmit={(event) => event.preventDefault()}>
        <TextField
          label="At least so many times"
          type="number"
          min="1"
          step="1"
          placeholder="1"
          value={times}
          onChange={(next) => onFilter({ times: next })}
        />
        <TextField label="Since the day" type="date" value={since} onChange={(day) => onFilter({ since: day })} />
      </form>
      <Pending of={{ value, error, reload }} />
      {value?.length === 0 && <Empty>None.</Empty>}
      {rows.length > 0 && (
        <>
          <Chosen of={{ rows: chosen, clear: choice.clear }} noun="replica">
            <DeclareThem
              of={chosen}
              onDone={(declared) => {
                choice.leave(declared);
                onDeclared();
              }}
            />
          </Chosen>
          <RowsTable
            caption="Suspicious replicas"
            columns={[choice.column, ...columns]}
            pages={[{ index: 0, rows }]}
            sort={sort}
            onSort={setSort}
          />
          <div class="table-foot">
            <p class="paged-place">
              {all.length > shownRows && 'The first '}
              {counted(rows.length, 'row')}
            </p>
            <button type="button" class="quiet small" onClick={() => choice.choose(rows)}>
              Choose all of these
            </button>
            <TableExport name="suspicious" load={() => Promise.resolve({ rows: all, next: undefined })} />
          </div>
        </>
      )}
      <SameAs rucio="rucio replica state list suspicious" curl={{ path: '/replicas/suspicious', query }} />
    </Section>
  );
}

function DeclareThem({
  of: suspects,
  onDone,
}: {
  of: readonly Suspect[];
  onDone: (declared: readonly Suspect[]) => void;
}) {
  const [reason, setReason] = useState('');
  const { busy, error, run } = useAction();
  const right = useRights({})?.declare_bad_file_replicas;
  if (right?.may === false)
    return <p class="hint">Your account may not declare them bad. Who may: {describeWho(right.who)}.</p>;
  const declare = async () => {
    const replicas = suspects.map(({ scope, name, rse }) => ({ scope, name, rse }));
    if (await run(() => send('POST', '/replicas/bad', { body: { replicas, reason } }))) onDone(suspects);
  };
  return (
    <form class="form-row" onSubmit={onSubmit(declare)}>
      <TextField label="Why they are bad" required placeholder="checksums differ" value={reason} onInput={setReason} />
      <button type="submit" class="danger" disabled={busy}>
        Declare {counted(suspects.length, 'replica')} bad
      </button>
      {error !== undefined && <ErrorNote error={error} />}
    </form>
  );
}
