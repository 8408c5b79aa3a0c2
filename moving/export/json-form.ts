import { canonical } from '../rows/canonical.ts';

/*
 * Values of items as JSON. Three kinds of values have no form of their own in JSON: sets are `{ "$set": [...] }`, bytes are
 * `{ "$bytes": "<base64>" }`, and an object with a member that begins with `$` is `{ "$object": {...} }`.
 */

/** The form of a value in a file. */
export function toJsonForm(value: unknown): unknown {
  if (value instanceof Set) return { $set: sortElements([...value].map(toJsonForm)) };
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(toJsonForm);
  if (typeof value !== 'object' || value === null) return value;
  const members = mapMembers(value, toJsonForm);
  return Object.keys(value).some((name) => name.startsWith('$')) ? { $object: members } : members;
}

/** Sets have no order of their own; files have one. */
function sortElements(elements: readonly unknown[]): unknown[] {
  return elements.toSorted((one, other) => (canonical(one) < canonical(other) ? -1 : 1));
}

/** Reverses {@link toJsonForm}. */
export function fromJsonForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJsonForm);
  if (typeof value !== 'object' || value === null) return value;
  const { $set, $bytes, $object } = value as { $set?: unknown[]; $bytes?: string; $object?: object };
  if ($set !== undefined) return new Set($set.map(fromJsonForm));
  if ($bytes !== undefined) return new Uint8Array(Buffer.from($bytes, 'base64'));
  return mapMembers($object ?? value, fromJsonForm);
}

function mapMembers(object: object, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}
