import { getPage } from '../../api/client.ts';
import { session } from '../../api/session.ts';
import type { PageProps } from '../../page.ts';
import { go, placeUrl } from '../../router.ts';
import { PageHead, Section } from '../../ui/basics.tsx';
import { ChoiceField, TextField } from '../../ui/fields.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { mostUrgent, ruleColumns } from '../../ui/rule-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { DateFilters, readDays, toMoments } from './date-filters.tsx';

const states = [
  ['', 'Any state'],
  ['STUCK', 'Stuck'],
  ['REPLICATING', 'Replicating'],
  ['WAITING_APPROVAL', 'Waiting for approval'],
  ['OK', 'OK'],
  ['SUSPENDED', 'Suspended'],
] as const;

/** The rules of the catalogue, filtered. The filters are in the address, so a list can be passed on. */
export default function RulesPage({ query }: PageProps) {
  const [state] = states.find(([known]) => known === query.get('state')) ?? states[0];
  const account = query.get('account') ?? '';
  const scope = query.get('scope') ?? '';
  const days = readDays(query);
  const filters = { state, account, scope, ...toMoments(days) };
  const show = (change: Record<string, string>) =>
    go(placeUrl(['rules'], { state, account, scope, ...days, ...change }), { replace: true });
  const me = session()?.account ?? '';
  return (
    <>
      <PageHead
        title={state === '' ? 'Rules' : `${state.toLowerCase().replace('_', ' ')} · Rules`}
        heading="Rules"
        lead="A rule says how many copies of a DID must be on which RSEs."
        actions={
          <a class="primary" href={placeUrl(['new-rule'])}>
            New rule
          </a>
        }
      />
      <form class="form-row" onSubmit={(event) => event.preventDefault()}>
        <ChoiceField label="State" of={states} value={state} onChange={(next) => show({ state: next })} />
        <TextField
          label="Account"
          value={account}
          placeholder="any"
          spellcheck={false}
          onChange={(text) => show({ account: text })}
        />
        <TextField
          label="Scope"
          value={scope}
          placeholder="any"
          spellcheck={false}
          onChange={(text) => show({ scope: text })}
        />
        <button type="button" aria-pressed={account === me} onClick={() => show({ account: account === me ? '' : me })}>
          Only mine
        </button>
      </form>
      <DateFilters of={days} onChange={show} />
      <Section heading="Rules" hidden>
        <PagedTable
          caption="Rules"
          key={state}
          listKey={JSON.stringify(filters)}
          load={(cursor, limit, signal) => getPage('/rules', limit, cursor, { query: filters, signal })}
          columns={ruleColumns}
          {...(state === '' ? { sort: mostUrgent } : {})}
          empty="No rule fits."
        />
        <SameAs
          {...(account === '' ? {} : { rucio: `rucio rule list --account ${account}` })}
          curl={{ path: '/rules', query: { ...filters, limit: 100 } }}
        />
      </Section>
    </>
  );
}
