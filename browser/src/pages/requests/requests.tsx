import { getLines, getPage, type PageOf } from '../../api/client.ts';
import type { QueryAt } from '../../api/contract.ts';
import type { RequestLine } from '../../api/types.ts';
import { counted, readDate } from '../../format.ts';
import type { PageProps } from '../../page.ts';
import { go, placeUrl } from '../../router.ts';
import { PageHead, Section } from '../../ui/basics.tsx';
import { ChoiceField, TextField } from '../../ui/fields.tsx';
import { PagedTable, type Column } from '../../ui/paged-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Bytes, DidLink, RseLink, RuleLink, State, Time } from '../../ui/values.tsx';
import { HistoryByTime } from './history-by-time.tsx';
import { JobLink } from './job-link.tsx';
import { MoverNote } from './mover-note.tsx';
import { TransferLimits } from './transfer-limits.tsx';
import { TransferTotals } from './transfer-totals.tsx';

const tabs = [
  { id: 'present', label: 'Under way' },
  { id: 'totals', label: 'By link, rule and state' },
  { id: 'history', label: 'History' },
  { id: 'limits', label: 'Limits' },
] as const;

/** Letters of states for `request_states`, and what they mean. */
const states = {
  present: [
    ['Q,G,S,W,N,O,M', 'Any state'],
    ['Q', 'Queued for a mover'],
    ['G,S', 'Taken by a mover'],
    ['W', 'Waiting for a limit'],
    ['N,O,M', 'Without a usable source'],
  ],
  history: [
    ['D,F', 'Any end'],
    ['F', 'Failed'],
    ['D', 'Done'],
  ],
} as const;

/** Copies that rules ask for: under way, past attempts, and the limits of movers. */
export default function RequestsPage({ query }: PageProps) {
  const source = query.get('src') ?? '*';
  const destination = query.get('dst') ?? '*';
  const present = tabs.find(({ id }) => id === query.get('tab'))?.id ?? 'present';
  const choices = present === 'limits' ? [] : states[present === 'totals' ? 'present' : present];
  const state = choices.find(([letters]) => letters === query.get('state'))?.[0] ?? choices[0]?.[0] ?? '';
  const show = (change: Record<string, string>) =>
    go(placeUrl(['requests'], { tab: present, src: source, dst: destination, state, ...change }), { replace: true });
  const filters = { src_rse: source, dst_rse: destination, request_states: state };
  return (
    <>
      <PageHead
        title="Transfers"
        lead="Files that rules want to have copied. A mover takes a transfer, copies the file, and reports what has arrived or failed."
      />
      <Tabs
        of={tabs}
        present={present}
        parts={['requests']}
        query={{ src: source, dst: destination }}
        label="Parts of the transfers"
      />
      {present === 'limits' ? (
        <TransferLimits />
      ) : (
        <>
          <form class="form-row" onSubmit={(event) => event.preventDefault()}>
            <RseField label="From RSEs" value={source} onChange={(src) => show({ src })} />
            <RseField label="To RSEs" value={destination} onChange={(dst) => show({ dst })} />
            <ChoiceField label="State" of={choices} value={state} onChange={(next) => show({ state: next })} />
          </form>
          {present === 'present' && <MoverNote destinations={destination} />}
          {present === 'history' && <Past filters={filters} />}
          {present === 'present' && <Present filters={filters} />}
          {present === 'totals' && <TransferTotals filters={filters} />}
        </>
      )}
    </>
  );
}

function RseField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      label={label}
      class="name"
      placeholder="any"
      value={value === '*' ? '' : value}
      spellcheck={false}
      onChange={(text) => onChange(text || '*')}
    />
  );
}

const fileColumns: readonly Column<RequestLine>[] = [
  { head: 'State', cell: (row) => <State of={row.state} />, tight: true, sortBy: (row) => row.state },
  {
    head: 'File',
    cell: (row) => (
      <>
        <DidLink scope={row.scope} name={row.name} />
        <Attempts of={row} />
      </>
    ),
    lead: true,
    fill: true,
    sortBy: (row) => row.name,
  },
  { head: 'To', cell: (row) => <RseLink rse={row.dest_rse} />, tight: true, sortBy: (row) => row.dest_rse },
];

