import { useState } from 'preact/hooks';

import { getLines, getPage, path } from '../../api/client.ts';
import { parseJson, writeJson } from '../../api/json.ts';
import { shellWord } from '../../format.ts';
import { useLoad } from '../../load.ts';
import type { PageProps } from '../../page.ts';
import { TaskLinks } from '../../tasks/task-links.tsx';
import { Facts, PageHead, Pending, Section } from '../../ui/basics.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { ruleColumns } from '../../ui/rule-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { AccountLink, DidLink, State, Time } from '../../ui/values.tsx';

/** One subscription: its filter, its rules, and what it would match now. */
export default function SubscriptionPage({ parts: [account = '', name = ''] }: PageProps) {
  const target = path('/subscriptions/:account/:name', { account, name });
  const { value, error, reload } = useLoad(target, async (signal) => (await getLines(target, { signal }))[0]);
  return (
    <>
      <PageHead title={`${name} of ${account}`} heading={<bdi class="name">{name}</bdi>} lead="A subscription" />
      <Pending of={{ value, error, reload }} />
      {value !== undefined && (
        <>
          <Facts
            of={[
              ['State', <State of={value.state} />],
              ['Account', <AccountLink account={value.account} />],
              ['Ends', value.lifetime === null ? 'never' : <Time of={value.lifetime} />],
              ['Last processed', <Time of={value.last_processed} relative />],
              ['For data that exist', value.retroactive ? 'too' : 'no, only for new ones'],
              ['Comment', <bdi>{value.comments ?? 'none'}</bdi>],
            ]}
          />
          <div class="columns">
            <Section heading="Filter">
              <pre>{prettify(value.filter)}</pre>
            </Section>
            <Section heading="Rules to make">
              <pre>{prettify(value.replication_rules)}</pre>
            </Section>
          </div>
          <Matches account={account} name={name} />
          <Section heading="Its rules">
            <PagedTable
              caption="Rules of the subscription"
              listKey={`${target} rules`}
              load={(cursor, limit, signal) =>
                getPage(path('/subscriptions/:account/:name/rules', { account, name }), limit, cursor, { signal })
              }
              columns={ruleColumns}
              empty="It has made no rule yet."
            />
          </Section>
          <Section heading="Failures">
            <PagedTable
              caption="DIDs whose rules could not be made"
              listKey={`${target} failures`}
              load={(cursor, limit, signal) =>
                getPage(path('/subscriptions/:account/:name/failures', { account, name }), limit, cursor, { signal })
              }
              columns={[
                { head: 'DID', cell: (row) => <DidLink scope={row.scope} name={row.name} /> },
                { head: 'Since', cell: (row) => <Time of={row.failed_at} relative />, wide: true },
                { head: 'Error', cell: (row) => <bdi>{`${row.exception}: ${row.message}`}</bdi> },
              ]}
              empty="None. What cannot be done is tried again and shown here."
            />
          </Section>
          <Section heading="Do">
            <TaskLinks
              of={value.state === 'INACTIVE' ? ['start-subscription'] : ['stop-subscription']}
              given={{ account, name }}
            />
          </Section>
          <SameAs
            label="This subscription"
            rucio={`rucio subscription show ${shellWord(name)} --account ${shellWord(account)} --long`}
            curl={{ path: target }}
          />
        </>
      )}
    </>
  );
}

function prettify(text: string): string {
  try {
    return writeJson(parseJson(text), 2);
  } catch {
    return text;
  }
}

/** Matches are only listed when asked for: the answer looks at the data of the scopes of the filter. */
function Matches({ account, name }: { account: string; name: string }) {
  const target = path('/subscriptions/:account/:name/matches', { account, name });
  const [asked, setAsked] = useState(false);
  return (
    <Section heading="What it would match now">
      {asked ? (
        <PagedTable
          caption="Rules that it would make now"
          listKey={target}
          pageRows={50}
          load={(cursor, limit, signal) => getPage(target, limit, cursor, { signal })}
          columns={[
            { head: 'DID', cell: (row) => <DidLink scope={row.scope} name={row.name} /> },
            {
              head: 'Rules',
              cell: (row) =>
                row.message === null
                  ? row.rules.map((rule) => `${rule.copies} × ${rule.rse_expression}`).join('; ')
                  : `${row.exception}: ${row.message}`,
            },
          ]}
          empty="Nothing that is there now would match."
        />
      ) : (
        <button type="button" onClick={() => setAsked(true)}>
          Try it: nothing is made
        </button>
      )}
    </Section>
  );
}
