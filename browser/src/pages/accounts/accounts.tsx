import { getPage } from '../../api/client.ts';
import type { PageProps } from '../../page.ts';
import { TaskLinks } from '../../tasks/task-links.tsx';
import { PageHead, Section } from '../../ui/basics.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AccountLink } from '../../ui/values.tsx';
import { SpaceByAccount } from './space.tsx';

const tabs = [
  { id: 'accounts', label: 'Active accounts' },
  { id: 'space', label: 'Space by account and group' },
] as const;

/** The active accounts, and the space that they use. */
export default function AccountsPage({ query }: PageProps) {
  const present = tabs.find(({ id }) => id === query.get('tab'))?.id ?? 'accounts';
  return (
    <>
      <PageHead title="Accounts" lead="Users, groups and services that own data, rules and quotas." />
      <TaskLinks of={['add-account']} />
      <Tabs of={tabs} present={present} parts={['accounts']} label="Parts of the accounts" />
      {present === 'space' ? <SpaceByAccount by={query.get('by') ?? ''} /> : <ActiveAccounts />}
    </>
  );
}

function ActiveAccounts() {
  return (
    <Section heading="Active accounts" hidden>
      <PagedTable
        caption="Active accounts"
        listKey="accounts"
        load={(cursor, limit, signal) => getPage('/accounts', limit, cursor, { signal })}
        columns={[
          { head: 'Account', cell: (row) => <AccountLink account={row.account} /> },
          { head: 'Type', cell: (row) => row.type.toLowerCase() },
          { head: 'E-mail', cell: (row) => <bdi>{row.email ?? ''}</bdi>, wide: true },
        ]}
        empty="There is none."
      />
      <SameAs rucio="rucio account list" curl={{ path: '/accounts' }} />
    </Section>
  );
}
