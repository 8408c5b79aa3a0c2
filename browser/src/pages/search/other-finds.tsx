import { getJson, path } from '../../api/client.ts';
import { useLoad } from '../../load.ts';
import { findOwnRules } from '../../own-rules.ts';
import { Section } from '../../ui/basics.tsx';
import { AccountLink, DidLink, RseLink, RuleLink, State } from '../../ui/values.tsx';

/** Rules, an RSE and an account with what was typed as their id or name. */
export function OtherFinds({ text }: { text: string }) {
  const { value } = useLoad(`other ${text}`, (signal) => findOthers(text, signal));
  if (value === undefined || (value.rules.length === 0 && !value.isRse && !value.isAccount)) return null;
  return (
    <Section heading="Also of this name">
      <ul class="lines">
        {value.rules.map((rule) => (
          <li key={rule.id}>
            rule <RuleLink id={rule.id} /> <DidLink scope={rule.scope} name={rule.name} /> <State of={rule.state} />
          </li>
        ))}
        {value.isRse && (
          <li>
            RSE <RseLink rse={text} />
          </li>
        )}
        {value.isAccount && (
          <li>
            account <AccountLink account={text} />
          </li>
        )}
      </ul>
    </Section>
  );
}

async function findOthers(text: string, signal: AbortSignal) {
  const isThere = (request: Promise<unknown>) =>
    request.then(
      () => true,
      () => false,
    );
  const isName = /^[\w-]+$/.test(text);
  const [rules, isRse, isAccount] = await Promise.all([
    findOwnRules(text, signal),
    isName && isThere(getJson(path('/rses/:rse', { rse: text }), { signal })),
    isName && isThere(getJson(path('/accounts/:account', { account: text }), { signal })),
  ]);
  return { rules, isRse, isAccount };
}
