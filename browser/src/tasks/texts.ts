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
const units: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  pb: 1e15,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
  pib: 2 ** 50,
};

/** Bytes of a text such as `10 TB` or `1.5 GiB`; undefined for anything else. */
export function bytesOf(text: string): number | undefined {
  const [, count = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([kmgtp]?i?b|)\s*$/i.exec(text) ?? [];
  const factor = units[unit.toLowerCase()];
  return count === '' || factor === undefined ? undefined : Math.round(Number(count) * factor);
}
