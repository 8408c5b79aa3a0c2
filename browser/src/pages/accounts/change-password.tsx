import { useState } from 'preact/hooks';

import { setOwnPassword } from '../../api/set-password.ts';
import { useAction } from '../../load.ts';
import { Refusal } from '../../tasks/refusal.tsx';
import { Section } from '../../ui/basics.tsx';
import { ChoiceField, emptied, onSubmit, TextField } from '../../ui/fields.tsx';

/** A form with which users set their own password. `usernames`: those of their account. */
export function ChangePassword({ account, usernames }: { account: string; usernames: readonly string[] }) {
  const [chosen, setChosen] = useState<string>();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [isDone, setDone] = useState(false);
  const change = useAction();
  const username = chosen ?? usernames[0] ?? '';

  const submit = async () => {
    setDone(false);
    if (!(await change.run(() => setOwnPassword({ account, username, current, password })))) return;
    setCurrent(emptied(current));
    setPassword(emptied(password));
    setDone(true);
  };
  return (
    <Section heading="Change the password">
      <form class="form" onSubmit={onSubmit(submit)}>
        <ChoiceField
          label="User name"
          hint="That of your log-in; administrators set those of others."
          name="username"
          of={usernames.map((name) => [name, name] as const)}
          value={username}
          onChange={setChosen}
        />
        <TextField
          label="Present password"
          type="password"
          autocomplete="current-password"
          required
          value={current}
          onInput={setCurrent}
        />
        <TextField
          label="New password"
          type="password"
          autocomplete="new-password"
          required
          value={password}
          onInput={setPassword}
        />
        {change.error !== undefined && <Refusal error={change.error} asked={change.asked} done={0} all={1} />}
        {isDone && <p role="status">The password is set. Other sessions with the former one end.</p>}
        <div class="actions">
          <button type="submit" class="primary" disabled={change.busy}>
            Change the password
          </button>
        </div>
      </form>
    </Section>
  );
}
