import { getJson, getLines, getPage, path } from '../../api/client.ts';
import { session } from '../../api/session.ts';
import type { GlobalUsage, LocalUsage } from '../../api/types.ts';
import { shellWord } from '../../format.ts';
import { useLoad } from '../../load.ts';
import type { PageProps } from '../../page.ts';
import { placeUrl } from '../../router.ts';
import { TaskLinks } from '../../tasks/task-links.tsx';
import { Facts, PageHead, Pending, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PagedTable, type Column } from '../../ui/paged-table.tsx';
import { Quota } from '../../ui/quota.tsx';
import { ruleColumns } from '../../ui/rule-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Count, RseLink, State, Time } from '../../ui/values.tsx';
import { ChangePassword } from './change-password.tsx';

const usageColumns: readonly Column<Pick<LocalUsage, 'bytes' | 'bytes_limit' | 'files'>>[] = [
  { head: 'Used', cell: (row) => <Quota of={row} />, lead: true, sortBy: (row) => row.bytes },
  { head: 'Files', cell: (row) => <Count of={row.files} />, number: true, wide: true, sortBy: (row) => row.files },
];

const localColumns: readonly Column<LocalUsage>[] = [
  { head: 'RSE', cell: (row) => <RseLink rse={row.rse} /> },
  ...usageColumns,
];

const globalColumns: readonly Column<GlobalUsage>[] = [
  { head: 'RSE expression', cell: (row) => <bdi class="name">{row.rse_expression}</bdi> },
  ...usageColumns,
];

/** The tasks that are offered on the page of an account. */
const accountTasks = [
  'edit-account',
  'set-quota',
  'remove-quota',
  'set-global-quota',
  'remove-global-quota',
  'add-scope',
  'add-identity',
  'remove-identity',
  'set-password',
  'set-account-attribute',
  'remove-account-attribute',
  'delete-account',
] as const;

/** One account: what it uses, its rules, and who it is. */
export default function AccountPage({ parts: [account = ''] }: PageProps) {
  const target = path('/accounts/:account', { account });
  const { value, error, reload } = useLoad(target, (signal) => getJson(target, { signal }));
  const local = path('/accounts/:account/usage/local', { account });
  const global = path('/accounts/:account/usage/global', { account });
  return (
    <>
      <PageHead title={account} heading={<bdi class="name">{account}</bdi>} lead="An account" />
      <Pending of={{ value, error, reload }} />
      {value !== undefined && (
        <>
          <Facts
            of={[
              ['Type', value.account_type.toLowerCase()],
              ['Status', <State of={value.status} />],
              ['E-mail', <bdi>{value.email ?? 'none'}</bdi>],
              ['Since', <Time of={value.created_at} />],
            ]}
          />
          <Section heading="Usage and quota by RSE">
            <PagedTable
              caption="Usage and quota by RSE"
              listKey={local}
              load={(cursor, limit, signal) => getPage(local, limit, cursor, { signal })}
              columns={localColumns}
              empty="Neither usage nor quota on any RSE. Without quota an account can make no rules."
            />
            <SameAs rucio={`rucio account limit list ${shellWord(account)} --rse RSE`} curl={{ path: local }} />
          </Section>
          <Section heading="Quota on several RSEs together">
            <PagedTable
              caption="Usage and quota by RSE expression"
              listKey={global}
              load={(cursor, limit, signal) => getPage(global, limit, cursor, { signal })}
              columns={globalColumns}
              empty="None."
            />
          </Section>
          <Section
            heading="Rules"
            aside={<a href={placeUrl(['rules'], { account, state: 'STUCK' })}>Only those that are stuck</a>}
          >
            <PagedTable
              caption="Rules of the account"
              listKey={`${target} rules`}
              pageRows={25}
              load={(cursor, limit, signal) =>
                getPage(path('/accounts/:account/rules', { account }), limit, cursor, { signal })
              }
              columns={ruleColumns}
              empty="It has no rules."
            />
          </Section>
          <Identity account={account} />
          <Section heading="Do">
            <TaskLinks of={accountTasks} given={{ account }} />
          </Section>
          <SameAs label="This account" rucio={`rucio account show ${shellWord(account)}`} curl={{ path: target }} />
        </>
      )}
    </>
  );
}

const shownRows = 100;

function Identity({ account }: { account: string }) {
  const identities = useLoad(`identities ${account}`, (signal) =>
    getPage(path('/accounts/:account/identities', { account }), shownRows, undefined, { signal }),
  );
  const attributes = useLoad(`attributes ${account}`, (signal) =>
    getLines(path('/accounts/:account/attr', { account }), { query: { limit: shownRows }, signal }),
  );
  const scopes = useLoad(`scopes ${account}`, (signal) =>
    getPage(path('/accounts/:account/scopes', { account }), shownRows, undefined, { signal }),
  );
  const usernames =
    identities.value?.rows.filter(({ type }) => type === 'USERPASS').map(({ identity }) => identity) ?? [];
  return (
    <>
      <div class="columns">
        <Section heading="Identities">
          {identities.error !== undefined && <ErrorNote error={identities.error} />}
          <ul>
            {identities.value?.rows.map(({ type, identity }) => (
              <li key={`${type} ${identity}`}>
                {type} <bdi class="name">{identity}</bdi>
              </li>
            ))}
          </ul>
        </Section>
        <Section heading="Attributes">
          {attributes.error !== undefined && <ErrorNote error={attributes.error} />}
          <Facts
            of={
              attributes.value?.map(({ key, value }) => [key, <bdi class="name">{String(value)}</bdi>] as const) ?? []
            }
          />
          {attributes.value?.length === 0 && <p class="absent">None.</p>}
        </Section>
        <Section heading="Scopes">
          {scopes.error?.exceptionClass === 'ScopeNotFound' && <p class="absent">None.</p>}
          <ul class="chips">
            {scopes.value?.rows.map((scope) => (
              <li key={scope}>
                <a class="name" href={placeUrl(['search'], { q: `${scope}:` })}>
                  <bdi>{scope}</bdi>
                </a>
              </li>
            ))}
          </ul>
        </Section>
      </div>
      {session()?.account === account && usernames.length > 0 && (
        <ChangePassword account={account} usernames={usernames} />
      )}
    </>
  );
}
