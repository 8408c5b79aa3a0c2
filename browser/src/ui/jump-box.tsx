import { useRef, useState } from 'preact/hooks';

import { goToFound } from '../router.ts';
import { findPlace } from './find-place.ts';
import { useSlashKey } from './slash-key.ts';

/** One box for everything that has a name: a DID, a part of a name, a rule, an RSE. */
export function JumpBox() {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(field);
  const jump = async (event: Event) => {
    event.preventDefault();
    setText('');
    await goToFound(() => findPlace(text.trim()));
  };
  return (
    <form class="jump" role="search" onSubmit={(event) => void jump(event)}>
      <label class="visually-hidden" for="jump">
        Go to a DID, a rule or an RSE
      </label>
      <input
        id="jump"
        ref={field}
        type="search"
        autocomplete="off"
        spellcheck={false}
        placeholder="any name, scope:name, rule id or RSE"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}
