import { getJson, type PageOf } from '../../api/client.ts';
import type { AnswerAt } from '../../api/contract.ts';
import type { PageProps } from '../../page.ts';
import { go, placeUrl } from '../../router.ts';
import { PageHead, Section } from '../../ui/basics.tsx';
import { ChoiceField } from '../../ui/fields.tsx';
import { type Column, PagedTable } from '../../ui/paged-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { DidLink, State, Time } from '../../ui/values.tsx';
import { OpendataEntry } from './entry.tsx';

const list = '/opendata/dids';

const states = [
  ['', 'Any'],
  ['public', 'Public'],
  ['draft', 'Drafts'],
  ['suspended', 'Suspended'],
] as const;

type Entry = AnswerAt<'GET', typeof list>['dids'][number];

/** Rows that the service skips at most. */
const maxSkipped = 10_000;

const columns: readonly Column<Entry>[] = [
  { head: 'State', cell: (row) => <State of={row.state} />, tight: true, sortBy: (row) => row.state },
  {
    head: 'DID',
    cell: (row) => <DidLink scope={row.scope} name={row.name} />,
    lead: true,
    fill: true,
    sortBy: (row) => row.name,
  },
  {
    head: 'Published as',
    cell: (row) => <a href={placeUrl(['opendata', row.scope, row.name])}>DOI, record and files</a>,
    tight: true,
  },
  { head: 'Changed', cell: (row) => <Time of={row.updated_at} relative />, tight: true },
];

/** Open data: what is published, or will be; or one entry of it. */
export default function OpendataPage({ parts: [scope, name], query }: PageProps) {
  if (scope !== undefined && name !== undefined) return <OpendataEntry did={{ scope, name }} />;
  const [state] = states.find(([known]) => known === query.get('state')) ?? states[0];
  return (
    <>
      <PageHead
        title="Open data"
        lead="DIDs that are published, or drafts of that. What is public is seen without a log-in."
      />
      <form class="form-row" onSubmit={(event) => event.preventDefault()}>
        <ChoiceField
          label="State"
          of={states}
          value={state}
          onChange={(next) => go(placeUrl(['opendata'], { state: next }), { replace: true })}
        />
      </form>
      <Section heading="Open data" hidden>
        <PagedTable
          caption="Open data"
          listKey={`opendata ${state}`}
          load={(cursor, limit, signal) => getEntries(state, Number(cursor ?? 0), limit, signal)}
          columns={columns}
          empty="There is none in this state."
        />
        <SameAs curl={{ path: list, query: { state, limit: 100 } }} />
      </Section>
    </>
  );
}

/** A page of the list, which counts rows: it answers one document with the number of all. */
async function getEntries(state: string, offset: number, limit: number, signal: AbortSignal): Promise<PageOf<Entry>> {
  const query = { limit, offset, ...(state === '' ? {} : { state }) };
  const { dids, total } = await getJson(list, { query, signal });
  const next = offset + dids.length;
  return { rows: dids, next: dids.length > 0 && next < total && next <= maxSkipped ? String(next) : undefined };
}
