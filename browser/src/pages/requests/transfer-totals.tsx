import { getPage } from '../../api/client.ts';
import type { QueryAt } from '../../api/contract.ts';
import type { RequestLine } from '../../api/types.ts';
import { counted } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Empty, Pending, Section } from '../../ui/basics.tsx';
import { type Column, RowsTable } from '../../ui/rows-table.tsx';
import { readAll } from '../../ui/table-export.tsx';
import { Bytes, Count, RseLink, RuleLink } from '../../ui/values.tsx';

/** Transfers that are counted at most. */
const maxTransfers = 2_000;
const target = '/requests/list';

interface Total {
  readonly key: string;
  readonly files: number;
  readonly bytes: number;
  readonly failed: number;
  readonly taken: number;
}

const totalColumns: readonly Column<Total>[] = [
  { head: 'Files', cell: ({ files }) => <Count of={files} />, number: true },
  { head: 'Size', cell: ({ bytes }) => <Bytes of={bytes} />, number: true },
  { head: 'Taken by movers', cell: ({ taken }) => <Count of={taken} />, number: true, wide: true },
  { head: 'Have failed before', cell: ({ failed }) => <Count of={failed} />, number: true },
];

/** What is under way, by destination and by rule, the largest first. */
export function TransferTotals({
  filters,
}: {
  filters: Pick<QueryAt<'GET', typeof target>, 'src_rse' | 'dst_rse' | 'request_states'>;
}) {
  const { value, error, reload } = useLoad(`totals ${JSON.stringify(filters)}`, (signal) =>
    readAll((cursor, limit) => getPage(target, limit, cursor, { query: filters, signal }), signal, maxTransfers),
  );
  const rows = value?.rows ?? [];
  return (
    <>
      <Pending of={{ value, error, reload }} />
      {value?.rows.length === 0 && <Empty>Nothing of this kind waits to be copied.</Empty>}
      {value?.isPart === true && <p class="hint">Of the first {counted(rows.length, 'transfer')}.</p>}
      {rows.length > 0 && (
        <>
          <Section heading="By link">
            <RowsTable
              caption="Transfers by link"
              columns={[{ head: 'Link', cell: ({ key }) => <Link of={key} />, lead: true }, ...totalColumns]}
              pages={[{ index: 0, rows: addUp(rows, linkOf) }]}
            />
          </Section>
          <Section heading="By rule">
            <RowsTable
              caption="Transfers by rule"
              columns={[{ head: 'Rule', cell: ({ key }) => <RuleLink id={key} />, lead: true }, ...totalColumns]}
              pages={[{ index: 0, rows: addUp(rows, ({ rule_id: rule }) => rule) }]}
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

function addUp(rows: readonly RequestLine[], keyOf: (row: RequestLine) => string): readonly Total[] {
  const totals = [...Map.groupBy(rows, keyOf)].map(([key, of]) => ({
    key,
    files: of.length,
    bytes: of.reduce((sum, { bytes }) => sum + Number(bytes ?? 0), 0),
    failed: of.filter(({ retry_count: failures }) => failures > 0).length,
    taken: of.filter(({ state }) => state === 'SUBMITTING' || state === 'SUBMITTED').length,
  }));
  return totals.toSorted((a, b) => b.bytes - a.bytes);
}
