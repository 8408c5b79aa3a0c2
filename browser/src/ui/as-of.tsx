import { useEffect, useRef, useState } from 'preact/hooks';

import type { PageOf } from '../api/client.ts';
import { writeJson } from '../api/json.ts';
import { fromNow } from '../format.ts';
import { type Asked, useLateFocus } from '../late-focus.ts';
import { useTicks } from './use-now.ts';

/** Rows at the beginning of a list that are compared. */
export const comparedRows = 20;
/** How often a list that is looked at is compared. */
const checkMs = 120_000;

/** When a list was read, whether its beginning has changed since, and a button to read it again. */
export function AsOf<T>({
  shown,
  load,
  again,
  onAgain,
}: {
  /** The first rows of the list, as they were read; undefined: a comparison would cost too much. */
  shown: readonly T[] | undefined;
  load: (cursor: string | undefined, limit: number, signal: AbortSignal) => Promise<PageOf<T>>;
  /** When the reader asked for these rows: the button had the focus. */
  again: Asked | undefined;
  onAgain: () => void;
}) {
  const [readAt] = useState(() => new Date());
  const [isChanged, setChanged] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useTicks(true);
  useLateFocus(button, again, { preventScroll: true });
  useEffect(() => {
    if (shown === undefined || isChanged) return undefined;
    const abort = new AbortController();
    const expected = writeJson(shown.slice(0, comparedRows));
    const check = async () => {
      if (document.visibilityState !== 'visible') return;
      const { rows } = await load(undefined, comparedRows, abort.signal);
      if (!abort.signal.aborted && writeJson(rows.slice(0, comparedRows)) !== expected) setChanged(true);
    };
    // What cannot be read now is compared the next time.
    const tick = () => void check().catch(() => undefined);
    const timer = setInterval(tick, checkMs);
    document.addEventListener('visibilitychange', tick);
    return () => {
      abort.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [isChanged]);
  return (
    <span class="as-of">
      <span class="hint" role="status">
        {isChanged && <strong>This list has changed. </strong>}
      </span>
      <span class="hint">as of {fromNow(readAt)}</span>{' '}
      <button ref={button} type="button" class="quiet small" onClick={onAgain}>
        Read again
      </button>
    </span>
  );
}
