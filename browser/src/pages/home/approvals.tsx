import { useState } from 'preact/hooks';

import { getPage } from '../../api/client.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { DecideRule } from '../../tasks/decide-rule.tsx';
import { Pending, Section } from '../../ui/basics.tsx';
import { AccountLink, Bytes, DidLink, RuleLink } from '../../ui/values.tsx';

const shownRules = 6;
const query = { state: 'WAITING_APPROVAL' } as const;

/** Rules of others that wait for a reader who may approve them; nothing if none does. */
export function Approvals() {
  const { value, error, reload } = useLoad('approvals', (signal) =>
    getPage('/rules', shownRules, undefined, { query, signal }),
  );
  const [said, setSaid] = useState('');
  if (error === undefined && said === '' && (value?.rows.length ?? 0) === 0) return null;
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
            <AccountLink account={rule.account} />
            <span class="push">
              <DecideRule
                id={rule.id}
                of={`${rule.scope}:${rule.name}`}
                onDone={(done) => {
                  setSaid(`${done} ${rule.scope}:${rule.name}`);
                  reload();
                }}
              />
            </span>
          </li>
        ))}
      </ul>
      <p role="status" class="hint">
        <bdi>{said}</bdi>
      </p>
    </Section>
  );
}
