import { getPage, path } from '../../api/client.ts';
import { humanBytes } from '../../format.ts';
import { useLoad } from '../../load.ts';
import type { OwnRules } from '../../own-rules.ts';
import { placeUrl } from '../../router.ts';
import { Empty, Pending, Section } from '../../ui/basics.tsx';
import { Quota, shareUsed } from '../../ui/quota.tsx';
import { DidLink, RseLink, RuleLink } from '../../ui/values.tsx';

const maxRses = 200;
const shownRows = 6;

/** The reader's quota, the fullest first, and the rules that use most of it. */
export function OwnQuota({ account, rules: { rules, isPart } }: { account: string; rules: OwnRules }) {
  const target = path('/accounts/:account/usage/local', { account });
  const { value, error, reload } = useLoad(target, (signal) => getPage(target, maxRses, undefined, { signal }));
  const fullest = value?.rows.toSorted(
    (a, b) => (shareUsed(b) ?? 0) - (shareUsed(a) ?? 0) || Number(b.bytes) - Number(a.bytes),
  );
  const largest = rules
    .map((rule) => ({ rule, bytes: Number(rule.bytes ?? 0) * rule.copies }))
    .filter(({ bytes }) => bytes > 0)
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, shownRows);
  return (
    <Section heading="My quota" aside={<a href={placeUrl(['account', account])}>My account</a>}>
      <Pending of={{ value, error, reload }} />
      {fullest?.length === 0 && (
        <Empty>You have neither quota nor usage on any RSE. Ask an administrator for quota.</Empty>
      )}
      <ul class="lines">
        {fullest?.slice(0, shownRows).map((row) => (
          <li key={row.rse}>
            <RseLink rse={row.rse} />
            <span class="push wide-bar">
              <Quota of={row} />
            </span>
          </li>
        ))}
      </ul>
      {(fullest?.length ?? 0) > shownRows && (
        <p class="hint">
          The fullest {shownRows} of {fullest?.length} RSEs.
        </p>
      )}
      {largest.length > 0 && (
        <>
          <h3>What uses most of it{isPart && `, of the first ${rules.length} rules`}</h3>
          <ul class="lines">
            {largest.map(({ rule, bytes }) => (
              <li key={rule.id}>
                <RuleLink id={rule.id} />
                <DidLink scope={rule.scope} name={rule.name} />
                <span class="push number">{humanBytes(bytes)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
