import { type Dispatch, type StateUpdater, useEffect, useRef, useState } from 'preact/hooks';

/**
 * The text of a field whose value is kept elsewhere, too, such as in the address. `write` gives it what was typed, once the typing
 * pauses for so many milliseconds; a change of the value by anything else changes the text. Returns the text, its setter, and a
 * function that writes a text at once. `clean` makes a value of a text.
 */
export function useKeptText(
  value: string,
  write: (value: string) => void,
  milliseconds: number,
  clean = (text: string) => text,
): readonly [text: string, setText: Dispatch<StateUpdater<string>>, writeNow: (text: string) => void] {
  const [text, setText] = useState(value);
  /** The last value that was the same on both sides. */
  const common = useRef(value);
  const writeNow = (typed: string) => {
    common.current = clean(typed);
    write(common.current);
  };
  const present = useRef(writeNow);
  present.current = writeNow;
  useEffect(() => {
    if (clean(text) === value) return undefined;
    const timer = setTimeout(() => present.current(text), milliseconds);
    return () => clearTimeout(timer);
  }, [text, value]);
  useEffect(() => {
    if (value === common.current) return;
    common.current = value;
    setText(value);
  }, [value]);
  return [text, setText, writeNow];
}
