import { ApiError, getPage, type PageOf } from '../../api/client.ts';
import { session } from '../../api/session.ts';
import type { SubscriptionRecord } from '../../api/types.ts';
import { placeUrl } from '../../router.ts';
import { TaskLinks } from '../../tasks/task-links.tsx';
import { PageHead, Section } from '../../ui/basics.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Command, SameAs } from '../../ui/same-as.tsx';
import { AccountLink, State, Time } from '../../ui/values.tsx';

const target = '/subscriptions';

/** All subscriptions. */
export default function SubscriptionsPage() {
  return (
    <>
      <PageHead title="Subscriptions" lead="A subscription makes rules for new data that match its filter." />
      <TaskLinks of={['add-subscription']} given={{ account: session()?.account ?? '' }} />
      <Section heading="Subscriptions" hidden>
        <PagedTable
          caption="Subscriptions"
          listKey="subscriptions"
          load={getSubscriptions}
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
          empty={<None />}
        />
        <SameAs rucio="rucio subscription list" curl={{ path: target }} />
      </Section>
    </>
  );
}

/** A page of all subscriptions. The service, like Rucio, answers 404 where there are none. */
async function getSubscriptions(
  cursor: string | undefined,
  limit: number,
  signal: AbortSignal,
): Promise<PageOf<SubscriptionRecord>> {
  try {
    return await getPage(target, limit, cursor, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.exceptionClass === 'SubscriptionNotFound') {
      return { rows: [], next: undefined };
    }
    throw error;
  }
}

const example =
  'rucio subscription add second-copies --filter \'{"scope": ["example"], "datatype": ["AOD"]}\' --rule \'[{"rse_expression": "tier=1", "copies": 1, "activity": "User Subscriptions"}]\'';

function None() {
  return (
    <>
      <p>
        <strong>No subscriptions yet.</strong> A subscription is a filter and rules: each new DID whose metadata match
        the filter gets the rules, within seconds. This one keeps a copy of new AOD data at a tier-1 site:
      </p>
      <Command name="rucio" text={example} />
    </>
  );
}
