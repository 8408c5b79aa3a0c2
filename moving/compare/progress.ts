import type { WriteStream } from 'node:tty';

/** Interval at which the line is renewed, in milliseconds. */
const intervalMs = 200;

/** A line on a terminal that tells how far the comparison is; nothing where the output is no terminal. */
export interface Progress {
  /** Counts a thing that was compared. */
  readonly count: (part: string, scope: string | undefined) => void;
  /** Removes the line, before something else is written. */
  readonly clear: () => void;
}

/** Shows progress on a terminal. */
export function showProgress(terminal: WriteStream): Progress {
  let total = 0;
  let shownAt = 0;
  let isShown = false;
  const begun = performance.now();
  const clear = () => {
    if (isShown) terminal.write('\r\u001B[K');
    isShown = false;
  };
  return {
    clear,
    count: (part, scope) => {
      total += 1;
      const now = performance.now();
      if (!terminal.isTTY || now - shownAt < intervalMs) return;
      shownAt = now;
      const seconds = (now - begun) / 1_000;
      const where = scope === undefined ? part : `${part} of ${scope}`;
      clear();
      terminal.write(`${where}: ${total} compared, ${Math.round(total / seconds)} a second, ${Math.round(seconds)} s`);
      isShown = true;
    },
  };
}