const ruleColumns: readonly Column<RequestLine>[] = [
  { head: 'Size', cell: (row) => <Bytes of={row.bytes} />, number: true, wide: true, sortBy: (row) => row.bytes },
  { head: 'Rule', cell: (row) => <RuleLink id={row.rule_id} />, wide: true, tight: true },
];

/** Failed attempts and the last error, and who has taken the transfer. */
function Attempts({ of: row }: { of: RequestLine }) {
  const taken = row.state === 'SUBMITTING' || row.state === 'SUBMITTED' ? row.last_processed_by : null;
  if (row.retry_count === 0 && row.err_msg === null && taken === null && row.external_id === null) return null;
  return (
    <div class="hint">
      {taken !== null && (
        <>
          Taken by <bdi class="name">{taken}</bdi>.{' '}
        </>
      )}
      <JobLink of={row} />
      {row.retry_count > 0 && counted(row.retry_count, 'failed attempt')}
      {row.err_msg !== null && (
        <>
          {row.retry_count > 0 && ': '}
          <bdi class="name">{row.err_msg}</bdi>
        </>
      )}
    </div>
  );
}

/** The RSEs that a file can be copied from; of many the first ones are seen. */
function Sources({ of: sources }: { of: readonly string[] }) {
  if (sources.length === 0) return <>no source</>;
  const names = sources.join(', ');
  return (
    <span class="cut" title={names}>
      {names}
    </span>
  );
}

type Filters = Pick<QueryAt<'GET', typeof presentList>, 'src_rse' | 'dst_rse' | 'request_states'>;

const presentList = '/requests/list';

function Present({ filters }: { filters: Filters }) {
  return (
    <Section heading="Under way" hidden>
      <PagedTable
        caption="Transfers that are under way"
        listKey={JSON.stringify(filters)}
        load={(cursor, limit, signal) => getPage(presentList, limit, cursor, { query: filters, signal })}
        columns={[
          ...fileColumns,
          {
            head: 'From',
            cell: (row) => <Sources of={row.sources} />,
            wide: true,
            tight: true,
          },
          ...ruleColumns,
          {
            head: 'Since',
            cell: (row) => <Time of={row.created_at} relative />,
            wide: true,
            tight: true,
            sortBy: (row) => readDate(row.created_at)?.getTime(),
          },
        ]}
        empty="Nothing of this kind waits to be copied."
      />
      <SameAs curl={{ path: presentList, query: { ...filters, limit: 100 } }} />
    </Section>
  );
}

const pastList = '/requests/history/list';

function Past({ filters }: { filters: Filters }) {
  return (
    <Section heading="History" hidden>
      <p class="hint">Attempts of the last 30 days, by RSE and file.</p>
      <PagedTable
        caption="Past attempts to copy files"
        listKey={`${pastList} ${JSON.stringify(filters)}`}
        load={(cursor, limit, signal) => getPastPage(filters, Number(cursor ?? 0), limit, signal)}
        columns={[
          ...fileColumns,
          {
            head: 'From',
            cell: (row) =>
              row.source_rse === null ? <span class="absent">not told</span> : <RseLink rse={row.source_rse} />,
            wide: true,
          },
          ...ruleColumns,
          {
            head: 'Ended',
            cell: (row) => <Time of={row.updated_at} relative />,
            tight: true,
            sortBy: (row) => readDate(row.updated_at)?.getTime(),
          },
        ]}
        empty="No attempt of this kind has ended in the last 30 days."
      />
      <HistoryByTime
        listKey={JSON.stringify(filters)}
        load={(cursor, limit, signal) => getPastPage(filters, Number(cursor ?? 0), limit, signal)}
      />
      <SameAs curl={{ path: pastList, query: { ...filters, limit: 100 } }} />
    </Section>
  );
}

/** A page of the history, which counts lines as Rucio's does: it has no cursors. */
async function getPastPage(
  filters: Filters,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<PageOf<RequestLine>> {
  const rows = await getLines(pastList, { query: { ...filters, offset, limit }, signal });
  return { rows, next: rows.length < limit ? undefined : String(offset + limit) };
}
