import { useState } from 'preact/hooks';

import { endSession, session } from '../api/session.ts';
import { placeUrl } from '../router.ts';
import { nextTheme, readTheme, setTheme } from '../theme.ts';
import { TerminalMenu } from './terminal-menu.tsx';

/** The page in a terminal, the theme, and who is logged in. */
export function AccountMenu() {
  const present = session();
  return (
    <div class="account-menu">
      <TerminalMenu />
      <ThemeButton />
      {present !== undefined && (
        <>
          <a class="name" href={placeUrl(['account', present.account])}>
            <bdi>{present.account}</bdi>
          </a>
          <button type="button" class="quiet" onClick={endSession}>
            Log out
          </button>
        </>
      )}
    </div>
  );
}

const labels = { system: 'auto', light: 'light', dark: 'dark' } as const;

/** Changes the theme, in turn. */
export function ThemeButton() {
  const [theme, keepTheme] = useState(readTheme());
  const change = () => {
    const next = nextTheme(theme);
    setTheme(next);
    keepTheme(next);
  };
  return (
    <button type="button" class="quiet" onClick={change} aria-label={`Theme: ${labels[theme]}. Change it`}>
      <span aria-hidden="true">{theme === 'dark' ? '☾' : theme === 'light' ? '☀' : '◐'}</span>{' '}
      <span class="wide">Theme: {labels[theme]}</span>
    </button>
  );
}
