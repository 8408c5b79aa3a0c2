import { getPage } from '../../api/client.ts';
import { TaskLinks } from '../../tasks/task-links.tsx';
import { PageHead, Section } from '../../ui/basics.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { AccountLink } from '../../ui/values.tsx';

/** The active accounts. */
export default function AccountsPage() {
  return (
    <>
      <PageHead title="Accounts" lead="Users, groups and services that own data, rules and quotas." />
      <TaskLinks of={['add-account']} />
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
    </>
  );
}
