import type { FleetExport } from '../../contract/schemas/fleet.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { describeFleet } from '../../domain/rses/describe-fleet.ts';
import type { Context } from '../../domain/values/context.ts';

/**
 * The RSEs and their distances, as a snapshot of the time when the request began (spec/rses.md 1.29).
 *
 * @param given `distance`: whether to include distances.
 * @throws AccessDenied (401).
 */
export async function exportFleet(context: Context, given: { readonly distance: boolean }): Promise<FleetExport> {
  await authorize(context, 'export', undefined);
  return describeFleet(context.store.table, given);
}
