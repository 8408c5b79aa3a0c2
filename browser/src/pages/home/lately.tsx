import { useState } from 'preact/hooks';

import { readDate } from '../../format.ts';
import type { OwnRules } from '../../own-rules.ts';
import { Section } from '../../ui/basics.tsx';
import { DidLink, State, Time } from '../../ui/values.tsx';
import { forgetVisits, listVisits } from '../../visited.ts';

const shownRows = 6;

/** The datasets of the reader's latest rules, and the places that were visited in this browser. */
export function Lately({ rules: { rules } }: { rules: OwnRules }) {
  const created = (text: string) => readDate(text)?.getTime() ?? 0;
  const latest = rules
    .toSorted((a, b) => created(b.created_at) - created(a.created_at))
    .filter(({ scope, name }, i, all) => all.findIndex((one) => one.scope === scope && one.name === name) === i)
    .slice(0, shownRows);
  const [visits, setVisits] = useState(() => listVisits('places').slice(0, shownRows));
  if (latest.length === 0 && visits.length === 0) return null;
  return (
    <Section heading="My datasets, lately">
      <ul class="lines">
        {latest.map((rule) => (
          <li key={rule.id}>
            <DidLink scope={rule.scope} name={rule.name} />
            <span class="push">
              <State of={rule.state} /> <Time of={rule.created_at} relative />
            </span>
          </li>
        ))}
      </ul>
      {visits.length > 0 && (
        <>
          <div class="section-head">
            <h3>Visited in this browser</h3>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                forgetVisits('places');
                setVisits([]);
              }}
            >
              Forget
            </button>
          </div>
          <ul class="lines">
            {visits.map(({ label, url }) => (
              <li key={url}>
                <a class="name" href={url}>
                  <bdi>{label}</bdi>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
