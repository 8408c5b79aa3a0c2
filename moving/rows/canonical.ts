import { toJson } from '../../lib/json.ts';

/** A value as JSON with sorted members, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  return toJson(sortMembers(value) ?? null);
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}
