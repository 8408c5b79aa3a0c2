import type * as z from 'zod/mini';

import { prepared } from './common.ts';

/** The keys under which spec/interface.md 2.7 wraps some bodies; one is misspelled there. */
const wrappers = new Set(['parameter', 'parameters', 'paramaters']);

/**
 * A body that may be wrapped in an object with one key, as spec/interface.md 2.7 shows it (spec/rses.md 9.3). No body
 * has one of these keys itself, so the wrapping is unambiguous.
 */
export function unwrapped<S extends z.ZodMiniType>(schema: S) {
  return prepared(schema, unwrap);
}

function unwrap(body: unknown): unknown {
  if (!isObject(body)) return body;
  const [entry, ...others] = Object.entries(body);
  if (entry === undefined || others.length > 0) return body;
  const [key, inner] = entry;
  return wrappers.has(key) && isObject(inner) ? inner : body;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
