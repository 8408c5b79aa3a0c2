import { getJson, getLines, getPage, path } from '../../api/client.ts';
import type { Did } from '../../api/types.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Bar, Facts } from '../../ui/basics.tsx';
import { AccountLink, Bytes, Count, RseLink, State, Time } from '../../ui/values.tsx';

/** Locks that are looked at: each is a rule on one RSE. */
const maxLocks = 50;

/** What a DID is, whether it is complete, who made it and when, and where rules keep a dataset. */
export function AtAGlance({ did }: { did: Did }) {
  const { scope, name } = did;
  const created = useLoad(`created ${scope}:${name}`, async (signal) => {
    const meta = await getJson(path('/dids/**:scope_name/meta', { did: { scope, name } }), { signal });
    return typeof meta['created_at'] === 'string' ? meta['created_at'] : null;
  });
  const isFile = did.type === 'FILE';
  const own = isFile
    ? ([['Adler-32', <code>{did.adler32 ?? 'none'}</code>]] as const)
    : ([
        ['Files', <Count of={did.length} />],
        ['State', did.open ? 'open: accepts more' : 'closed'],
      ] as const);
  return (
    <Facts
      of={[
        ['Size', <Bytes of={did.bytes} />],
        ...own,
        ...(did.type === 'DATASET' ? [['Copies that rules keep', <KeptOn did={did} />] as const] : []),
        ['Rules', <RuleStates did={did} />],
        ['Owner', <AccountLink account={did.account} />],
        ['Created', <Time of={created.value} relative />],
        ...(did.expired_at === null ? [] : [['Ends', <Time of={did.expired_at} relative />] as const]),
      ]}
    />
  );
}

/** Rules that are counted. */
const maxRules = 100;

/** The rules on a DID itself, counted by state, as a link to them. */
function RuleStates({ did: { scope, name } }: { did: Did }) {
  const target = path('/dids/**:scope_name/rules', { did: { scope, name } });
  const { value } = useLoad(`states ${target}`, (signal) => getPage(target, maxRules, undefined, { signal }));
  if (value === undefined) return <>…</>;
  const states = Map.groupBy(value.rows, ({ state }) => state);
  return (
    <a class="counted-states" href={placeUrl(['did', scope, name], { tab: 'rules' })}>
      {value.rows.length === 0 && 'none of its own'}
      {[...states].map(([state, rules]) => (
        <span key={state}>
          {rules.length}
          {value.next !== undefined && '+'} <State of={state} />
        </span>
      ))}
    </a>
  );
}

/** The RSEs where rules keep a dataset: how many files are there, and the worst state of the locks. */
function KeptOn({ did: { scope, name } }: { did: Did }) {
  const target = path('/locks/**:scope_name', { did: { scope, name } });
  const { value, error } = useLoad(target, (signal) =>
    getPage(target, maxLocks, undefined, { query: { did_type: 'dataset' }, signal }),
  );
  const sums = path('/replicas/**:scope_name/datasets', { did: { scope, name } });
  const there = useLoad(sums, (signal) => getLines(sums, { signal })).value;
  if (error !== undefined)
    return <a href={placeUrl(['did', scope, name], { tab: 'rules' })}>not known: see the rules</a>;
  if (value === undefined) return <>…</>;
  if (value.rows.length === 0) return <>no RSE</>;
  const states = Map.groupBy(value.rows, ({ rse }) => rse);
  return (
    <ul class="kept">
      {[...states].map(([rse, locks]) => {
        const state = (locks.find((lock) => lock.state !== 'OK') ?? locks[0])?.state ?? 'OK';
        const sum = there?.find((row) => row.rse === rse);
        return (
          <li key={rse}>
            <RseLink rse={rse} />
            {sum !== undefined && (
              <Bar
                share={Number(sum.available_length) / Number(sum.length)}
                tone={sum.available_length === sum.length ? 'good' : 'busy'}
                label={`${sum.available_length} of ${sum.length} files are on ${rse}`}
              />
            )}
            {sum !== undefined && sum.available_length !== sum.length && (
              <span>
                <Count of={sum.available_length} /> of <Count of={sum.length} />
              </span>
            )}
            {state === 'OK' && sum?.available_length === sum?.length ? null : <State of={state} />}
          </li>
        );
      })}
      {value.next !== undefined && <li>and others</li>}
    </ul>
  );
}
