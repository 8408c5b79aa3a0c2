import { getPage, type PageOf } from '../../api/client.ts';
import type { RseRecord } from '../../api/types.ts';
import { shellWord } from '../../format.ts';
import { useKeptText } from '../../kept-text.ts';
import type { PageProps } from '../../page.ts';
import { go, placeUrl, readPlace } from '../../router.ts';
import { TaskLinks } from '../../tasks/task-links.tsx';
import { Bar, PageHead, Section } from '../../ui/basics.tsx';
import { PagedTable, type Column } from '../../ui/paged-table.tsx';
import { RseExpressionField } from '../../ui/rse-expression.tsx';
import { readSpace, type RseSpace, toneOfShare } from '../../ui/rse-space.ts';
import { SameAs } from '../../ui/same-as.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Bytes, Count, RseLink, State } from '../../ui/values.tsx';
import { DistanceMatrix } from './distances.tsx';

/** Each row asks for the usage of its RSE. */
const pageRows = 25;
/** RSEs that are sorted or taken along at most. */
const mostRses = 200;
const typingMs = 300;

const tabs = [
  { id: 'list', label: 'Space' },
  { id: 'distances', label: 'Distances' },
] as const;

type Row = { readonly rse: string; readonly space: RseSpace } & Partial<RseRecord>;

/** Operations that are forbidden on an RSE. */
function Availability({ of: row }: { of: Row }) {
  if (row.availability_read === undefined) return null;
  const forbidden = [
    row.availability_read ? '' : 'read',
    row.availability_write ? '' : 'write',
    row.availability_delete ? '' : 'delete',
  ].filter(Boolean);
  return forbidden.length === 0 ? (
    <State of="AVAILABLE" />
  ) : (
    <State of={forbidden.length === 3 ? 'UNAVAILABLE' : 'WAITING'} label={`no ${forbidden.join(', no ')}`} />
  );
}

const columns: readonly Column<Row>[] = [
  { head: 'RSE', cell: ({ rse }) => <RseLink rse={rse} />, tight: true, lead: true, sortBy: ({ rse }) => rse },
  { head: 'Used', cell: ({ space }) => <Share of={space} />, tight: true, sortBy: ({ space }) => space.share },
  { head: 'Free', cell: ({ space }) => <Bytes of={space.free} />, number: true, sortBy: ({ space }) => space.free },
  {
    head: 'Total',
    cell: ({ space }) => <Bytes of={space.total} />,
    number: true,
    wide: true,
    sortBy: ({ space }) => space.total,
  },
  { head: 'Files', cell: ({ space }) => <Count of={space.files} />, number: true, sortBy: ({ space }) => space.files },
  { head: 'Type', cell: (row) => row.rse_type?.toLowerCase() ?? '', wide: true, sortBy: (row) => row.rse_type },
  {
    head: 'Place',
    cell: (row) => [row.city, row.country_name].filter(Boolean).join(', '),
    wide: true,
    sortBy: (row) => row.country_name,
  },
  { head: 'State', cell: (row) => <Availability of={row} />, wide: true, tight: true },
];

/** The used share of an RSE; without a report of its storage the bytes that the catalogue knows. */
function Share({ of: { share, used } }: { of: RseSpace }) {
  if (share === undefined) return <Bytes of={used} />;
  const percent = `${Math.round(share * 100)} %`;
  return (
    <div class="barred beside">
      <span class="number">{percent}</span>
      <Bar share={share} tone={toneOfShare(share)} label={`${percent} used`} />
    </div>
  );
}

/** A page of RSEs with their space, which needs a request each. */
async function loadRows(
  expression: string,
  cursor: string | undefined,
  limit: number,
  signal: AbortSignal,
): Promise<PageOf<Row>> {
  const { rows, next } = await getPage('/rses', limit, cursor, { query: { expression }, signal });
  const spaces = await Promise.all(rows.map(({ rse }) => readSpace(rse, signal)));
  return { rows: rows.flatMap((row, i) => (spaces[i] === undefined ? [] : [{ ...row, space: spaces[i] }])), next };
}

/** All RSEs, or those that an expression means. */
export default function RsesPage({ query }: PageProps) {
  const expression = query.get('expression') ?? '';
  const present = query.get('tab') === 'distances' ? 'distances' : 'list';
  const write = (next: string) => {
    const tab = readPlace(location.hash).query.get('tab') ?? '';
    go(placeUrl(['rses'], { expression: next, tab }), { replace: true });
  };
  const [text, setText] = useKeptText(expression, write, typingMs, (typed) => typed.trim());
  return (
    <>
      <PageHead title="RSEs" lead="Where files are stored: Rucio storage elements." />
      <TaskLinks of={['add-rse']} />
      <RseExpressionField
        label="Expression"
        class="large"
        type="search"
        value={text}
        onInput={setText}
        hint={
          <>
            Names and attributes, with <code>&amp;</code> for and, <code>|</code> for or, <code>\</code> for without.
          </>
        }
      />
      <Tabs of={tabs} present={present} parts={['rses']} query={{ expression }} label="What of the RSEs" />
      {present === 'distances' ? <DistanceMatrix expression={expression} /> : <RseList expression={expression} />}
    </>
  );
}

function RseList({ expression }: { expression: string }) {
  return (
    <Section heading={expression === '' ? 'All RSEs' : 'RSEs that the expression means now'}>
      <p class="hint">Files, and bytes where no storage reports, include copies that are under way.</p>
      <PagedTable
        caption="RSEs"
        listKey={expression}
        pageRows={pageRows}
        most={mostRses}
        costly
        load={(cursor, limit, signal) => loadRows(expression, cursor, limit, signal)}
        columns={columns}
        empty={
          <>
            There are no RSEs yet. <code>rucio rse add NAME</code> makes one.
          </>
        }
      />
      <SameAs
        rucio={`rucio rse list${expression === '' ? '' : ` --rses ${shellWord(expression)}`}`}
        curl={{ path: '/rses', query: { expression } }}
      />
    </Section>
  );
}
