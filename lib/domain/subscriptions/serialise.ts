import type { FilterInput, TemplateInput } from '../../contract/schemas/subscription-filter.ts';
import { fail } from '../../errors.ts';
import { toJson } from '../../json.ts';

/** As long as Rucio's columns. */
const longest = 4000;

/**
 * The text of a filter or of rules, as it is kept and shown: JSON as Python writes it.
 *
 * @throws InvalidObject (400) when it is too long.
 */
export function serialise(
  called: 'filter' | 'replication_rules',
  value: FilterInput | readonly TemplateInput[],
): string {
  const text = spaced(value);
  return text.length <= longest
    ? text
    : fail('InvalidObject', `Problem validating subscription_${called}: it is longer than ${longest} characters`);
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return toJson(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${toJson(key)}: ${spaced(member)}`)
    .join(', ')}}`;
}
