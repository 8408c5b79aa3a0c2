import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { Section } from '../../ui/basics.tsx';
import { onSubmit } from '../../ui/fields.tsx';
import { forgetVisit, listVisits, rememberVisit } from '../../visited.ts';

/** Saves the present search under a name, in this browser. */
export function SaveSearch({ label, url }: { label: string; url: string }) {
  const [isOpen, setOpen] = useState(false);
  /** The name that the reader has typed. */
  const [typed, setTyped] = useState<string>();
  const [said, setSaid] = useState('');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const name = typed ?? label;
  const close = () => {
    setOpen(false);
    setTyped(undefined);
  };
  useEffect(() => setSaid(''), [url]);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [isOpen]);
  if (!isOpen)
    return (
      <div class="actions">
        <button type="button" class="quiet" onClick={() => setOpen(true)}>
          Save this search
        </button>
        <span role="status" class="hint">
          {said}
        </span>
      </div>
    );
  const save = () => {
    const isSaved = rememberVisit('saved', { label: name.trim(), url });
    setSaid(isSaved ? `Saved as ${name.trim()}. Ctrl-K finds it.` : 'This browser stores nothing.');
    close();
    return Promise.resolve();
  };
  return (
    <form class="form-row" onSubmit={onSubmit(save)}>
      <div class="field">
        <label for={id}>Name of this search</label>
        <input
          id={id}
          required
          pattern=".*\S.*"
          maxLength={100}
          value={name}
          ref={field}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </div>
      <button type="submit">Save</button>
      <button type="button" class="quiet" onClick={close}>
        Cancel
      </button>
    </form>
  );
}

/** The searches that the reader has saved in this browser; nothing if there is none. */
export function SavedSearches() {
  const [saved, setSaved] = useState(() => listVisits('saved'));
  if (saved.length === 0) return null;
  const forget = (label: string) => {
    forgetVisit('saved', label);
    setSaved(listVisits('saved'));
  };
  return (
    <Section heading="Your saved searches">
      <ul class="chips">
        {saved.map(({ label, url }) => (
          <li key={label}>
            <a class="name" href={url}>
              <bdi>{label}</bdi>
            </a>
            <button type="button" class="quiet" aria-label={`Forget ${label}`} onClick={() => forget(label)}>
              ×
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
