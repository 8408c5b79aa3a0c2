import { useLayoutEffect, useRef } from 'preact/hooks';

import { getPage } from '../../api/client.ts';
import { exactInteger } from '../../format.ts';
import { useKeptText } from '../../kept-text.ts';
import { useLoad } from '../../load.ts';
import { commonKeys, comparisons, type Condition, resolveCondition } from './query.ts';

const typingMs = 300;

/** The conditions of a search, to edit. */
export function Conditions({
  of: conditions,
  onChange,
}: {
  of: readonly Condition[];
  /** Called with a change of the conditions that there are then. */
  onChange: (change: (present: readonly Condition[]) => readonly Condition[]) => void;
}) {
  const conventions = useLoad('conventions', (signal) => getPage('/meta_conventions', 200, undefined, { signal }));
  const keys = [...new Set([...commonKeys, ...(conventions.value?.rows ?? [])])];
  const set = (index: number, part: Partial<Condition>) =>
    onChange((present) => present.map((one, i) => (i === index ? { ...one, ...part } : one)));
  const ids = useRowIds(conditions.length);
  // A row appears when the address has it.
  const isAdded = useRef(false);
  const takeAdded = () => {
    const was = isAdded.current;
    isAdded.current = false;
    return was;
  };
  return (
    <div class="conditions">
      <datalist id="keys">
        {keys.map((key) => (
          <option key={key} value={key} />
        ))}
      </datalist>
      {conditions.map((condition, i) => (
        <ConditionRow
          key={ids.current[i]}
          number={i + 1}
          of={condition}
          takeAdded={takeAdded}
          onChange={(part) => set(i, part)}
          onRemove={() => {
            ids.current = ids.current.toSpliced(i, 1);
            onChange((present) => present.toSpliced(i, 1));
          }}
        />
      ))}
      <button
        type="button"
        class="quiet"
        onClick={() => {
          isAdded.current = true;
          onChange((present) => [...present, { key: '', comparison: '=', value: '' }]);
        }}
      >
        + Metadata, size or date
      </button>
    </div>
  );
}

/** An id for each of `count` rows, so that a row keeps what is typed in it when one before it is removed. */
function useRowIds(count: number) {
  const ids = useRef<readonly number[]>([]);
  const next = useRef(0);
  if (ids.current.length > count) ids.current = ids.current.slice(0, count);
  while (ids.current.length < count) ids.current = [...ids.current, next.current++];
  return ids;
}

/** A key and a value as one text; fields have no line breaks. */
const join = (key: string, value: string) => `${key}\n${value}`;

function split(both: string): Pick<Condition, 'key' | 'value'> {
  const at = both.indexOf('\n');
  return { key: both.slice(0, at), value: both.slice(at + 1) };
}

function ConditionRow({
  number,
  of,
  takeAdded,
  onChange,
  onRemove,
}: {
  number: number;
  of: Condition;
  /** Whether the reader has just added a row; true once. */
  takeAdded: () => boolean;
  onChange: (part: Partial<Condition>) => void;
  onRemove: () => void;
}) {
  // The address changes once the typing in both fields pauses.
  const [both, setBoth] = useKeptText(join(of.key, of.value), (next) => onChange(split(next)), typingMs);
  const { key, value } = split(both);
  const setKey = (next: string) => setBoth((before) => join(next, split(before).value));
  const setValue = (next: string) => setBoth((before) => join(split(before).key, next));
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (takeAdded()) field.current?.focus();
  }, []);
  const resolved = resolveCondition({ ...of, key, value });
  const isDate = key.startsWith('created_');
  return (
    <fieldset class="condition">
      <legend class="visually-hidden">Condition {number}</legend>
      <input
        ref={field}
        aria-label={`Key of condition ${number}`}
        list="keys"
        placeholder="run_number"
        autocapitalize="none"
        spellcheck={false}
        value={key}
        onInput={({ currentTarget }) => setKey(currentTarget.value)}
      />
      {!isDate && (
        <select
          aria-label={`Comparison of condition ${number}`}
          value={of.comparison}
          onChange={({ currentTarget }) =>
            onChange({ comparison: comparisons.find(([name]) => name === currentTarget.value)?.[0] ?? '=' })
          }
        >
          {comparisons.map(([name]) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      {isDate ? (
        <input
          aria-label={`Value of condition ${number}`}
          type="date"
          value={value}
          onInput={({ currentTarget }) => setValue(currentTarget.value)}
        />
      ) : (
        <input
          aria-label={`Value of condition ${number}`}
          placeholder="358031"
          spellcheck={false}
          value={value}
          onInput={({ currentTarget }) => setValue(currentTarget.value)}
        />
      )}
      <button type="button" class="quiet" onClick={onRemove} aria-label={`Remove condition ${number}`}>
        ×
      </button>
      {resolved.value !== value && (
        <span class="hint">
          {resolved.key} {of.comparison} {exactInteger(BigInt(resolved.value))}
        </span>
      )}
    </fieldset>
  );
}
