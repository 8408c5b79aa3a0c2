import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The attributes of an input that stay as they are. */
interface InputLook {
  readonly class?: string;
  readonly type?: 'text' | 'number' | 'password' | 'date';
  readonly name?: string;
  readonly min?: string;
  readonly max?: string;
  readonly step?: string;
  readonly pattern?: string;
  /** The id of the list of its suggestions. */
  readonly list?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly spellcheck?: boolean;
  readonly autocomplete?: string;
  readonly autocapitalize?: 'none';
}

/** A field with one line of text, below its label. */
export function TextField({
  label,
  hint,
  value,
  onInput,
  onChange,
  ...look
}: InputLook & {
  label: string;
  hint?: ComponentChildren;
  value: string;
  /** Called with each character. */
  onInput?: (value: string) => void;
  /** Called when the text is complete, without the blanks around it. */
  onChange?: (value: string) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  // Until its text is complete only the field has it: another rendering must not take it away. A date loses its other parts when
  // its present value is set.
  useLayoutEffect(() => {
    const input = field.current;
    if (onInput === undefined && input !== null && input.value !== value) input.value = value;
  }, [value]);
  return (
    <label class="field">
      <span>{label}</span>
      <input
        ref={field}
        {...(look as InputHTMLAttributes)}
        {...(onInput === undefined ? {} : { value, onInput: ({ currentTarget }) => onInput(currentTarget.value) })}
        {...(onChange === undefined ? {} : { onChange: ({ currentTarget }) => onChange(currentTarget.value.trim()) })}
      />
      {hint !== undefined && <span class="hint">{hint}</span>}
    </label>
  );
}

/** A field with a choice of values, each with its words. */
export function ChoiceField<T extends string>({
  label,
  hint,
  of,
  value,
  onChange,
  ...look
}: {
  label: string;
  hint?: ComponentChildren;
  of: readonly (readonly [value: T, words: string, ...unknown[]])[];
  value: T;
  onChange: (value: T) => void;
  name?: string;
  'aria-describedby'?: string;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        {...look}
        value={value}
        onChange={({ currentTarget }) => onChange(of.find(([one]) => one === currentTarget.value)?.[0] ?? value)}
      >
        {of.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
      {hint !== undefined && <span class="hint">{hint}</span>}
    </label>
  );
}

/** A change of the text of a field that empties it after `sent` was sent, unless the reader has typed something else meanwhile. */
export function emptied(sent: string): (present: string) => string {
  return (present) => (present === sent ? '' : present);
}

/** A handler of the submission of a form, in place of the browser's own. */
export function onSubmit(act: () => unknown): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    void act();
  };
}
