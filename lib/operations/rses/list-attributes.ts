import type { RseAttributes } from '../../contract/schemas/rse-attribute.ts';
import { requireRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';

/**
 * The attributes of an RSE, live or disabled (spec/rses.md 1.6).
 *
 * @throws RSENotFound (404).
 */
export async function listRseAttributes({ store }: Context, name: string): Promise<RseAttributes> {
  return (await requireRse(store.table, name)).attributes;
}
