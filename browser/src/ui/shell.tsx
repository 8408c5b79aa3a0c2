import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { getJson, onReachable, path } from '../api/client.ts';
import { splitDid } from '../format.ts';
import { useStuckCount } from '../own-rules.ts';
import { go, placeUrl, usePlace } from '../router.ts';
import { AccountMenu } from './account-menu.tsx';
import { LogInAgain } from './log-in.tsx';
import { Mark } from './mark.tsx';
import { MenuButton } from './menu-button.tsx';
import { useSlashKey } from './slash-key.ts';

/** The pages, in groups: what the catalogue holds, where it is stored, and who operates it. */
const groups = [
  [
    '',
    [
      ['home', 'Home'],
      ['search', 'Search'],
      ['do', 'Do'],
    ],
  ],
  [
    'Data',
    [
      ['rules', 'Rules'],
      ['subscriptions', 'Subscriptions'],
    ],
  ],
  [
    'Storage',
    [
      ['rses', 'RSEs'],
      ['requests', 'Transfers'],
      ['bad', 'Bad replicas'],
    ],
  ],
  [
    'Service',
    [
      ['accounts', 'Accounts'],
      ['events', 'Live events'],
      ['configuration', 'Configuration'],
      ['operations', 'Operations'],
    ],
  ],
] as const;

/** Which entry of the navigation a page belongs to. */
const parents: Readonly<Record<string, string>> = {
  did: 'search',
  rule: 'rules',
  'new-rule': 'rules',
  rse: 'rses',
  subscription: 'subscriptions',
  account: 'accounts',
};

/** Everything around a page: navigation, search, account. */
export function Shell({ children }: { children: ComponentChildren }) {
  const { parts } = usePlace();
  const [open, setOpen] = useState(false);
  const [reachable, setReachable] = useState(true);
  const main = useRef<HTMLElement>(null);
  const stuck = useStuckCount();
  const present = parents[parts[0] ?? ''] ?? parts[0] ?? 'home';

  useEffect(() => onReachable(setReachable), []);
  useLayoutEffect(() => setOpen(false), [parts.join('/')]);

  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href={placeUrl(['home'])}>
          <Mark />
          Dapple
        </a>
        <JumpBox />
        <AccountMenu />
        <MenuButton controls="navigation" isOpen={open} onToggle={setOpen} />
      </header>
      <nav id="navigation" class="side" aria-label="Pages" data-open={open}>
        {groups.map(([heading, places]) => (
          <div key={heading} class="side-group">
            {heading !== '' && <h2>{heading}</h2>}
            <ul>
              {places.map(([id, label]) => (
                <li key={id}>
                  <a href={placeUrl([id])} aria-current={id === present ? 'page' : undefined}>
                    {label}
                    {id === 'rules' && stuck > 0 && (
                      <span class="badge" title={`${stuck} of your rules are stuck`}>
                        {stuck} <span class="visually-hidden">stuck</span>
                      </span>
                    )}
                  </a>
                </li>
              ))}
              {heading === 'Service' && (
                <li>
                  <a href="../docs/">API reference</a>
                </li>
              )}
            </ul>
          </div>
        ))}
      </nav>
      <main ref={main} tabIndex={-1}>
        {!reachable && (
          <div class="note" data-tone="waiting" role="status">
            The server does not answer. This page goes on as soon as it is back.
          </div>
        )}
        {children}
      </main>
      <LogInAgain />
    </div>
  );
}

/** One box for everything that has a name: a DID, a pattern, a rule, an RSE. */
function JumpBox() {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(field);
  const jump = async (event: Event) => {
    event.preventDefault();
    setText('');
    const before = location.hash;
    const place = await findPlace(text.trim());
    // The reader may have gone on meanwhile.
    if (location.hash === before) go(place);
  };
  return (
    <form class="jump" role="search" onSubmit={(event) => void jump(event)}>
      <label class="visually-hidden" for="jump">
        Go to a DID, a rule or an RSE
      </label>
      <input
        id="jump"
        ref={field}
        type="search"
        autocomplete="off"
        spellcheck={false}
        placeholder="scope:name, rule id or RSE"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

/** Where a text leads: to the DID, rule or RSE of this name, otherwise to a search. */
async function findPlace(text: string): Promise<string> {
  if (/^[0-9a-f]{32}$/i.test(text)) return placeUrl(['rule', text.toLowerCase()]);
  const did = splitDid(text);
  if (did !== undefined && !/[*%\s]/.test(text)) return placeUrl(['did', did.scope, did.name]);
  const isRse = /^[\w-]+$/.test(text) && (await isThere(text));
  return isRse ? placeUrl(['rse', text]) : placeUrl(['search'], { q: text });
}

/** Whether there is an RSE of this name. */
async function isThere(rse: string): Promise<boolean> {
  return getJson(path('/rses/:rse', { rse })).then(
    () => true,
    () => false,
  );
}
