import { type RseAttributeInput } from '../../contract/schemas/rse-attribute.ts';
import { type RseAttribute } from '../../store/entities/rse.ts';

/** The value of an attribute as it is kept: true and false, in any case, are booleans, numbers texts (spec/rses.md 2.3). */
export function toAttribute(value: RseAttributeInput): RseAttribute {
  if (value === null || typeof value === 'boolean') return value;
  const text = String(value);
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : text;
}
