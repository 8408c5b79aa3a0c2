import { useEffect, useState } from 'preact/hooks';

import { getLines, getPage, path, type Query } from '../api/client.ts';
import type { Explanation, FoundDid } from '../api/types.ts';
import { counted, shellWord } from '../format.ts';
import { useDelayed, useLoad } from '../load.ts';
import type { PageProps } from '../page.ts';
import { go, placeUrl, readPlace } from '../router.ts';
import { Empty, ErrorNote, PageHead, Section } from '../ui/basics.tsx';
import { PagedTable, type Column } from '../ui/paged-table.tsx';
import { SameAs } from '../ui/same-as.tsx';
import { Bytes, Count, DidLink, TypeMark } from '../ui/values.tsx';
import { ExampleMade, FirstMinute } from './first-minute.tsx';
import { Conditions } from './search-conditions.tsx';
import { type Condition, readCondition, toQuery, toRucioFilter, writeCondition } from './search-query.ts';

const typeNames = [
  ['collection', 'Datasets and containers'],
  ['dataset', 'Datasets'],
  ['container', 'Containers'],
  ['file', 'Files'],
  ['all', 'Everything'],
] as const;

const typingMs = 250;

const columns: readonly Column<FoundDid>[] = [
  { head: 'Name', cell: ({ scope, name }) => <DidLink scope={scope} name={name} />, lead: true },
  { head: 'Type', cell: ({ did_type: type }) => <TypeMark of={type} />, wide: true },
  { head: 'Files', cell: ({ length }) => <Count of={length} />, number: true, wide: true },
  { head: 'Size', cell: ({ bytes }) => <Bytes of={bytes} />, number: true },
];

interface Question {
  readonly q: string;
  readonly type: string;
  readonly conditions: readonly Condition[];
}

function readQuestion(query: URLSearchParams): Question {
  return {
    q: query.get('q') ?? '',
    type: query.get('type') ?? 'collection',
    conditions: query.getAll('f').map((text) => readCondition(text)),
  };
}

function questionUrl({ q, type, conditions }: Question): string {
  const search = new URLSearchParams(q === '' ? {} : { q });
  if (type !== 'collection') search.set('type', type);
  for (const condition of conditions) search.append('f', writeCondition(condition));
  return `${placeUrl(['search'])}${search.size === 0 ? '' : `?${search}`}`;
}

