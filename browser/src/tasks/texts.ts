import { splitDid } from '../format.ts';

const daySeconds = 86_400;

/** The lines of a text, without the empty ones. */
export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** The DIDs of a text with one a line; a name alone is one of the given scope. */
export function didsOf(text: string, scope: string): { scope: string; name: string }[] {
  return linesOf(text).map((line) => splitDid(line) ?? { scope, name: line });
}

/** A DID that is being typed: what is missing is empty. */
export function didOf(text: string): { scope: string; name: string } {
  return splitDid(text.trim()) ?? { scope: '', name: '' };
}

/** Days as seconds; null if there are none. */
export function secondsOf(days: string): number | null {
  return days.trim() === '' ? null : Math.round(Number(days) * daySeconds);
}
