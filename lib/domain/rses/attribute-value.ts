import { type RseAttributeInput } from '../../contract/schemas/rse-attribute.ts';
import { type RseAttribute } from '../../store/entities/rse.ts';

/** The stored value of an attribute: true and false, in any case, are booleans, numbers are texts (spec/rses.md 2.3). */
export function toRseAttribute(value: RseAttributeInput): RseAttribute {
  if (value === null || typeof value === 'boolean') return value;
  const text = String(value);
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : text;
}
