import { RucioError } from '../../../errors.ts';
import type { Did } from '../../../store/entities/did.ts';
import type { Patterns, SubscriptionFilter } from '../filter.ts';
import { columnTexts } from './column-text.ts';
import { fitsStart } from './time-limit.ts';

/**
 * Whether a collection is what a filter asks for (spec/access.md 3.7).
 *
 * @throws InvalidObject when a regular expression takes too long.
 */
export function matches(did: Did, filter: SubscriptionFilter): boolean {
  const { pattern, excludedPattern, scope, accounts, types, columns } = filter;
  if (did.type === 'FILE' || did.columns['hidden'] === true) return false;
  if (accounts?.has(did.account) === false || types?.has(did.type) === false) return false;
  if (scope !== undefined && !fitsOne(scope, did.scope)) return false;
  if (pattern !== undefined && !fitsOne(pattern, did.name)) return false;
  if (excludedPattern !== undefined && isExcluded(excludedPattern, did.name)) return false;
  if (!hasSize(did, filter)) return false;
  if (columns.size === 0) return true;
  const texts = columnTexts(did);
  return [...columns].every(([name, patterns]) => {
    const text = texts.get(name);
    return text !== undefined && fitsOne(patterns, text);
  });
}

/** Whether a scope can hold anything that a filter asks for; also where that takes too long to find out. */
export function mayFitScope({ scope }: SubscriptionFilter, name: string): boolean {
  try {
    return scope === undefined || fitsOne(scope, name);
  } catch (error) {
    if (error instanceof RucioError) return true;
    throw error;
  }
}

function fitsOne(patterns: Patterns, text: string): boolean {
  return patterns.some((pattern) => fitsStart(pattern, text));
}

/** What is excluded by an expression that cannot be read is not known: then everything is. */
function isExcluded(patterns: Patterns, name: string): boolean {
  return patterns.length === 0 || fitsOne(patterns, name);
}

function hasSize({ bytes, length }: Did, { leastFileSize, greatestFileSize }: SubscriptionFilter): boolean {
  const [size, files] = [Number(bytes ?? 0), Number(length ?? 0)];
  if (size === 0 || files === 0) return true;
  return size / files >= (leastFileSize ?? 0) && size / files <= (greatestFileSize ?? Number.POSITIVE_INFINITY);
}
