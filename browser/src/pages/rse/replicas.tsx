import { getPage } from '../../api/client.ts';
import { Section } from '../../ui/basics.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Time } from '../../ui/values.tsx';
import { replicaColumns } from './replica-columns.tsx';

const target = '/replicas/dump';

/** Every replica on an RSE, whether a rule keeps it or not. */
export function RseReplicas({ rse }: { rse: string }) {
  return (
    <Section heading="All replicas">
      <p class="hint">
        All that the catalogue knows here, by scope and name: what rules keep, what never had a rule, what may be
        deleted, and copies under way. Administrators may list it.
      </p>
      <PagedTable
        caption="All replicas on this RSE"
        listKey={`${target} ${rse}`}
        load={(cursor, limit, signal) => getPage(target, limit, cursor, { query: { rse }, signal })}
        columns={[
          ...replicaColumns,
          { head: 'Changed', cell: (replica) => <Time of={replica.updated_at} relative />, wide: true },
        ]}
        empty="There is no replica here."
      />
      <SameAs curl={{ path: target, query: { rse, limit: 100 } }} />
    </Section>
  );
}
