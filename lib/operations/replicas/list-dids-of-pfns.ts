import type { DidKey } from '../../contract/schemas/did.ts';
import { findFilesAt, locatePfnOnRse } from '../../domain/replicas/bad/locate-pfn.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { mapLimited } from '../../parallel.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';

const maxParallelQueries = 50;

/**
 * The files of PFNs on an RSE (spec/replication.md 1.8). On a deterministic RSE they follow from the PFN without a
 * read; on others it costs a query per PFN.
 *
 * @throws RSENotFound (404) and the errors of {@link locatePfnOnRse}.
 */
export async function* listDidsOfPfns(
  { store }: Context,
  pfns: readonly string[],
  name: string,
): AsyncGenerator<Record<string, DidKey>> {
  const rse = await requireCachedLiveRse(store.table, name);
  const places = pfns.map((pfn) => ({ pfn, place: locatePfnOnRse(rse, pfn) }));
  for await (const chunk of splitIntoChunks(places, maxParallelQueries)) {
    const files = await mapLimited(chunk, maxParallelQueries, ({ place }) => findFilesAt(store.table, place));
    for (const [index, { pfn }] of chunk.entries()) {
      for (const did of files[index] ?? []) yield Object.fromEntries([[pfn, did]]);
    }
  }
}
