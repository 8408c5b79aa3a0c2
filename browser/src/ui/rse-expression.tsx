import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

import { getJson, getPage, path } from '../api/client.ts';
import { useLoad } from '../load.ts';

/** RSEs suggested by name, and RSEs whose attributes are suggested. */
const namedRses = 200;
const describedRses = 20;

/** A field for an RSE expression, which suggests how the term that is being typed may go on. */
export function RseExpressionField({
  label,
  hint,
  value,
  onInput,
  onBlur,
  grows = false,
  ...look
}: {
  label: string;
  hint?: ComponentChildren;
  value: string;
  onInput: (value: string) => void;
  onBlur?: () => void;
  /** Takes the room that a row has left. */
  grows?: boolean;
  class: string;
  type?: 'search';
  required?: boolean;
}) {
  const [isUsed, setUsed] = useState(false);
  const id = useId();
  return (
    <div class={grows ? 'field grow' : 'field'}>
      <label for={id}>{label}</label>
      <input
        {...look}
        id={id}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="none"
        placeholder="tier=1&rse_type=DISK"
        list={`${id}-terms`}
        {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
        value={value}
        onFocus={() => setUsed(true)}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onBlur={() => onBlur?.()}
      />
      <datalist id={`${id}-terms`}>{isUsed && <Suggestions of={value} />}</datalist>
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

function Suggestions({ of: value }: { of: string }) {
  const { value: terms = [] } = useLoad('terms of expressions', listTerms);
  // The text before the last operator stays.
  const [begun = ''] = /^.*[&|\\(]\s*/s.exec(value) ?? [];
  return (
    <>
      {terms.map((term) => (
        <option key={term} value={begun + term} />
      ))}
    </>
  );
}

/** The names of RSEs, and the attributes that some of them have, with their values. */
async function listTerms(signal: AbortSignal): Promise<readonly string[]> {
  const { rows } = await getPage('/rses', namedRses, undefined, { signal });
  const attributes = await Promise.all(
    rows.slice(0, describedRses).map(({ rse }) => getJson(path('/rses/:rse/attr', { rse }), { signal })),
  );
  const names = rows.map(({ rse }) => rse);
  const pairs = [
    ...rows.flatMap((row) => ('rse_type' in row ? [`rse_type=${row.rse_type}`] : [])),
    // An RSE has its name as an attribute, too.
    ...attributes.flatMap((of) => Object.entries(of).map(([key, value]) => `${key}=${String(value)}`)),
  ].filter((pair) => names.every((name) => pair !== `${name}=true`));
  return [...names, ...new Set(pairs.toSorted())];
}
