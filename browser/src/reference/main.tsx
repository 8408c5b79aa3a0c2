import '../style/main.css';
import './reference.css';
import { render } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import { adoptSession, endSession, onSession, session } from '../api/session.ts';
import { type Asked, isWaiting, noteAsked } from '../late-focus.ts';
import { useLoad } from '../load.ts';
import { placeUrl, usePlace } from '../router.ts';
import { readTheme, showTheme } from '../theme.ts';
import { ThemeButton } from '../ui/account-menu.tsx';
import { Loading, PageHead } from '../ui/basics.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { LogInForm } from '../ui/log-in.tsx';
import { Mark } from '../ui/mark.tsx';
import { MenuButton } from '../ui/menu-button.tsx';
import { useSlashKey } from '../ui/slash-key.ts';
import { type Interface, loadInterface, type Operation } from './document.ts';
import { makeSearch } from './find-operations.ts';
import { Method, OperationView, Path } from './operation-view.tsx';
import { Prose, splitSummary } from './prose.tsx';

function Reference() {
  const { value, error, reload } = useLoad('document', loadInterface);
  if (error !== undefined) {
    return (
      <main class="log-in">
        <h1>API reference</h1>
        <ErrorNote error={error} retry={reload} />
      </main>
    );
  }
  return value === undefined ? (
    <main class="log-in">
      <h1>API reference</h1>
      <Loading />
    </main>
  ) : (
    <Described of={value} />
  );
}

function Described({ of: described }: { of: Interface }) {
  const { operations } = described;
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const search = useMemo(() => makeSearch(operations), [operations]);
  const found = search(text);
  const id = usePlace().parts[0];
  const present = operations.find((operation) => operation.id === id);
  useLayoutEffect(() => setOpen(false), [id]);
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(field);
  const goToFirst = (event: Event) => {
    event.preventDefault();
    const [first] = found;
    if (first !== undefined) location.hash = placeUrl([first.id]);
  };
  return (
    <div class="shell reference">
      <header class="top">
        <a class="brand" href="../ui/">
          <Mark />
          Dapple
        </a>
        <form class="jump" role="search" onSubmit={goToFirst}>
          <label class="visually-hidden" for="search">
            Search the operations
          </label>
          <input
            id="search"
            ref={field}
            type="search"
            autocomplete="off"
            spellcheck={false}
            placeholder="words, a path, a member, an error"
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value);
              setOpen(true);
            }}
          />
          <kbd aria-hidden="true">/</kbd>
        </form>
        <LogIn />
        <MenuButton controls="operations" isOpen={open} onToggle={setOpen} />
      </header>
      <nav id="operations" class="side" aria-label="Operations" data-open={open}>
        <p class="hint" role="status">
          {text === '' ? `${operations.length} operations` : `${found.length} of ${operations.length} operations`}
        </p>
        <Operations of={found} present={id} grouped={text === ''} />
      </nav>
      <main>
        {present === undefined ? (
          <Introduction of={described} unknown={id} />
        ) : (
          <OperationView key={present.id} of={present} />
        )}
      </main>
    </div>
  );
}

/** The operations by groups; what was found is in the order of the search. */
function Operations({
  of: operations,
  present,
  grouped,
}: {
  of: readonly Operation[];
  present: string | undefined;
  grouped: boolean;
}) {
  if (!grouped) return <OperationList of={operations} present={present} hasPath={() => true} />;
  const times = new Map<string, number>();
  for (const operation of operations) times.set(titleOf(operation), (times.get(titleOf(operation)) ?? 0) + 1);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return (
    <>
      {tags.map((tag) => (
        <div key={tag}>
          <h2>{tag}</h2>
          <OperationList
            of={operations.filter((operation) => operation.tag === tag)}
            present={present}
            hasPath={(operation) => times.get(titleOf(operation)) !== 1}
          />
        </div>
      ))}
    </>
  );
}

function OperationList({
  of: operations,
  present,
  hasPath,
}: {
  of: readonly Operation[];
  present: string | undefined;
  /** Found operations belong to different groups, and some titles occur twice: the path tells them apart. */
  hasPath: (operation: Operation) => boolean;
}) {
  return (
    <ul>
      {operations.map((operation) => (
        <li key={operation.id}>
          <a
            href={placeUrl([operation.id])}
            title={operation.path}
            aria-current={operation.id === present ? 'page' : undefined}
          >
            <Method of={operation.method} />{' '}
            <span>
              <span class="operation-title">
                <Prose text={titleOf(operation)} />
              </span>
              {hasPath(operation) && <Path of={operation.path} />}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const titleOf = ({ summary }: Operation) => splitSummary(summary)[0];

function Introduction({
  of: { version, introduction, operations },
  unknown,
}: {
  of: Interface;
  unknown: string | undefined;
}) {
  return (
    <>
      <PageHead
        title="API reference"
        lead={
          <>
            Version {version}, {operations.length} operations. For programs: <a href="../openapi.json">openapi.json</a>
          </>
        }
      />
      {unknown !== undefined && (
        <p class="note" data-tone="waiting">
          There is no operation <code>{unknown}</code>.
        </p>
      )}
      <div class="section">
        {introduction.map((paragraph) => (
          <p key={paragraph}>
            <Prose text={paragraph} />
          </p>
        ))}
      </div>
    </>
  );
}

/** The log-in with whose token requests are tried. It is the session of the page. */
function LogIn() {
  const [present, setPresent] = useState(session());
  const dialog = useRef<HTMLDialogElement>(null);
  const [asked, setAsked] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  // A session also begins and ends in another tab, while the reader is busy elsewhere.
  const changed = useRef<Asked | undefined>(undefined);
  useEffect(
    () =>
      onSession(() => {
        const isHere = dialog.current?.open === true || menu.current?.contains(document.activeElement) === true;
        changed.current = isHere ? noteAsked() : undefined;
        setPresent(session());
      }),
    [],
  );
  const button = useRef<HTMLButtonElement>(null);
  const known = useRef(present);
  // The button that had the focus has become the other one.
  useEffect(() => {
    if ((known.current === undefined) !== (present === undefined) && isWaiting(changed.current))
      button.current?.focus();
    known.current = present;
  }, [present]);
  return (
    <div ref={menu} class="account-menu">
      <ThemeButton />
      {present === undefined ? (
        <button
          ref={button}
          type="button"
          class="quiet"
          onClick={() => {
            setAsked(true);
            dialog.current?.showModal();
          }}
        >
          Log in
        </button>
      ) : (
        <>
          <bdi class="name">{present.account}</bdi>
          <button ref={button} type="button" class="quiet" onClick={endSession}>
            Log out
          </button>
        </>
      )}
      <dialog ref={dialog} aria-labelledby="log-in" onClose={() => setAsked(false)}>
        {asked && (
          <>
            <h2 id="log-in">Log in to try requests</h2>
            <LogInForm onDone={() => dialog.current?.close()} />
            <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
          </>
        )}
      </dialog>
    </div>
  );
}

/** The page is also served without the slash at its end. There each link, which begins at <base>, would load it again. */
function goToBase(): void {
  const { pathname } = new URL(document.baseURI);
  if (location.pathname !== pathname) history.replaceState(null, '', pathname + location.search + location.hash);
}

async function main(): Promise<void> {
  goToBase();
  showTheme(readTheme());
  await adoptSession();
  const root = document.querySelector('#app');
  if (root !== null) render(<Reference />, root);
}

void main();
