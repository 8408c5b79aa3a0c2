import { useId } from 'preact/hooks';

import { getLines, getPage, path } from '../api/client.ts';
import { session } from '../api/session.ts';
import { useLoad } from '../load.ts';
import { ChoiceField, TextField } from '../ui/fields.tsx';
import { RseExpressionField } from '../ui/rse-expression.tsx';
import type { Field } from './task.ts';

/** One field of a task, by its declaration. */
export function TaskField({
  of: field,
  value,
  onInput,
}: {
  of: Field;
  value: string;
  onInput: (value: string) => void;
}) {
  const { label, hint, kind, choices, required, placeholder } = field;
  if (choices !== undefined)
    return <ChoiceField label={label} hint={hint} of={choices} value={value} onChange={onInput} />;
  if (kind === 'check')
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={value === 'yes'}
          onChange={({ currentTarget }) => onInput(currentTarget.checked ? 'yes' : '')}
        />
        <span>
          {label}
          {hint !== undefined && <span class="hint">. {hint}</span>}
        </span>
      </label>
    );
  if (kind === 'lines')
    return (
      <label class="field">
        <span>{label}</span>
        <textarea
          rows={4}
          spellcheck={false}
          required={required}
          placeholder={placeholder}
          value={value}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
        {hint !== undefined && <span class="hint">{hint}</span>}
      </label>
    );
  if (kind === 'rses')
    return (
      <RseExpressionField
        label={label}
        hint={hint}
        class="name"
        value={value}
        onInput={onInput}
        {...(required === undefined ? {} : { required })}
      />
    );
  return <LineField of={field} value={value} onInput={onInput} />;
}

function LineField({ of: field, value, onInput }: { of: Field; value: string; onInput: (value: string) => void }) {
  const list = useId();
  const { kind, suggest, label, hint, name } = field;
  const look = Object.fromEntries(
    (['required', 'placeholder', 'min', 'max', 'step', 'pattern'] as const).flatMap((key) =>
      field[key] === undefined ? [] : [[key, field[key]] as const],
    ),
  );
  return (
    <>
      <TextField
        label={label}
        hint={hint}
        {...look}
        {...(kind === 'number' || kind === 'password' ? { type: kind } : {})}
        {...(suggest === undefined ? {} : { list })}
        name={name}
        spellcheck={false}
        autocapitalize="none"
        autocomplete={kind === 'password' ? 'new-password' : 'off'}
        value={value}
        onInput={onInput}
      />
      {suggest !== undefined && <Suggestions id={list} of={suggest} />}
    </>
  );
}

const suggested = 200;

function Suggestions({ id, of: kind }: { id: string; of: NonNullable<Field['suggest']> }) {
  const { value = [] } = useLoad(`names of ${kind} ${session()?.account}`, (signal) => listNames(kind, signal));
  return (
    <datalist id={id}>
      {value.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}

/** Names of a kind, some of them. */
async function listNames(kind: NonNullable<Field['suggest']>, signal: AbortSignal): Promise<readonly string[]> {
  switch (kind) {
    case 'accounts':
      return (await getPage('/accounts', suggested, undefined, { signal })).rows.map(({ account }) => account);
    case 'rses':
      return (await getPage('/rses', suggested, undefined, { signal })).rows.map(({ rse }) => rse);
    default:
      return listOwnScopes(signal);
  }
}

/** The scopes of the reader; the service, like Rucio, answers 404 where there are none. */
export async function listOwnScopes(signal: AbortSignal): Promise<readonly string[]> {
  const account = session()?.account ?? '';
  return getLines(path('/accounts/:account/scopes', { account }), { query: { limit: suggested }, signal }).catch(
    () => [],
  );
}