/** Search by name and metadata; without a question, the way into the catalogue. */
export function SearchPage({ query }: PageProps) {
  const { q, type, conditions } = readQuestion(query);
  const [text, setText] = useState(q);
  const settled = useDelayed(text, typingMs);

  const show = (change: Partial<Question>, replace = true) => {
    // As the address is now: a click may have changed it since this was rendered.
    go(questionUrl({ ...readQuestion(readPlace(location.hash).query), ...change }), { replace });
  };
  // Typing changes the address when it pauses; going back changes the text.
  useEffect(() => {
    if (settled !== q) show({ q: settled });
  }, [settled]);
  useEffect(() => setText(q), [q]);

  const wanted = readPattern(q);
  return (
    <>
      <PageHead title={q === '' ? 'Search' : `${q} · Search`} heading="Search" />
      <form
        class="search"
        role="search"
        aria-label="Datasets"
        onSubmit={(event) => {
          event.preventDefault();
          show({ q: text });
        }}
      >
        <div class="search-row">
          <label class="field grow">
            <span>Scope and name</span>
            <input
              class="large"
              type="search"
              autocomplete="off"
              spellcheck={false}
              placeholder="beam26:raw.*"
              list="scopes"
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
          <label class="field">
            <span>Type</span>
            <select value={type} onChange={({ currentTarget }) => show({ type: currentTarget.value })}>
              {typeNames.map(([id, label]) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </div>
        <Conditions of={conditions} onChange={(next) => show({ conditions: next })} />
      </form>
      {wanted === undefined ? (
        <Beginning question={{ q, type, conditions }} />
      ) : (
        <Results scope={wanted.scope} name={wanted.name} type={type} conditions={conditions} />
      )}
    </>
  );
}

/** Reads `scope:pattern`. The beginning of a name finds all that begin so; undefined without a scope. */
function readPattern(text: string): { scope: string; name: string } | undefined {
  const at = text.indexOf(':');
  if (at < 1) return undefined;
  const name = text.slice(at + 1).trim();
  return { scope: text.slice(0, at).trim(), name: /[*%]/.test(name) ? name : `${name}*` };
}

function Results({
  scope,
  name,
  type,
  conditions,
}: {
  scope: string;
  name: string;
  type: string;
  conditions: readonly Condition[];
}) {
  const filters = toQuery(conditions.filter(({ value }) => value !== ''));
  const query: Query = { ...(name === '*' ? {} : { name }), type, ...filters };
  const target = path`/dids/${scope}/dids/search`;
  const key = JSON.stringify([scope, query]);
  const filterText = toRucioFilter([
    ...(type === 'collection' ? [] : [`type=${type}`]),
    ...conditions.map(writeCondition),
  ]);
  return (
    <Section heading="Found" aside={<Explain key={key} target={target} query={query} />}>
      <PagedTable
        caption="The DIDs that were found"
        listKey={key}
        load={(cursor, limit, signal) =>
          getPage<FoundDid>(target, limit, cursor, { query: { ...query, long: true }, signal })
        }
        columns={columns}
        empty={
          <>
            <p>Nothing in this scope fits.</p>
            <p>
              Names are case-sensitive, <code>*</code> stands for any text, and this looks for{' '}
              {typeNames.find(([id]) => id === type)?.[1].toLowerCase()} only.
            </p>
          </>
        }
      />
      <SameAs
        rucio={`rucio did list ${shellWord(`${scope}:${name}`)}${filterText}`}
        curl={{ path: target, query: { ...query, long: true, limit: 100 } }}
      />
    </Section>
  );
}

/** How a search is carried out. It is asked for, since it reads the table once more. */
function Explain({ target, query }: { target: string; query: Query }) {
  const [asked, setAsked] = useState(false);
  if (!asked) {
    return (
      <button type="button" class="quiet" onClick={() => setAsked(true)}>
        What does it read?
      </button>
    );
  }
  return <Explained target={target} query={query} />;
}

const explainRows = 100;

function Explained({ target, query }: { target: string; query: Query }) {
  const { value, error } = useLoad(
    JSON.stringify(query),
    async (signal) =>
      (await getLines<Explanation>(target, { query: { ...query, limit: explainRows, explain: true }, signal }))[0],
  );
  if (error !== undefined) return <ErrorNote error={error} />;
  if (value === undefined) return null;
  const ways = value.plan.map(describeSource).join('; then ');
  const units = `${value.read.rru} read ${value.read.rru === 1 ? 'unit' : 'units'}`;
  return (
    <p class="explained" role="status">
      {counted(value.rows, 'row')}
      {value.rows === explainRows ? ' (the first page)' : ''} for {units} in {counted(value.read.requests, 'request')},{' '}
      {ways}
    </p>
  );
}

function describeSource({ source, keys, name, prefix }: Explanation['plan'][number]): string {
  switch (source) {
    case 'did':
      return `of one DID, ${name ?? ''}`;
    case 'index':
      return `from the index of ${keys?.join(' and ') ?? 'metadata'}`;
    case 'nothing':
      return 'of nothing: no DID can fit';
    case 'collections':
    case 'scope':
      return `${source === 'scope' ? 'from the whole scope' : 'from the collections of the scope'}${prefix ? ` that begin with ${prefix}` : ''}`;
  }
}

const shownScopes = 200;

/** Before the first question: the scopes to begin with, or what to do with an empty catalogue. */
function Beginning({ question }: { question: Question }) {
  const { q: typed, conditions } = question;
  const { value, error, reload } = useLoad('scopes', (signal) =>
    getPage<string>('/scopes', shownScopes, undefined, { signal }),
  );
  const [filled, setFilled] = useState(false);
  const onFilled = () => {
    setFilled(true);
    reload();
  };
  if (error !== undefined) return <ErrorNote error={error} retry={reload} />;
  if (value === undefined) return null;
  if (value.rows.length === 0) return <FirstMinute onFilled={onFilled} />;
  const fitting = value.rows.filter((scope) => scope.toLowerCase().includes(typed.toLowerCase()));
  return (
    <Section heading="Scopes">
      {filled && <ExampleMade />}
      {conditions.length > 0 && (
        <p class="note" role="status">
          Choose a scope to search in. The conditions stay.
        </p>
      )}
      <datalist id="scopes">
        {value.rows.map((scope) => (
          <option key={scope} value={`${scope}:`} />
        ))}
      </datalist>
      {fitting.length === 0 ? (
        <Empty>
          No scope has {typed} in its name. Write a scope, a colon and the beginning of a name, such as{' '}
          <code>{value.rows[0]}:raw</code>.
        </Empty>
      ) : (
        <ul class="chips">
          {fitting.map((scope) => (
            <li key={scope}>
              <a class="name" href={questionUrl({ ...question, q: `${scope}:` })}>
                <bdi>{scope}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
      {value.next !== undefined && <p class="hint">These are the first {shownScopes}. Type the name of any other.</p>}
      <SameAs rucio="rucio scope list" curl={{ path: '/scopes' }} />
    </Section>
  );
}
