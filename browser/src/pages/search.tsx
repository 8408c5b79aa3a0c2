import { useEffect, useState } from 'preact/hooks';

import { getPage } from '../api/client.ts';
import { useDelayed, useLoad } from '../load.ts';
import type { PageProps } from '../page.ts';
import { go, placeUrl, readPlace } from '../router.ts';
import { Empty, ErrorNote, PageHead, Section } from '../ui/basics.tsx';
import { SameAs } from '../ui/same-as.tsx';
import { ExampleMade, FirstMinute } from './first-minute.tsx';
import { Conditions } from './search-conditions.tsx';
import { type Condition, readCondition, resolveCondition, splitSearch, writeCondition } from './search-query.ts';
import { Results, typeNames } from './search-results.tsx';

const typingMs = 250;

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

  const typed = splitSearch(q);
  const all = [...typed.conditions, ...conditions];
  const wanted = readPattern(typed.pattern);
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
              placeholder="scope:name"
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
        <p class="hint">
          <code>*</code> stands for any text. Conditions may follow, such as <code>size &gt; 40 GB</code>.
        </p>
        <Conditions of={conditions} onChange={(next) => show({ conditions: next })} />
      </form>
      {wanted === undefined ? (
        <Beginning question={{ q: typed.pattern, type, conditions: all }} />
      ) : (
        <Results scope={wanted.scope} name={wanted.name} type={type} conditions={all.map(resolveCondition)} />
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
