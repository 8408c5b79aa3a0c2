import { randomUUID } from 'node:crypto';

/** A new id in Rucio's form: 32 lower-case hex digits. */
export function newId(): string {
  return randomUUID().replaceAll('-', '');
}
