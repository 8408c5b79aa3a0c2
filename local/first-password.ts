import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { isForOthers } from './front.ts';
import type { Settings } from './options.ts';

/** The password that root gets if the account is made now. */
export interface FirstPassword {
  readonly password: string;
  /** The documented one, one that the user has given, or one that was made and that nobody knows yet. */
  readonly origin: 'documented' | 'given' | 'made';
}

/** Bytes of a password that is made. */
const madeBytes = 18;

/**
 * Chooses the password of a new catalogue: the given one, the documented one on this machine alone, and else one of chance.
 *
 * @throws Error that names a file that has none.
 */
export function firstPassword(settings: Settings): FirstPassword {
  const given =
    settings.rootPasswordFile === undefined ? process.env['ROOT_PASSWORD'] : readPassword(settings.rootPasswordFile);
  if (given) return { password: given, origin: 'given' };
  if (!isForOthers(settings)) return { password: 'secret', origin: 'documented' };
  return { password: randomBytes(madeBytes).toString('base64url'), origin: 'made' };
}

/** The first line of a file. */
function readPassword(path: string): string {
  const [password = ''] = readFileSync(path, 'utf8').split(/\r?\n/);
  if (password === '') throw new Error(`The first line of ${path} is empty: it is to be the password of root.`);
  return password;
}
