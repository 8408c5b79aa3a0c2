import { getPage } from '../../api/client.ts';
import { Section } from '../../ui/basics.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Count, Name, Time } from '../../ui/values.tsx';

const target = '/requests/transfer_limits';

/** How many transfers movers may have at a time. */
export function TransferLimits() {
  return (
    <Section heading="Limits" hidden>
      <p class="hint">
        Each RSE that the expression means has the limit for itself. A transfer for which there is no room waits.
      </p>
      <PagedTable
        caption="Limits of transfers"
        listKey={target}
        load={(cursor, limit, signal) => getPage(target, limit, cursor, { signal })}
        columns={[
          { head: 'RSEs', cell: (row) => <Name>{row.rse_expression}</Name> },
          { head: 'Direction', cell: (row) => (row.direction === 'SOURCE' ? 'from' : 'to') },
          { head: 'Activity', cell: (row) => (row.activity === 'all_activities' ? 'any' : row.activity), wide: true },
          { head: 'Transfers at a time', cell: (row) => <Count of={row.max_transfers} />, number: true },
          { head: 'Set', cell: (row) => <Time of={row.updated_at} relative />, wide: true },
        ]}
        empty="There is none: movers take as much as they ask for."
      />
      <SameAs curl={{ path: target }} />
    </Section>
  );
}
