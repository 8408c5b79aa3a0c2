import type { DidKey } from '../../contract/schemas/did.ts';
import { findFilesAt, locatePfnOnRse } from '../../domain/replicas/bad/locate-pfn.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { splitIntoChunks } from '../../domain/values/split-into-chunks.ts';
import { mapLimited } from '../../parallel.ts';

/** Questions for paths that are under way at once. */
const parallel = 50;

/**
 * Which files PFNs on an RSE are of (spec/replication.md 1.8). On a deterministic RSE that follows from the PFN and costs
 * nothing; on others it is a query for each.
 *
 * @throws RSENotFound (404) and what {@link locatePfnOnRse} throws.
 */
export async function* listDidsOfPfns(
  { store }: Context,
  pfns: readonly string[],
  name: string,
): AsyncGenerator<Record<string, DidKey>> {
  const rse = await requireCachedLiveRse(store.table, name);
  const places = pfns.map((pfn) => ({ pfn, place: locatePfnOnRse(rse, pfn) }));
  for await (const some of splitIntoChunks(places, parallel)) {
    const files = await mapLimited(some, parallel, ({ place }) => findFilesAt(store.table, place));
    for (const [index, { pfn }] of some.entries()) {
      for (const did of files[index] ?? []) yield Object.fromEntries([[pfn, did]]);
    }
  }
}
