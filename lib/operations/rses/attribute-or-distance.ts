import type { AttributeOrDistance } from '../../contract/schemas/rse-distance.ts';
import type { Context } from '../../domain/values/context.ts';
import { setRseAttribute } from './set-attribute.ts';
import { addDistance } from './write-distance.ts';

/**
 * Serves the path that attributes and distances share. A body with `value` sets an attribute of the RSE, even if the key
 * is the name of an RSE; any other body adds a distance to the RSE of that name (spec/rses.md 9.2).
 *
 * @throws What {@link setRseAttribute} or {@link addDistance} throws.
 */
export async function addAttributeOrDistance(
  context: Context,
  { rse, key }: { readonly rse: string; readonly key: string },
  body: AttributeOrDistance,
): Promise<void> {
  if ('value' in body) await setRseAttribute(context, { rse, key, value: body.value });
  else await addDistance(context, { source: rse, destination: key }, body);
}
