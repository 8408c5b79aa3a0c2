import type { FilterInput, TemplateInput } from '../../contract/schemas/subscription-filter.ts';
import { fail } from '../../errors.ts';
import { toPythonJson } from '../../python/json.ts';

/** The length of Rucio's columns. */
const maxLength = 4000;

/**
 * The stored and shown text of a filter or of rules: JSON as Python writes it.
 *
 * @throws InvalidObject (400) when it is too long.
 */
export function serialise(what: 'filter' | 'replication_rules', value: FilterInput | readonly TemplateInput[]): string {
  const text = toPythonJson(value);
  return text.length <= maxLength
    ? text
    : fail('InvalidObject', `Problem validating subscription_${what}: it is longer than ${maxLength} characters`);
}
