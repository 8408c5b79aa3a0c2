import { ApiError, getJson, getPage, path } from '../api/client.ts';
import { counted } from '../format.ts';
import { useLoad } from '../load.ts';
import { Pending } from '../ui/basics.tsx';
import { AccountLink, Bytes, Count, DidLink, RuleLink, State, Time, TypeMark } from '../ui/values.tsx';
import { didOf, didsOf } from './texts.ts';

/** So many DIDs of a text are looked up: each is a request. */
const shownDids = 10;

/** The DIDs that a text names: what each is, or that it does not exist. */
export function NamedDids({ text, scope }: { text: string; scope: string }) {
  const all = didsOf(text, scope);
  const dids = all.slice(0, shownDids);
  const { value, error, reload } = useLoad(`named ${JSON.stringify(dids)}`, (signal) =>
    Promise.all(dids.map((did) => findDid(did, signal))),
  );
  return (
    <>
      <Pending of={{ value, error, reload }} />
      <ul class="plain-list">
        {value?.map((found, i) => {
          const { scope: foundScope = '', name = '' } = dids[i] ?? {};
          return (
            <li key={`${foundScope}:${name}`}>
              <DidLink scope={foundScope} name={name} />{' '}
              {found === undefined ? (
                <State of="BAD" label="does not exist" />
              ) : (
                <span class="hint">
                  <TypeMark of={found.type} /> <Bytes of={found.bytes} />
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {all.length > dids.length && <p class="hint">and {counted(all.length - dids.length, 'other')}</p>}
    </>
  );
}

/** A DID; undefined if there is none. */
function findDid(did: { scope: string; name: string }, signal: AbortSignal) {
  if (did.scope === '') return Promise.resolve(undefined);
  return getJson(path('/dids/**:scope_name', { did }), { signal }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
}

const shownRows = 5;

/** A DID with the rules that keep it and what it is a part of: all that its end concerns. */
export function Dependents({ did: text }: { did: string }) {
  const did = didOf(text);
  const { value, error, reload } = useLoad(`dependents ${text}`, async (signal) => {
    if (did.scope === '') return undefined;
    const found = await findDid(did, signal);
    if (found === undefined) return undefined;
    const [rules, parents] = await Promise.all([
      getPage(path('/dids/**:scope_name/rules', { did }), shownRows, undefined, { signal }),
      getPage(path('/dids/**:scope_name/parents', { did }), shownRows, undefined, { signal }),
    ]);
    return { found, rules, parents };
  });
  if (value === undefined) return error === undefined ? null : <Pending of={{ value, error, reload }} />;
  const { found, rules, parents } = value;
  return (
    <>
      <p>
        <TypeMark of={found.type} /> <DidLink scope={did.scope} name={did.name} />, <Bytes of={found.bytes} />
        {found.type !== 'FILE' && (
          <>
            {' '}
            in <Count of={found.length} noun="file" />
          </>
        )}
      </p>
      {rules.rows.length === 0 ? (
        <p>No rule keeps it.</p>
      ) : (
        <>
          <p>{more(rules.rows.length, rules.next, 'rule')} on it would end with it:</p>
          <ul class="plain-list">
            {rules.rows.map((rule) => (
              <li key={rule.id}>
                <RuleLink id={rule.id} /> of <AccountLink account={rule.account} />, {rule.copies} ×{' '}
                <bdi class="name">{rule.rse_expression}</bdi>
                {rule.expires_at !== null && (
                  <>
                    , ends <Time of={rule.expires_at} relative />
                  </>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {parents.rows.length > 0 && (
        <>
          <p>It is a part of:</p>
          <ul class="plain-list">
            {parents.rows.map((parent) => (
              <li key={`${parent.scope}:${parent.name}`}>
                <DidLink scope={parent.scope} name={parent.name} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const more = (count: number, next: string | undefined, noun: string) =>
  next === undefined ? counted(count, noun) : `More than ${counted(count, noun)}`;
