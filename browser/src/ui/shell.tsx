import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { onReachable } from '../api/client.ts';
import { useStuckCount } from '../own-rules.ts';
import { placeUrl, usePlace } from '../router.ts';
import { AccountMenu } from './account-menu.tsx';
import { JumpBox } from './jump-box.tsx';
import { LogInAgain } from './log-in.tsx';
import { Mark } from './mark.tsx';
import { MenuButton } from './menu-button.tsx';
import { PaletteKey } from './palette-key.tsx';
import { groups, parents } from './places.ts';
import { SessionWatch } from './session-watch.tsx';

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
        <SessionWatch />
        {!reachable && (
          <div class="note" data-tone="waiting" role="status">
            The server does not answer. This page goes on as soon as it is back.
          </div>
        )}
        {children}
      </main>
      <LogInAgain />
      <PaletteKey />
    </div>
  );
}
