import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** The moment at which the reader asked for something that comes later. */
export interface Asked {
  readonly acts: number;
  readonly focused: Element | null;
}

/** Keys that do nothing by themselves. */
const modifiers: ReadonlySet<string> = new Set(['Alt', 'AltGraph', 'CapsLock', 'Control', 'Meta', 'Shift']);

/** How often the reader has clicked or typed. */
let acts = 0;

function countAct(event: Event): void {
  // A dialog gives the focus back when it closes.
  const isInDialog = event.target instanceof Element && event.target.closest('dialog') !== null;
  const isSecondClick = event instanceof UIEvent && event.detail > 1;
  const isNoKey = event instanceof KeyboardEvent && (event.repeat || modifiers.has(event.key));
  if (event.isTrusted && !isInDialog && !isSecondClick && !isNoKey) acts++;
}

for (const type of ['mousedown', 'click', 'keydown', 'input']) addEventListener(type, countAct, { capture: true });

/** Notes that the reader asks now for something that comes later and is to have the focus. */
export function noteAsked(): Asked {
  return { acts, focused: document.activeElement };
}

/**
 * Whether the reader has only waited since then: what was asked for may take the focus. A reader who has clicked or
 * typed meanwhile, or whose focus is elsewhere, is busy there, and stays.
 */
export function isWaiting(asked: Asked | undefined): boolean {
  if (asked?.acts !== acts) return false;
  const present = document.activeElement;
  return present === null || present === document.body || present === asked.focused;
}

/**
 * Selects the text of the field where the reader is, when the fields of a form have just been filled in: what the reader types
 * then replaces it. `filled`: what they were filled with; undefined if they were not.
 */
export function useLateFill(form: RefObject<HTMLElement | null>, filled: unknown): void {
  useLayoutEffect(() => {
    if (filled !== undefined) form.current?.querySelector<HTMLInputElement>('input:focus')?.select();
  }, [filled]);
}

/** Gives the focus to an element that has come, if the reader has asked for it and has only waited since. */
export function useLateFocus(
  element: RefObject<HTMLElement | null>,
  asked: Asked | undefined,
  options: FocusOptions = {},
): void {
  // Before it is drawn: a key that is typed at once goes to what is seen.
  useLayoutEffect(() => {
    if (isWaiting(asked)) element.current?.focus(options);
  }, [asked]);
}
