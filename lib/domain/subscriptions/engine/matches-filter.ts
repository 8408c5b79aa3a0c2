import { RucioError } from '../../../errors.ts';
import type { CollectionDid } from '../../../store/entities/did.ts';
import type { Patterns, SubscriptionFilter } from '../subscription-filter.ts';
import { columnTexts } from './column-text.ts';
import { matchesStart } from './time-limit.ts';

/**
 * Whether a collection matches a filter (spec/access.md 3.7).
 *
 * @throws InvalidObject when a regular expression takes too long.
 */
export function matchesFilter(did: CollectionDid, filter: SubscriptionFilter): boolean {
  const { pattern, excludedPattern, scope, accounts, types, columns } = filter;
  if (did.columns['hidden'] === true) return false;
  if (accounts?.has(did.account) === false || types?.has(did.type) === false) return false;
  if (scope !== undefined && !matchesAny(scope, did.scope)) return false;
  if (pattern !== undefined && !matchesAny(pattern, did.name)) return false;
  if (excludedPattern !== undefined && isExcluded(excludedPattern, did.name)) return false;
  if (!hasAllowedFileSize(did, filter)) return false;
  if (columns.size === 0) return true;
  const texts = columnTexts(did);
  return [...columns].every(([name, patterns]) => {
    const text = texts.get(name);
    return text !== undefined && matchesAny(patterns, text);
  });
}

/** Whether DIDs of a scope can match a filter; true when the regular expression takes too long. */
export function mayMatchScope({ scope }: SubscriptionFilter, name: string): boolean {
  try {
    return scope === undefined || matchesAny(scope, name);
  } catch (error) {
    if (error instanceof RucioError) return true;
    throw error;
  }
}

function matchesAny(patterns: Patterns, text: string): boolean {
  return patterns.some((pattern) => matchesStart(pattern, text));
}

/** An invalid expression excludes everything. */
function isExcluded(patterns: Patterns, name: string): boolean {
  return patterns.length === 0 || matchesAny(patterns, name);
}

function hasAllowedFileSize(
  { bytes, length }: CollectionDid,
  { minMeanFileBytes, maxMeanFileBytes }: SubscriptionFilter,
): boolean {
  const [size, files] = [Number(bytes ?? 0), Number(length ?? 0)];
  if (size === 0 || files === 0) return true;
  return size / files >= (minMeanFileBytes ?? 0) && size / files <= (maxMeanFileBytes ?? Number.POSITIVE_INFINITY);
}
