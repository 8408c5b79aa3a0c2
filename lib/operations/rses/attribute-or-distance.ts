import type { AttributeOrDistance } from '../../contract/schemas/rse-distance.ts';
import type { Context } from '../../domain/values/context.ts';
import { setRseAttribute } from './set-attribute.ts';
import { addDistance } from './write-distance.ts';

/**
 * What the path says that attributes and distances share: with a `value` an attribute of the RSE, even where its key is
 * the name of another RSE; otherwise how far it is to that one (spec/rses.md 9.2).
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
