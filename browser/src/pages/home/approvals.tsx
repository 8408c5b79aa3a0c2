import { getPage } from '../../api/client.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Pending, Section } from '../../ui/basics.tsx';
import { AccountLink, Bytes, DidLink, RuleLink } from '../../ui/values.tsx';

const shownRules = 6;
const query = { state: 'WAITING_APPROVAL' } as const;

/** Rules of others that wait for a reader who may approve them; nothing if none does. */
export function Approvals() {
  const { value, error, reload } = useLoad('approvals', (signal) =>
    getPage('/rules', shownRules, undefined, { query, signal }),
  );
  if (error === undefined && (value?.rows.length ?? 0) === 0) return null;
  return (
    <Section heading="Waits for your approval" aside={<a href={placeUrl(['rules'], query)}>All of them</a>}>
      <Pending of={{ value, error, reload }} />
      <ul class="lines">
        {value?.rows.map((rule) => (
          <li key={rule.id}>
            <RuleLink id={rule.id} />
            <DidLink scope={rule.scope} name={rule.name} />
            <span>
              <Bytes of={rule.bytes} /> for {rule.copies} × <bdi class="name">{rule.rse_expression}</bdi>
            </span>
            <span class="push">
              <AccountLink account={rule.account} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
