import { type RseAttributeInput } from '../../contract/schemas/rse-attribute.ts';
import { fail } from '../../errors.ts';
import { type RseAttribute } from '../../store/entities/rse.ts';
import { algorithmKey, algorithmNames } from './pfn/path-algorithms.ts';

/**
 * The stored value of an attribute: true and false, in any case, are booleans, numbers are texts (spec/rses.md 2.3).
 *
 * @throws InvalidObject (400) for an algorithm of paths that does not exist: files could be registered, but not found.
 */
export function toRseAttribute(key: string, value: RseAttributeInput): RseAttribute {
  if (key === algorithmKey && value && !algorithmNames.includes(String(value))) {
    const known = algorithmNames.map((name) => `'${name}'`).join(', ');
    fail('InvalidObject', `Problem validating rse_attribute: '${String(value)}' is no ${key}; known are ${known}`);
  }
  if (value === null || typeof value === 'boolean') return value;
  const text = String(value);
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : text;
}
