import type * as z from 'zod/mini';

import type { requestMetrics } from '../../contract/schemas/request.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { listRseDistances } from '../../store/entities/rse-distance.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';

/**
 * Pairs of RSEs with their distances, by the names of the RSEs. These are Rucio's metrics without transfers
 * (spec/access.md 6.6). Costs a query per RSE, or one if the source is given.
 *
 * @throws AccessDenied (401); RSENotFound (404).
 */
export async function* listRequestMetrics(
  context: Context,
  { src_rse, dst_rse }: { readonly src_rse?: string | undefined; readonly dst_rse?: string | undefined },
): AsyncGenerator<z.input<typeof requestMetrics>> {
  const { table } = context.store;
  const source = src_rse ? await requireCachedLiveRse(table, src_rse) : undefined;
  const destination = dst_rse ? await requireCachedLiveRse(table, dst_rse) : undefined;
  await authorize(context, 'get_request_metrics', undefined);
  const { live, byId } = await getFleet(table);
  for (const from of source === undefined ? live : [source]) {
    for await (const { destinationId, distance } of listRseDistances(table, from.id)) {
      const to = byId.get(destinationId);
      if (to === undefined || to.deletedAt !== undefined || (destination !== undefined && to !== destination)) continue;
      yield { distance, src_rse: from.rse, dst_rse: to.rse };
    }
  }
}
