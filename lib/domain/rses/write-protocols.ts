import { fail } from '../../errors.ts';
import { changeRse, type Rse } from '../../store/entities/rse.ts';
import type { Patch } from '../../store/items/item.ts';
import type { RseAction } from '../permission/permission-targets.ts';
import type { Context } from '../values/context.ts';
import { writeRse } from './write-rse.ts';

/**
 * Changes the protocols of a live RSE.
 *
 * @param disabled The message for a disabled RSE, given its id.
 * @throws RSENotFound (404), AccessDenied (401), and what `draft` throws.
 */
export async function writeProtocols(
  context: Context,
  name: string,
  action: RseAction,
  { draft, disabled }: { readonly draft: (rse: Rse) => Patch; readonly disabled: (id: string) => string },
): Promise<void> {
  await writeRse(context, name, action, (rse) => {
    if (rse.deletedAt !== undefined) fail('RSENotFound', disabled(rse.id));
    return [changeRse(rse, draft(rse))];
  });
}
