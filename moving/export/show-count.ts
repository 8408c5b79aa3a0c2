/** Interval at which the line is renewed. */
const intervalMs = 200;

/** A line on a terminal that counts; nothing where the error output is no terminal. */
export function showCount(what: string): { readonly count: (done: number) => void; readonly clear: () => void } {
  const terminal = process.stderr;
  const begun = performance.now();
  let shownAt = 0;
  return {
    count: (done) => {
      const now = performance.now();
      if (!terminal.isTTY || now - shownAt < intervalMs) return;
      shownAt = now;
      terminal.write(`\r\u001B[K${done} ${what}, ${Math.round((done * 1_000) / (now - begun))} a second`);
    },
    clear: () => {
      if (shownAt > 0) terminal.write('\r\u001B[K');
      shownAt = 0;
    },
  };
}
