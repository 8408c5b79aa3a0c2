import { useEffect, useState } from 'preact/hooks';

import { getPage } from '../../api/client.ts';
import { useDelayed, useLoad } from '../../load.ts';
import type { PageProps } from '../../page.ts';
import { go, placeUrl, readPlace } from '../../router.ts';
import { Empty, PageHead, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { ChoiceField } from '../../ui/fields.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Conditions } from './conditions.tsx';
import { ExampleMade, GettingStarted } from './getting-started.tsx';
import { type Condition, readCondition, resolveCondition, splitSearch, writeCondition } from './query.ts';
import { Results, typeNames } from './results.tsx';

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
export default function SearchPage({ query }: PageProps) {
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
          <ChoiceField label="Type" of={typeNames} value={type} onChange={(next) => show({ type: next })} />
        </div>
        <p class="hint">
          <code>*</code> stands for any text. Conditions may follow, such as <code>size &gt; 40 GB</code>.
        </p>
        <Conditions of={conditions} onChange={(next) => show({ conditions: next })} />
      </form>
      {wanted === undefined ? (
        <Beginning question={{ q: typed.pattern, type, conditions: all }} />
      ) : (
        <Answer scope={wanted.scope} name={wanted.name} question={{ q, type, conditions: all }} />
      )}
    </>
  );
}

/** Answer to a question in a scope. */
function Answer({ scope, name, question }: { scope: string; name: string; question: Question }) {
  const { type, conditions } = question;
  return (
    <Results
      scope={scope}
      name={name}
      type={type}
      conditions={conditions.map(resolveCondition)}
      linkTo={(other) => questionUrl({ ...question, q: `${scope}:${other}` })}
    />
  );
}

/** Reads `scope:pattern`; undefined without a scope. */
function readPattern(text: string): { scope: string; name: string } | undefined {
  const at = text.indexOf(':');
  return at < 1 ? undefined : { scope: text.slice(0, at).trim(), name: completeName(text.slice(at + 1).trim()) };
}

/** The beginning of a name finds all that begin so. */
const completeName = (name: string) => (/[*%]/.test(name) ? name : `${name}*`);

const shownScopes = 200;

/** Before the first question: the scopes to begin with, or what to do with an empty catalogue. */
function Beginning({ question }: { question: Question }) {
  const { q: typed, conditions } = question;
  const { value, error, reload } = useLoad('scopes', (signal) =>
    getPage('/scopes', shownScopes, undefined, { signal }),
  );
  const [filled, setFilled] = useState(false);
  const onFilled = () => {
    setFilled(true);
    reload();
  };
  if (error !== undefined) return <ErrorNote error={error} retry={reload} />;
  if (value === undefined) return null;
  if (value.rows.length === 0) return <GettingStarted onFilled={onFilled} />;
  const [only = ''] = value.rows;
  const fitting = value.rows.filter((scope) => scope.toLowerCase().includes(typed.toLowerCase()));
  if (value.rows.length === 1 && (fitting.length === 0 || (typed === '' && conditions.length > 0))) {
    return (
      <>
        <p class="hint">
          This looks in <bdi class="name">{only}</bdi>, the only scope.
        </p>
        <Answer scope={only} name={completeName(typed)} question={question} />
      </>
    );
  }
  // Also within a name: nobody knows all scopes and how their names begin.
  const pattern = /[*%]/.test(typed) ? typed : `*${typed}*`;
  return (
    <>
      {filled && <ExampleMade />}
      <Section heading="Scopes">
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
          <>
            <Empty>
              No scope has <bdi class="name">{typed}</bdi> in its name. Choose a scope to look for it there:
            </Empty>
            <Chips of={value.rows.map((scope) => `${scope}:${pattern}`)} question={question} />
          </>
        ) : (
          <Chips of={fitting} suffix=":" question={question} />
        )}
        {value.next !== undefined && <p class="hint">These are the first {shownScopes}. Type the name of any other.</p>}
        <SameAs rucio="rucio scope list" curl={{ path: '/scopes' }} />
      </Section>
    </>
  );
}

/** Ways to go on with a question. */
function Chips({ of: texts, suffix = '', question }: { of: readonly string[]; suffix?: string; question: Question }) {
  return (
    <ul class="chips">
      {texts.map((text) => (
        <li key={text}>
          <a class="name" href={questionUrl({ ...question, q: text + suffix })}>
            <bdi>{text}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}
