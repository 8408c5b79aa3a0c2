import { useEffect, useState } from 'preact/hooks';

import { getPage } from '../../api/client.ts';
import { useKeptText } from '../../kept-text.ts';
import { useDelayed, useLoad } from '../../load.ts';
import type { PageProps } from '../../page.ts';
import { go, placeUrl, readPlace } from '../../router.ts';
import { PageHead, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { ChoiceField } from '../../ui/fields.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { forgetVisits, listVisits, rememberVisit } from '../../visited.ts';
import { typeNames } from './columns.tsx';
import { Conditions } from './conditions.tsx';
import { Everywhere } from './everywhere.tsx';
import { ExampleMade, GettingStarted } from './getting-started.tsx';
import { OtherFinds } from './other-finds.tsx';
import { type Condition, readCondition, resolveCondition, splitSearch, writeCondition } from './query.ts';
import { Results } from './results.tsx';
import { SaveSearch, SavedSearches } from './saved-searches.tsx';

const typingMs = 250;
/** A search that stays that long is one to come back to. */
const rememberMs = 2_000;

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
  const show = (change: (present: Question) => Partial<Question>) => {
    // As the address is now: a click may have changed it since this was rendered.
    const present = readQuestion(readPlace(location.hash).query);
    go(questionUrl({ ...present, ...change(present) }), { replace: true });
  };
  const [text, setText, write] = useKeptText(q, (next) => show(() => ({ q: next })), typingMs);

  const typed = splitSearch(q);
  const all = [...typed.conditions, ...conditions];
  const wanted = readPattern(typed.pattern);
  const address = questionUrl({ q, type, conditions });
  const asked = useDelayed(address, rememberMs);
  const label = [q, ...conditions.map(writeCondition)].filter(Boolean).join(' ');
  useEffect(() => {
    if (asked === address && label !== '') rememberVisit('searches', { label, url: address });
  }, [asked]);
  return (
    <>
      <PageHead title={q === '' ? 'Search' : `${q} · Search`} heading="Search" />
      <form
        class="search"
        role="search"
        aria-label="Datasets"
        onSubmit={(event) => {
          event.preventDefault();
          write(text);
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
              placeholder="a name, or scope:name"
              list="scopes"
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
          <ChoiceField label="Type" of={typeNames} value={type} onChange={(next) => show(() => ({ type: next }))} />
        </div>
        <p class="hint">
          Without a scope all scopes are searched. <code>*</code> stands for any text. Conditions may follow, such as{' '}
          <code>size &gt; 40 GB</code>.
        </p>
        <Conditions
          of={conditions}
          onChange={(change) => show((present) => ({ conditions: change(present.conditions) }))}
        />
      </form>
      {label !== '' && <SaveSearch label={label} url={address} />}
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
  return <Results scope={scope} name={name} type={type} conditions={conditions.map(resolveCondition)} />;
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
  const fitting = value.rows.filter((scope) => scope.toLowerCase().includes(typed.toLowerCase()));
  // Within a name: nobody knows all scopes and how their names begin.
  const pattern = typed === '' ? '*' : /[*%]/.test(typed) ? typed : `*${typed}*`;
  const isQuestion = typed !== '' || conditions.length > 0;
  return (
    <>
      {filled && <ExampleMade />}
      <datalist id="scopes">
        {value.rows.map((scope) => (
          <option key={scope} value={`${scope}:`} />
        ))}
      </datalist>
      {typed !== '' && <OtherFinds text={typed} />}
      {isQuestion && (
        <Everywhere
          scopes={value.rows}
          hasMoreScopes={value.next !== undefined}
          name={pattern}
          type={question.type}
          conditions={conditions.map(resolveCondition)}
          linkTo={(scope) => questionUrl({ ...question, q: `${scope}:${pattern}` })}
        />
      )}
      {!isQuestion && (
        <>
          <SavedSearches />
          <Searches />
        </>
      )}
      {fitting.length > 0 && (
        <Section heading="Scopes">
          <Chips of={fitting} suffix=":" question={question} />
          {value.next !== undefined && (
            <p class="hint">These are the first {shownScopes}. Type the name of any other.</p>
          )}
          <SameAs rucio="rucio scope list" curl={{ path: '/scopes' }} />
        </Section>
      )}
    </>
  );
}

/** The last searches in this browser. */
function Searches() {
  const [searches, setSearches] = useState(() => listVisits('searches'));
  if (searches.length === 0) return null;
  const forget = () => {
    forgetVisits('searches');
    setSearches([]);
  };
  return (
    <Section
      heading="Your last searches"
      aside={
        <button type="button" class="quiet" onClick={forget}>
          Forget
        </button>
      }
    >
      <ul class="chips">
        {searches.map(({ label, url }) => (
          <li key={url}>
            <a class="name" href={url}>
              <bdi>{label}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </Section>
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
