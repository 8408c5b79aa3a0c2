import { useState } from 'preact/hooks';

import type { ApiError } from '../../api/client.ts';
import { setOwnPassword } from '../../api/set-password.ts';
import { toApiError } from '../../load.ts';
import { ErrorNote, Section } from '../../ui/basics.tsx';

/** A form with which users set their own password. `usernames`: those of their account. */
export function ChangePassword({ account, usernames }: { account: string; usernames: readonly string[] }) {
  const [chosen, setChosen] = useState<string>();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<ApiError>();
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open');
  const username = chosen ?? usernames[0] ?? '';

  const submit = async (event: Event) => {
    event.preventDefault();
    setState('busy');
    setError(undefined);
    try {
      await setOwnPassword({ account, username, current, password });
      setCurrent('');
      setPassword('');
      setState('done');
    } catch (failure) {
      setError(toApiError(failure));
      setState('open');
    }
  };
  return (
    <Section heading="Change the password">
      <form class="form" onSubmit={(event) => void submit(event)}>
        <label class="field">
          <span>User name</span>
          <select name="username" value={username} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            {usernames.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          <span class="hint">That of your log-in; administrators set those of others.</span>
        </label>
        <label class="field">
          <span>Present password</span>
          <input
            type="password"
            autocomplete="current-password"
            required
            value={current}
            onInput={({ currentTarget }) => setCurrent(currentTarget.value)}
          />
        </label>
        <label class="field">
          <span>New password</span>
          <input
            type="password"
            autocomplete="new-password"
            required
            value={password}
            onInput={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        </label>
        {error !== undefined && <ErrorNote error={error} />}
        {state === 'done' && <p role="status">The password is set. Other sessions with the former one end.</p>}
        <div class="actions">
          <button type="submit" class="primary" disabled={state === 'busy'}>
            Change the password
          </button>
        </div>
      </form>
    </Section>
  );
}
