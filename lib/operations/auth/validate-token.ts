import { identify } from '../../domain/auth/identify.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';

/**
 * The content of a token as the text of a Python dictionary, as Rucio answers it (spec/access.md 1.5).
 *
 * @throws ValueError (400) without a token; CannotAuthenticate (401) for an invalid one.
 */
export async function validateToken({ store }: AnonymousContext, token: string | undefined): Promise<string> {
  if (!token) return fail('ValueError', 'Token must be set.');
  const { account, identity, expiresAt, audience, scope } = await identify(store, token);
  const members = [
    `'account': ${pythonText(account)}`,
    `'identity': ${pythonText(identity)}`,
    `'lifetime': ${pythonDate(expiresAt)}`,
    `'audience': ${audience === undefined ? 'None' : pythonText(audience)}`,
    `'authz_scope': ${scope === undefined ? 'None' : pythonText(scope)}`,
    `'vo': 'def'`,
  ];
  return `{${members.join(', ')}}`;
}

/** A text as Python's `repr` writes it. */
function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll('\\', '\\\\').replaceAll(/\p{Cc}/gu, hexadecimal);
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

const hexadecimal = (character: string) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** A date in whole seconds as Python's `repr` writes it. */
function pythonDate(ms: number): string {
  const date = new Date(ms);
  const day = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  const second = date.getUTCSeconds();
  const clock = [date.getUTCHours(), date.getUTCMinutes(), ...(second === 0 ? [] : [second])];
  return `datetime.datetime(${[...day, ...clock].join(', ')})`;
}
