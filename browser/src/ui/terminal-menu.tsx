import { useId } from 'preact/hooks';

import { Command } from './same-as.tsx';
import { useTerminalEntries } from './terminal-entries.ts';

/** A button that shows the page as commands: with the official client, and with `curl`. Nothing for a page without any. */
export function TerminalMenu() {
  const id = useId();
  const entries = useTerminalEntries();
  if (entries.size === 0) return null;
  return (
    <>
      <button
        type="button"
        class="quiet terminal-button"
        aria-label="The same in a terminal"
        title="The same in a terminal"
        popovertarget={id}
      >
        <code aria-hidden="true">{'</>'}</code>
      </button>
      <div id={id} class="terminal" popover="auto" role="group" aria-label="This page in a terminal" tabIndex={0}>
        {[...entries].map(([key, { label, rucio, curl }]) => (
          <div key={key}>
            <strong>{label}</strong>
            {rucio !== undefined && <Command name="rucio" text={rucio} />}
            <Command name="curl" text={curl} />
          </div>
        ))}
      </div>
    </>
  );
}
