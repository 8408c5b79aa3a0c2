import { useEffect, useState } from 'preact/hooks';

import { getLines, getPage, path } from '../../api/client.ts';
import type { RseRecord } from '../../api/types.ts';
import { humanBytes, shellWord } from '../../format.ts';
import { useDelayed, useLoad } from '../../load.ts';
import type { PageProps } from '../../page.ts';
import { go, placeUrl, readPlace } from '../../router.ts';
import { TaskLinks } from '../../tasks/task-links.tsx';
import { Bar, PageHead, Section } from '../../ui/basics.tsx';
import { PagedTable, type Column } from '../../ui/paged-table.tsx';
import { RseExpressionField } from '../../ui/rse-expression.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Count, RseLink, State } from '../../ui/values.tsx';
import { DistanceMatrix } from './distances.tsx';

/** Each row asks for the usage of its RSE. */
const pageRows = 25;
const typingMs = 300;

const tabs = [
  { id: 'list', label: 'Space' },
  { id: 'distances', label: 'Distances' },
] as const;

type Row = { readonly rse: string } & Partial<RseRecord>;

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
  { head: 'RSE', cell: ({ rse }) => <RseLink rse={rse} /> },
  { head: 'Space', cell: ({ rse }) => <Usage rse={rse} />, lead: true },
  { head: 'Type', cell: (row) => row.rse_type?.toLowerCase() ?? '', wide: true },
  { head: 'Place', cell: (row) => [row.city, row.country_name].filter(Boolean).join(', '), wide: true },
  { head: 'State', cell: (row) => <Availability of={row} />, wide: true },
];

/** All RSEs, or those that an expression means. */
export default function RsesPage({ query }: PageProps) {
  const expression = query.get('expression') ?? '';
  const [text, setText] = useState(expression);
  const present = query.get('tab') === 'distances' ? 'distances' : 'list';
  const settled = useDelayed(text.trim(), typingMs);
  useEffect(() => {
    if (settled === expression) return;
    const tab = readPlace(location.hash).query.get('tab') ?? '';
    go(placeUrl(['rses'], { expression: settled, tab }), { replace: true });
  }, [settled]);
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
      <PagedTable
        caption="RSEs"
        listKey={expression}
        pageRows={pageRows}
        load={(cursor, limit, signal) => getPage('/rses', limit, cursor, { query: { expression }, signal })}
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

/** Space of an RSE: as its storage reports, otherwise what the catalogue knows. */
function Usage({ rse }: { rse: string }) {
  const target = path('/rses/:rse/usage', { rse });
  const { value } = useLoad(target, (signal) => getLines(target, { signal }));
  const known = value?.find(({ source }) => source === 'rucio');
  const reported = value?.find(({ source, free }) => source !== 'rucio' && free !== null);
  if (value === undefined) return <span class="absent">…</span>;
  const files = known?.files === undefined ? null : <Count of={known.files} noun="file" />;
  const underWay = Number(known?.files ?? 0) > 0 && ', copies under way included';
  if (reported === undefined || Number(reported.total) === 0) {
    return (
      <>
        {humanBytes(known?.used ?? 0)} in {files}
        {underWay}
      </>
    );
  }
  const share = Number(reported.used ?? 0) / Number(reported.total);
  return (
    <div class="barred">
      <span>
        {humanBytes(reported.free ?? 0)} free of {humanBytes(reported.total)}; {files}
        {underWay}
      </span>
      <Bar
        share={share}
        tone={share > 0.95 ? 'bad' : share > 0.85 ? 'waiting' : 'plain'}
        label={`${Math.round(share * 100)} % used`}
      />
    </div>
  );
}
