import { type Context, createContext, Script } from 'node:vm';

import { fail } from '../../../errors.ts';
import type { Pattern } from '../pattern.ts';

/*
 * Whoever may make a subscription can write a regular expression that takes for ever on some names, `(a+)+$` on many an
 * `a`. What could is run under a time limit; names have 250 characters at most, so what has three repetitions at most,
 * none of them inside of another, is done within some milliseconds and needs none.
 */

/** How long an expression may take, in milliseconds; nearly all take a thousandth of one. */
const limit = 200;

/** How long one that took longer is not tried again, in milliseconds. */
const remembered = 60_000;

/** Repetitions and alternatives that need no limit. */
const harmless = 3;

const known = new WeakMap<Pattern, boolean>();
/** When expressions took too long, by what they say. */
const slow = new Map<string, number>();

const script = new Script('pattern.test(text)');
let sandbox: Context | undefined;

/**
 * Whether a text begins with what an expression says.
 *
 * @throws InvalidObject when it takes too long to find out.
 */
export function fitsStart(pattern: Pattern, text: string): boolean {
  pattern.lastIndex = 0;
  if (isHarmless(pattern)) return pattern.test(text);
  const since = slow.get(String(pattern));
  if (since !== undefined && since > Date.now() - remembered) return tooSlow(pattern);
  sandbox ??= createContext({});
  Object.assign(sandbox, { pattern, text });
  try {
    return script.runInContext(sandbox, { timeout: limit }) as boolean;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    slow.set(String(pattern), Date.now());
    return tooSlow(pattern);
  }
}

function tooSlow({ source }: Pattern): never {
  return fail('InvalidObject', `The regular expression '${source}' of the filter takes too long.`);
}

function isHarmless(pattern: Pattern): boolean {
  const found = known.get(pattern) ?? count(pattern.source) <= harmless;
  known.set(pattern, found);
  return found;
}

/** How much an expression can branch: repetitions and alternatives, without end where a group is repeated or referred to. */
function count(source: string): number {
  const plain = source.replaceAll(/\\[^\dk]|\[(?:\\.|[^\]\\])*\]/g, 'x');
  if (/\)[*+?{]|\\/.test(plain)) return Number.POSITIVE_INFINITY;
  return plain.replaceAll(/\(\?/g, '(').match(/[*+?{|]/g)?.length ?? 0;
}
