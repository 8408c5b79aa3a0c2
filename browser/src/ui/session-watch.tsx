import { useEffect, useState } from 'preact/hooks';

import { askLogIn } from '../api/client.ts';
import { renewSession } from '../api/renewal.ts';
import { onSession, session } from '../api/session.ts';
import { fromNow } from '../format.ts';

const checkMs = 20_000;
/** A session that is used is renewed from then on; one that cannot be renewed ends with a warning. */
const renewBeforeMs = 10 * 60_000;
const warnBeforeMs = 5 * 60_000;
/** The page is used if a key or the pointer was touched since then. */
const usedMs = 15 * 60_000;

/** Renews a session that is used, and warns before one ends. */
export function SessionWatch() {
  const [ends, setEnds] = useState<number>();
  useEffect(() => {
    let touched = Date.now();
    let isRenewing = false;
    const touch = () => {
      touched = Date.now();
    };
    const check = async () => {
      const left = (session()?.expires ?? Infinity) - Date.now();
      if (left < renewBeforeMs && Date.now() - touched < usedMs && !isRenewing) {
        isRenewing = true;
        const isRenewed = await renewSession();
        isRenewing = false;
        if (isRenewed) return setEnds(undefined);
      }
      return setEnds(left < warnBeforeMs ? session()?.expires : undefined);
    };
    const run = () => void check();
    const timer = setInterval(run, checkMs);
    const end = onSession(run);
    for (const type of ['keydown', 'pointerdown']) addEventListener(type, touch);
    run();
    return () => {
      clearInterval(timer);
      end();
      for (const type of ['keydown', 'pointerdown']) removeEventListener(type, touch);
    };
  }, []);
  if (ends === undefined) return null;
  return (
    <div class="note" data-tone="waiting" role="status">
      <p>
        Your session {ends < Date.now() ? 'has ended' : `ends ${fromNow(new Date(ends))}`}. What you have typed stays.
      </p>
      <button type="button" onClick={() => void askLogIn()}>
        Log in again
      </button>
    </div>
  );
}
