import { getPage, type Query } from '../api/client.ts';
import type { RequestLine } from '../api/types.ts';
import type { PageProps } from '../page.ts';
import { go, placeUrl } from '../router.ts';
import { PageHead, Section } from '../ui/basics.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { SameAs } from '../ui/same-as.tsx';
import { Bytes, DidLink, RseLink, RuleLink, State, Time } from '../ui/values.tsx';

/** Copies that rules ask for and that nobody has reported yet. */
export default function RequestsPage({ query }: PageProps) {
  const source = query.get('src') ?? '*';
  const destination = query.get('dst') ?? '*';
  const show = (change: Record<string, string>) =>
    go(placeUrl(['requests'], { src: source, dst: destination, ...change }), { replace: true });
  const filters: Query = { src_rse: source, dst_rse: destination, request_states: 'Q,N' };
  return (
    <>
      <PageHead
        title="Requests"
        lead="Files that rules want to have copied. A transfer service reads this list, copies, and reports what has arrived."
      />
      <form class="form-row" onSubmit={(event) => event.preventDefault()}>
        <label class="field">
          <span>From RSEs</span>
          <input
            class="name"
            value={source}
            spellcheck={false}
            onChange={({ currentTarget }) => show({ src: currentTarget.value.trim() || '*' })}
          />
        </label>
        <label class="field">
          <span>To RSEs</span>
          <input
            class="name"
            value={destination}
            spellcheck={false}
            onChange={({ currentTarget }) => show({ dst: currentTarget.value.trim() || '*' })}
          />
        </label>
      </form>
      <Section heading="Waiting" hidden>
        <PagedTable
          caption="Copies that are waiting"
          listKey={JSON.stringify(filters)}
          load={(cursor, limit, signal) =>
            getPage<RequestLine>('/requests/list', limit, cursor, { query: filters, signal })
          }
          columns={[
            { head: 'State', cell: (row) => <State of={row.state} /> },
            { head: 'File', cell: (row) => <DidLink scope={row.scope} name={row.name} />, lead: true },
            { head: 'To', cell: (row) => <RseLink rse={row.dest_rse} /> },
            {
              head: 'From',
              cell: (row) => (row.sources.length === 0 ? 'no source' : row.sources.join(', ')),
              wide: true,
            },
            { head: 'Size', cell: (row) => <Bytes of={row.bytes} />, number: true, wide: true },
            { head: 'Rule', cell: (row) => <RuleLink id={row.rule_id} />, wide: true },
            { head: 'Since', cell: (row) => <Time of={row.created_at} relative />, wide: true },
          ]}
          empty="Nothing waits to be copied."
        />
        <SameAs curl={{ path: '/requests/list', query: { ...filters, limit: 100 } }} />
      </Section>
    </>
  );
}
