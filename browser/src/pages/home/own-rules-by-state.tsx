import { readDate } from '../../format.ts';
import type { OwnRules } from '../../own-rules.ts';
import { placeUrl } from '../../router.ts';
import { Empty, Section } from '../../ui/basics.tsx';
import { DidLink, RuleLink, State, Time } from '../../ui/values.tsx';
import { findCause } from '../rule/causes.ts';

const states = ['STUCK', 'WAITING_APPROVAL', 'SUSPENDED', 'REPLICATING', 'OK'] as const;
const shownStuck = 6;

/** The reader's rules by state, and those that are stuck with the reason. */
export function OwnRulesByState({ of: { account, rules, isPart } }: { of: OwnRules }) {
  const stuck = rules
    .filter(({ state }) => state === 'STUCK')
    .toSorted((a, b) => (readDate(b.stuck_at)?.getTime() ?? 0) - (readDate(a.stuck_at)?.getTime() ?? 0));
  return (
    <Section
      heading="My rules"
      aside={
        <a href={placeUrl(['rules'], { account })}>
          {isPart ? `All, more than ${rules.length}` : `All ${rules.length}`}
        </a>
      }
    >
      {rules.length === 0 && (
        <Empty>
          You have no rule. A rule keeps copies of a dataset: <a href={placeUrl(['new-rule'])}>make one</a>.
        </Empty>
      )}
      <ul class="counts">
        {states.map((state) => {
          const count = rules.filter((rule) => rule.state === state).length;
          if (count === 0 && state !== 'STUCK') return null;
          return (
            <li key={state}>
              <a href={placeUrl(['rules'], { account, state })}>
                <strong class="number">
                  {count}
                  {isPart && '+'}
                </strong>
                <State of={count === 0 ? 'NONE' : state} label={state} />
              </a>
            </li>
          );
        })}
      </ul>
      {stuck.length > 0 && (
        <ul class="lines">
          {stuck.slice(0, shownStuck).map((rule) => (
            <li key={rule.id}>
              <RuleLink id={rule.id} />
              <DidLink scope={rule.scope} name={rule.name} />
              <span class="reason">{reasonOf(rule)}</span>
              <span class="push">
                since <Time of={rule.stuck_at ?? rule.updated_at} relative />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Why a rule is stuck, in one line. */
function reasonOf(rule: OwnRules['rules'][number]): string {
  return findCause(rule).cause ?? rule.error ?? 'Copies have failed: open it to see which.';
}
