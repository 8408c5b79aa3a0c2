import { randomUUID } from 'node:crypto';

/** A new id in Rucio's form: 32 lower-case hex digits. */
export function newId(): string {
  return randomUUID().replaceAll('-', '');
}

/** Normalises an id, which clients may write with hyphens or capitals; undefined for any other text. */
export function readId(text: string): string | undefined {
  const digits = text.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) ? digits : undefined;
}
