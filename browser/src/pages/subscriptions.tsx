import { getPage } from '../api/client.ts';
import type { SubscriptionRecord } from '../api/types.ts';
import { placeUrl } from '../router.ts';
import { PageHead, Section } from '../ui/basics.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { SameAs } from '../ui/same-as.tsx';
import { AccountLink, State, Time } from '../ui/values.tsx';

/** All subscriptions. */
export default function SubscriptionsPage() {
  return (
    <>
      <PageHead title="Subscriptions" lead="A subscription makes rules for new data that match its filter." />
      <Section heading="Subscriptions" hidden>
        <PagedTable
          caption="Subscriptions"
          listKey="subscriptions"
          load={(cursor, limit, signal) => getPage<SubscriptionRecord>('/subscriptions/', limit, cursor, { signal })}
          columns={[
            {
              head: 'Name',
              cell: ({ account, name }) => (
                <a class="name" href={placeUrl(['subscription', account, name])}>
                  <bdi>{name}</bdi>
                </a>
              ),
            },
            { head: 'Account', cell: (row) => <AccountLink account={row.account} /> },
            { head: 'State', cell: (row) => <State of={row.state} /> },
            { head: 'Ends', cell: (row) => (row.lifetime === null ? 'never' : <Time of={row.lifetime} />), wide: true },
            { head: 'Comment', cell: (row) => <bdi>{row.comments ?? ''}</bdi>, wide: true },
          ]}
          empty={
            <>
              There are no subscriptions. <code>rucio subscription add</code> makes one.
            </>
          }
        />
        <SameAs rucio="rucio subscription list" curl={{ path: '/subscriptions/' }} />
      </Section>
    </>
  );
}
