import { useEffect, useId, useRef, useState } from 'preact/hooks';

import { ApiError, onExpiredToken } from '../api/client.ts';
import { logIn, logInWithCertificate, readSettings, useToken } from '../api/log-in.ts';
import { logInAtProvider } from '../api/oidc.ts';
import { session } from '../api/session.ts';
import type { PageSettings } from '../api/types.ts';
import { useLateFill } from '../late-focus.ts';
import { toApiError, useAction } from '../load.ts';
import { ErrorNote } from './error-note.tsx';
import { onSubmit, TextField } from './fields.tsx';

/** The form for a log-in; on the reader's own machine it is filled in. */
export function LogInForm({ onDone }: { onDone?: () => void }) {
  const [settings, setSettings] = useState<PageSettings>();
  const [unread, setUnread] = useState<ApiError>();
  const { busy, error = unread, run: attempt } = useAction();
  const [withToken, setWithToken] = useState(false);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [account, setAccount] = useState(session()?.account ?? '');
  const [token, setToken] = useState('');
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  /** The log-in of the settings, once its fields were filled in. */
  const [filled, setFilled] = useState<NonNullable<PageSettings['login']>>();
  /** Whether something was typed before the settings came. */
  const isTyped = useRef(false);

  useEffect(() => {
    readSettings().then(
      (read) => {
        setSettings(read);
        // Whoever was logged in as somebody else does not become this account by a mere Enter.
        const former = session()?.account;
        if (read.login === null || isTyped.current || (former !== undefined && former !== read.login.account)) return;
        setUsername(read.login.username);
        setPassword(read.login.password ?? '');
        setAccount(read.login.account);
        setFilled(read.login);
      },
      (failure: unknown) => {
        // A deployment without the page has the reference of the interface, and no settings.
        const refused = toApiError(failure);
        if (refused.status !== 404) setUnread(refused);
      },
    );
  }, []);

  useLateFill(form, filled);
  const changeUsername = (typed: string) => {
    setUsername(typed);
    if (filled === undefined) return;
    // The password and the account that were filled in go with their user name, and come back with it.
    const isTheirs = typed === filled.username;
    const follow = (own: string) => (now: string) => (isTheirs ? now || own : now === own ? '' : now);
    setPassword(follow(filled.password ?? ''));
    setAccount(follow(filled.account));
  };

  const abandoned = useRef(new AbortController());
  useEffect(() => () => abandoned.current.abort(), []);

  const run = async (begin: () => Promise<void>) => {
    setUnread(undefined);
    if (await attempt(begin)) onDone?.();
  };
  const submit = () => run(() => (withToken ? useToken(token.trim()) : logIn(username, password, account.trim())));
  const submitAtProvider = () => {
    // Only what a click opens at once is not blocked.
    const shown = window.open('about:blank', '_blank', 'popup,width=560,height=720');
    return run(() => {
      if (shown === null) throw new ApiError(0, 'Blocked', 'Allow this page to open a window, and try again.');
      const wanted = account === settings?.login?.account ? '' : account.trim();
      return logInAtProvider(wanted, shown, abandoned.current.signal);
    });
  };
  const isFirst = typeof settings?.login?.password === 'string' && username === settings.login.username;
  return (
    <form
      ref={form}
      class="log-in"
      onSubmit={onSubmit(submit)}
      onInput={() => {
        isTyped.current = true;
      }}
    >
      {isFirst && password === settings.login?.password && (
        <p class="hint">This catalogue runs on your machine, so its first account is filled in.</p>
      )}
      {withToken ? (
        <label class="field">
          <span>Token</span>
          <textarea rows={4} value={token} required onInput={({ currentTarget }) => setToken(currentTarget.value)} />
          <span class="hint">
            {settings?.issuers.length ? `Of one of the issuers ${settings.issuers.join(', ')}, or ` : ''}a token that
            this service gave you, such as with <code>rucio whoami</code>.
          </span>
        </label>
      ) : (
        <>
          <TextField
            label="User name"
            name="username"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            required
            value={username}
            onInput={changeUsername}
          />
          <TextField
            label="Password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
            value={password}
            onInput={setPassword}
          />
          <div class="field">
            <label for={id}>Account</label>
            <input
              id={id}
              name="account"
              autocapitalize="none"
              spellcheck={false}
              aria-describedby={`${id}-hint`}
              value={account}
              onInput={({ currentTarget }) => setAccount(currentTarget.value)}
            />
            <span class="hint" id={`${id}-hint`}>
              Empty for your default account.
            </span>
          </div>
        </>
      )}
      {error !== undefined && <ErrorNote error={error} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Logging in …' : isFirst && !withToken ? `Log in as ${account || username}` : 'Log in'}
        </button>
        <button type="button" class="quiet" onClick={() => setWithToken(!withToken)}>
          {withToken ? 'With a password instead' : 'With a token instead'}
        </button>
        {typeof settings?.certificate === 'string' && (
          <button
            type="button"
            class="quiet"
            disabled={busy}
            title={settings.certificate}
            onClick={() => void run(() => logInWithCertificate(account.trim()))}
          >
            With your certificate
          </button>
        )}
        {settings?.oidc === true && (
          <button type="button" class="quiet" disabled={busy} onClick={() => void submitAtProvider()}>
            At an OpenID provider
          </button>
        )}
      </div>
    </form>
  );
}

/** Asks for a log-in, in place, when the token has expired in the middle of something. */
export function LogInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  const waiting = useRef<(() => void)[]>([]);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    onExpiredToken(
      () =>
        new Promise<void>((resolve) => {
          waiting.current.push(resolve);
          setOpen(true);
        }),
    );
  }, []);
  useEffect(() => {
    if (open && dialog.current?.open === false) dialog.current.showModal();
  }, [open]);
  const done = () => {
    dialog.current?.close();
    setOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve();
  };
  return (
    <dialog ref={dialog} aria-labelledby="log-in-again" onCancel={(event) => event.preventDefault()}>
      {open && (
        <>
          <h2 id="log-in-again">Your session has ended</h2>
          <p>Log in again, and what you were doing goes on.</p>
          <LogInForm onDone={done} />
        </>
      )}
    </dialog>
  );
}
