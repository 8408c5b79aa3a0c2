import { useId, useRef, useState } from 'preact/hooks';

import { path, send } from '../api/client.ts';
import { useAction } from '../load.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { onSubmit } from '../ui/fields.tsx';

/** Approves a rule that waits for it, or denies it with a reason. `of` is said to readers who do not see what it belongs to. */
export function DecideRule({ id, of, onDone }: { id: string; of?: string; onDone: (said: string) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState('');
  const { busy, error, run } = useAction();
  const heading = useId();
  const target = path('/rules/:rule_id', { rule_id: id });
  const approve = async () => {
    if (await run(() => send('PUT', target, { body: { options: { approve: true } } }))) onDone('Approved.');
  };
  const deny = async () => {
    const comment = reason.trim() === '' ? {} : { comment: reason.trim() };
    dialog.current?.close();
    if (await run(() => send('PUT', target, { body: { options: { approve: false, ...comment } } }))) onDone('Denied.');
  };
  const named = of === undefined ? '' : ` the rule for ${of}`;
  return (
    <>
      <div class="actions">
        <button
          type="button"
          class="primary"
          aria-label={`Approve${named}`}
          disabled={busy}
          onClick={() => void approve()}
        >
          Approve
        </button>
        <button
          type="button"
          class="danger"
          aria-label={`Deny${named}`}
          disabled={busy}
          onClick={() => dialog.current?.showModal()}
        >
          Deny
        </button>
      </div>
      {error !== undefined && <ErrorNote error={error} />}
      <dialog ref={dialog} aria-labelledby={heading}>
        <form class="form" onSubmit={onSubmit(deny)}>
          <h2 id={heading}>Deny{named}</h2>
          <p>The rule is deleted at once; nothing was copied for it.</p>
          <label class="field">
            <span>Reason</span>
            <textarea
              rows={3}
              maxLength={250}
              value={reason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
            <span class="hint">The events of the data tell it. Who made the rule sees it there.</span>
          </label>
          <div class="actions">
            <button type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button type="submit" class="danger">
              Deny it
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
