import { getPage, path } from '../../api/client.ts';
import type { Did } from '../../api/types.ts';
import { Section } from '../../ui/basics.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { AccountLink, Bytes, DidLink, RuleLink, State, Time } from '../../ui/values.tsx';

/** The rules that a DID has or had, and what it held before. */
export function DidHistory({ did: { scope, name, type } }: { did: Did }) {
  const rules = path('/rules/**:scope_name/history', { did: { scope, name } });
  const content = path('/dids/**:scope_name/dids/history', { did: { scope, name } });
  return (
    <>
      <Section heading="Rules, past and present">
        <PagedTable
          caption="Rules that this DID has or had"
          listKey={rules}
          load={(cursor, limit, signal) => getPage(rules, limit, cursor, { signal })}
          columns={[
            { head: 'Since', cell: (row) => <Time of={row.created_at} /> },
            { head: 'Rule', cell: (row) => <RuleLink id={row.rule_id} /> },
            { head: 'RSEs', cell: (row) => <bdi class="name">{row.rse_expression}</bdi> },
            { head: 'Last state', cell: (row) => <State of={row.state} /> },
            { head: 'Account', cell: (row) => <AccountLink account={row.account} />, wide: true },
          ]}
          empty="This DID never had a rule of its own."
        />
        <SameAs rucio={`rucio rule history ${scope}:${name}`} curl={{ path: rules }} />
      </Section>
      {type !== 'FILE' && (
        <Section heading="Former content">
          <PagedTable
            caption="What was detached"
            listKey={content}
            load={(cursor, limit, signal) => getPage(content, limit, cursor, { signal })}
            columns={[
              { head: 'Detached', cell: (row) => <Time of={row.deleted_at} /> },
              { head: 'Name', cell: (row) => <DidLink scope={row.scope} name={row.name} />, lead: true },
              { head: 'Size', cell: (row) => <Bytes of={row.bytes} />, number: true },
            ]}
            empty="Nothing was ever detached."
          />
        </Section>
      )}
    </>
  );
}
