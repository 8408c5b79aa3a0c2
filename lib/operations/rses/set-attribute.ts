import { attributeKey, type RseAttributeInput } from '../../contract/schemas/rse-attribute.ts';
import { toRseAttribute } from '../../domain/rses/attribute-value.ts';
import { writeRse } from '../../domain/rses/write-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { changeRse, patchMembers } from '../../store/entities/rse.ts';

interface AttributeKey {
  readonly rse: string;
  readonly key: string;
}

/**
 * Adds or changes an attribute of an RSE (spec/rses.md 1.7).
 *
 * @throws InvalidObject (400) for a key that is too long, and an unknown algorithm; RSENotFound (404), AccessDenied (401).
 */
export async function setRseAttribute(
  context: Context,
  { rse: name, key, value }: AttributeKey & { readonly value: RseAttributeInput },
): Promise<void> {
  const { error } = attributeKey.safeParse(key);
  if (error !== undefined) fail('InvalidObject', `Problem validating rse_attribute: ${error.issues[0]?.message}`);
  const attribute = toRseAttribute(key, value);
  await writeRse(context, name, 'add_rse_attribute', (rse) =>
    Object.hasOwn(rse.attributes, key) && rse.attributes[key] === attribute
      ? []
      : [changeRse(rse, patchMembers('attribute', [[key, attribute]]))],
  );
}

/**
 * Removes an attribute from an RSE, also the implicit one with its name (spec/rses.md 1.8).
 *
 * @throws RSENotFound (404), AccessDenied (401), RSEAttributeNotFound (404).
 */
export async function deleteRseAttribute(context: Context, { rse: name, key }: AttributeKey): Promise<void> {
  await writeRse(context, name, 'del_rse_attribute', (rse) => {
    if (!Object.hasOwn(rse.attributes, key)) fail('RSEAttributeNotFound', `RSE attribute '${key}' cannot be found`);
    return [changeRse(rse, patchMembers('attribute', [[key, undefined]]))];
  });
}
