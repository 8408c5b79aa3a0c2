import { randomUUID } from 'node:crypto';

/** A new id in Rucio's form: 32 lower-case hex digits. */
export function newId(): string {
  return randomUUID().replaceAll('-', '');
}

/** An id as Rucio's clients may write it, with hyphens or in capitals, in its own form; undefined when it is none. */
export function readId(text: string): string | undefined {
  const digits = text.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) ? digits : undefined;
}
