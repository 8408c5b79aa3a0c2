import * as z from 'zod/mini';

/** The keys under which the interface document shows some bodies, one of them in its spelling. */
const wrappers = new Set(['parameter', 'parameters', 'paramaters']);

/**
 * A body that may come inside an object of one key, as the interface document shows it (spec/rses.md 9.3). None of those
 * keys is one of the bodies themselves, so nothing else changes its meaning.
 */
export function unwrapped<S extends z.ZodMiniType>(schema: S) {
  return z.pipe(z.transform(unwrap), schema);
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
