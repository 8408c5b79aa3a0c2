import { type Context, createContext, Script } from 'node:vm';

import { Cache } from '../../../cache.ts';
import { fail } from '../../../errors.ts';
import type { Pattern } from '../pattern.ts';

/*
 * A subscription can contain a regular expression with exponential backtracking, such as `(a+)+$` on a name of many `a`.
 * Such expressions run under a time limit. Names have 250 characters at most, so an expression with at most three
 * repetitions, none nested, takes some milliseconds and needs no limit.
 */

/** Nearly all expressions take some microseconds. */
const timeoutMs = 200;

/** An expression with up to this many repetitions and alternatives needs no time limit. */
const maxBranchesWithoutLimit = 3;

const harmlessPatterns = new WeakMap<Pattern, boolean>();
/** Expressions that took too long; they are not tried again for a minute. */
const slowPatterns = new Cache<true>({ ttlMs: 60_000, maxEntries: 1_000 });

const script = new Script('pattern.test(text)');
let sandbox: Context | undefined;

/**
 * Whether an expression matches at the start of a text.
 *
 * @throws InvalidObject when the time limit is exceeded.
 */
export function matchesStart(pattern: Pattern, text: string): boolean {
  pattern.lastIndex = 0;
  if (isHarmless(pattern)) return pattern.test(text);
  if (slowPatterns.get(String(pattern)) === true) return failTooSlow(pattern);
  sandbox ??= createContext({});
  Object.assign(sandbox, { pattern, text });
  try {
    return script.runInContext(sandbox, { timeout: timeoutMs }) as boolean;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    slowPatterns.set(String(pattern), true);
    return failTooSlow(pattern);
  }
}

function failTooSlow({ source }: Pattern): never {
  return fail('InvalidObject', `The regular expression '${source}' of the filter takes too long.`);
}

function isHarmless(pattern: Pattern): boolean {
  const found = harmlessPatterns.get(pattern) ?? countBranches(pattern.source) <= maxBranchesWithoutLimit;
  harmlessPatterns.set(pattern, found);
  return found;
}

/** Number of repetitions and alternatives; infinity when a group is repeated or referenced. */
function countBranches(source: string): number {
  const plain = source.replaceAll(/\\[^\dk]|\[(?:\\.|[^\]\\])*\]/g, 'x');
  if (/\)[*+?{]|\\/.test(plain)) return Number.POSITIVE_INFINITY;
  return plain.replaceAll(/\(\?/g, '(').match(/[*+?{|]/g)?.length ?? 0;
}
