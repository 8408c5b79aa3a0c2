import { getPage } from '../../api/client.ts';
import type { QueryAt } from '../../api/contract.ts';
import type { RequestLine } from '../../api/types.ts';
import { counted, fromNow, humanBytes } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Empty, Pending, Section } from '../../ui/basics.tsx';
import { type Column, RowsTable } from '../../ui/rows-table.tsx';
import { readAll } from '../../ui/table-export.tsx';
import { Bytes, Count, RseLink, RuleLink, State } from '../../ui/values.tsx';
import { type Progress, rereadMs, secondsLeft, useProgress } from './rates.ts';

/** Transfers that are counted at most. */
const maxTransfers = 2_000;
const target = '/requests/list';

interface Total {
  readonly key: string;
  readonly files: number;
  readonly bytes: number;
  readonly failed: number;
  readonly taken: number;
  readonly progress: Progress;
}

const totalColumns: readonly Column<Total>[] = [
  { head: 'Files', cell: ({ files }) => <Count of={files} />, number: true },
  { head: 'Size', cell: ({ bytes }) => <Bytes of={bytes} />, number: true },
  { head: 'Taken by movers', cell: ({ taken }) => <Count of={taken} />, number: true, wide: true },
  { head: 'Have failed before', cell: ({ failed }) => <Count of={failed} />, number: true, wide: true },
];

const rateColumns: readonly Column<Total>[] = [
  { head: 'Rate', cell: ({ progress }) => <Rate of={progress} />, number: true },
  { head: 'Done in', cell: ({ bytes, progress }) => <TimeLeft seconds={secondsLeft(bytes, progress)} />, tight: true },
];

function Rate({ of: { rate } }: { of: Progress }) {
  if (rate === undefined) return <span class="absent">…</span>;
  return rate === 0 ? <span class="absent">none</span> : <>{humanBytes(rate)}/s</>;
}

function TimeLeft({ seconds }: { seconds: number | undefined }) {
  if (seconds === undefined) return <span class="absent">not known</span>;
  return <>{fromNow(new Date(Date.now() + seconds * 1000)).replace(/^in /, '')}</>;
}

/** What is under way, by link, rule and state, the largest first, and how fast it goes. */
export function TransferTotals({
  filters,
}: {
  filters: Pick<QueryAt<'GET', typeof target>, 'src_rse' | 'dst_rse' | 'request_states'>;
}) {
  const key = `totals ${JSON.stringify(filters)}`;
  const { value, error, reload } = useLoad(key, (signal) =>
    readAll((cursor, limit) => getPage(target, limit, cursor, { query: filters, signal }), signal, maxTransfers),
  );
  const rows = value?.rows ?? [];
  const progressOf = useProgress(value?.isPart === false ? value.rows : undefined, reload, key);
  const ended = progressOf(() => true);
  const totals = (keyOf: (row: RequestLine) => string) => addUp(rows, keyOf, progressOf);
  return (
    <>
      <Pending of={{ value, error, reload }} />
      {value?.rows.length === 0 && <Empty>Nothing of this kind waits to be copied.</Empty>}
      {value !== undefined && (
        <p class="hint" role="status">
          {value.isPart
            ? `Of the first ${counted(rows.length, 'transfer')}. Rates are measured where there are fewer.`
            : `Looked at every ${rereadMs / 1000} seconds; ${counted(ended.ended, 'transfer')} ended since you came, which the rates are made of.`}
        </p>
      )}
      {rows.length > 0 && (
        <>
          <Section heading="By link">
            <RowsTable
              caption="Transfers by link"
              columns={[
                { head: 'Link', cell: ({ key: link }) => <Link of={link} />, lead: true },
                ...totalColumns,
                ...rateColumns,
              ]}
              pages={[{ index: 0, rows: totals(linkOf) }]}
            />
          </Section>
          <Section heading="By rule">
            <RowsTable
              caption="Transfers by rule"
              columns={[
                { head: 'Rule', cell: ({ key: rule }) => <RuleLink id={rule} />, lead: true },
                ...totalColumns,
                ...rateColumns,
              ]}
              pages={[{ index: 0, rows: totals(({ rule_id: rule }) => rule) }]}
            />
          </Section>
          <Section heading="By state">
            <RowsTable
              caption="Transfers by state"
              columns={[
                { head: 'State', cell: ({ key: state }) => <State of={state} />, lead: true },
                ...totalColumns.slice(0, 2),
              ]}
              pages={[{ index: 0, rows: totals(({ state }) => state) }]}
            />
          </Section>
        </>
      )}
    </>
  );
}

/** A transfer may have several sources until a mover takes it: the first one is offered first. RSE names have no spaces. */
const linkOf = ({ sources: [source = ''], dest_rse: to }: RequestLine) => `${source} ${to}`;

function Link({ of: key }: { of: string }) {
  const [source = '', to = ''] = key.split(' ');
  return (
    <>
      {source === '' ? <span class="absent">no source</span> : <RseLink rse={source} />} →{' '}
      <a class="name" href={placeUrl(['requests'], { dst: to })}>
        <bdi>{to}</bdi>
      </a>
    </>
  );
}

function addUp(
  rows: readonly RequestLine[],
  keyOf: (row: RequestLine) => string,
  progressOf: (belongs: (row: RequestLine) => boolean) => Progress,
): readonly Total[] {
  const totals = [...Map.groupBy(rows, keyOf)].map(([key, of]) => ({
    key,
    files: of.length,
    bytes: of.reduce((sum, { bytes }) => sum + Number(bytes ?? 0), 0),
    failed: of.filter(({ retry_count: failures }) => failures > 0).length,
    taken: of.filter(({ state }) => state === 'SUBMITTING' || state === 'SUBMITTED').length,
    progress: progressOf((row) => keyOf(row) === key),
  }));
  return totals.toSorted((a, b) => b.bytes - a.bytes);
}
