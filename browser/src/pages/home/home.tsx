import { useState } from 'preact/hooks';

import { getJson, getPage } from '../../api/client.ts';
import { session } from '../../api/session.ts';
import { useLoad } from '../../load.ts';
import { readOwnRules } from '../../own-rules.ts';
import { placeUrl } from '../../router.ts';
import { Loading, PageHead } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { ExampleMade, GettingStarted } from '../search/getting-started.tsx';
import { Approvals } from './approvals.tsx';
import { FullRses } from './full-rses.tsx';
import { Health } from './health.tsx';
import { Lately } from './lately.tsx';
import { OwnQuota } from './own-quota.tsx';
import { OwnRulesByState } from './own-rules-by-state.tsx';
import { OwnScopes } from './own-scopes.tsx';

/** What concerns the reader today, with the way to each of it. */
export default function HomePage() {
  const account = session()?.account ?? '';
  const [isFilled, setFilled] = useState(false);
  const start = useLoad(`home ${account}`, async (signal) => {
    const [scopes, rules, rights] = await Promise.all([
      getPage('/scopes', 1, undefined, { signal }),
      readOwnRules(signal),
      getJson('/accounts/whoami/rights', { signal }),
    ]);
    return { isEmpty: scopes.rows.length === 0, rules, rights };
  });
  const { value, error, reload } = start;
  const onFilled = () => {
    setFilled(true);
    reload();
  };
  return (
    <>
      <PageHead
        title="Home"
        lead={
          <>
            What concerns <bdi class="name">{account}</bdi> today.
          </>
        }
        actions={
          value?.isEmpty === false && (
            <>
              <a class="button" href={placeUrl(['search'])}>
                Search
              </a>
              <a class="primary" href={placeUrl(['new-rule'])}>
                New rule
              </a>
            </>
          )
        }
      />
      {error !== undefined && <ErrorNote error={error} retry={reload} />}
      {error === undefined && value === undefined && <Loading />}
      {value?.isEmpty === true && <GettingStarted onFilled={onFilled} />}
      {value?.isEmpty === false && (
        <>
          {isFilled && <ExampleMade />}
          {value.rights.list_heartbeats?.may && <Health />}
          <OwnRulesByState of={value.rules} />
          {value.rights.approve_rule?.may && <Approvals />}
          <div class="columns">
            <OwnQuota account={account} rules={value.rules} />
            <div class="stack">
              <FullRses />
              <Lately rules={value.rules} />
              <OwnScopes account={account} />
            </div>
          </div>
        </>
      )}
    </>
  );
}
