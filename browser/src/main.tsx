import './style/main.css';
import { type ComponentType, render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { ApiError } from './api/client.ts';
import { adoptSession, onSession, session } from './api/session.ts';
import { toApiError } from './load.ts';
import type { PageProps } from './page.ts';
import { arrive, placeUrl, takeArrival, usePlace } from './router.ts';
import { readTheme, showTheme } from './theme.ts';
import { Loading, PageHead } from './ui/basics.tsx';
import { ErrorNote } from './ui/error-note.tsx';
import { LogInForm } from './ui/log-in.tsx';
import { Mark } from './ui/mark.tsx';
import { Shell } from './ui/shell.tsx';
import { rememberVisit } from './visited.ts';

type PageComponent = ComponentType<PageProps>;

/** The pages that are fetched when they are first visited. */
const pages: Readonly<Record<string, () => Promise<{ default: PageComponent }>>> = {
  home: () => import('./pages/home/home.tsx'),
  search: () => import('./pages/search/search.tsx'),
  do: () => import('./pages/do/do.tsx'),
  did: () => import('./pages/did/did.tsx'),
  rules: () => import('./pages/rules/rules.tsx'),
  rule: () => import('./pages/rule/rule.tsx'),
  'new-rule': () => import('./pages/new-rule/new-rule.tsx'),
  rses: () => import('./pages/rses/rses.tsx'),
  rse: () => import('./pages/rse/rse.tsx'),
  'test-storage': () => import('./pages/test-storage/test-storage.tsx'),
  subscriptions: () => import('./pages/subscriptions/subscriptions.tsx'),
  subscription: () => import('./pages/subscriptions/subscription.tsx'),
  accounts: () => import('./pages/accounts/accounts.tsx'),
  account: () => import('./pages/accounts/account.tsx'),
  requests: () => import('./pages/requests/requests.tsx'),
  bad: () => import('./pages/bad/bad.tsx'),
  opendata: () => import('./pages/opendata/opendata.tsx'),
  events: () => import('./pages/events/events.tsx'),
  configuration: () => import('./pages/configuration/configuration.tsx'),
  operations: () => import('./pages/operations/operations.tsx'),
};

const fetched = new Map<string, PageComponent>();

/** Pages of one thing that the reader may want to come back to. */
const visitedPages: ReadonlySet<string> = new Set(['did', 'rse', 'account', 'subscription']);

function App() {
  const place = usePlace();
  const [account, setAccount] = useState(session()?.account);
  useEffect(() => {
    let shown = account;
    const show = () => {
      // A renewed session changes nothing that is seen.
      if (session()?.account === shown) return;
      shown = session()?.account;
      // The form, or the page, that had the focus goes.
      arrive();
      setAccount(shown);
    };
    // Another tab may have answered since the first rendering.
    show();
    return onSession(show);
  }, []);
  if (account === undefined) return <LogIn />;
  return (
    <Shell key={account}>
      <Page name={place.parts[0] ?? 'home'} parts={place.parts.slice(1)} query={place.query} />
    </Shell>
  );
}

function LogIn() {
  const head = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = 'Log in · Dapple';
    if (takeArrival()) head.current?.focus();
  }, []);
  return (
    <main class="log-in">
      <h1 ref={head} tabIndex={-1}>
        <Mark /> Dapple
      </h1>
      <p class="lead">A catalogue of datasets, their replicas, and the rules that keep them.</p>
      <LogInForm />
    </main>
  );
}

function Page({ name, parts, query }: PageProps & { name: string }) {
  const [, setFetched] = useState(0);
  const [error, setError] = useState<ApiError>();
  const load = pages[name];
  const Component = fetched.get(name);
  useEffect(() => {
    setError(undefined);
    if (Component !== undefined || load === undefined) return;
    load().then(
      (module) => {
        fetched.set(name, module.default);
        setFetched((count) => count + 1);
      },
      (failure: unknown) => setError(toApiError(failure)),
    );
  }, [name]);
  useEffect(() => {
    if (visitedPages.has(name) && parts.length > 0)
      rememberVisit('places', { label: parts.join(':'), url: placeUrl([name, ...parts]) });
  }, [name, parts.join('/')]);
  if (Component !== undefined) return <Component key={[name, ...parts].join('/')} parts={parts} query={query} />;
  if (load === undefined) return <Unknown />;
  return error === undefined ? <Loading /> : <ErrorNote error={error} retry={() => location.reload()} />;
}

function Unknown() {
  return <PageHead title="No such page" lead="The address names no page of this catalogue. Begin at home." />;
}

async function main(): Promise<void> {
  showTheme(readTheme());
  await adoptSession();
  const root = document.querySelector('#app');
  if (root !== null) render(<App />, root);
}

void main();
