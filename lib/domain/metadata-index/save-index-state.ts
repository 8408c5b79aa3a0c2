import {
  invalidateIndexState,
  getIndexState,
  type IndexState,
  putIndexState,
} from '../../store/entities/index-state.ts';
import type { Store } from '../../store/open-store.ts';

/** A concurrent run has changed the state and continues the maintenance. */
export class IndexStateConflict extends Error {
  override readonly name = 'IndexStateConflict';
}

/**
 * Saves the state of the metadata index (optimistic lock on its version).
 *
 * @param former The state to replace; undefined if there is none yet.
 * @returns The new state.
 * @throws {@link IndexStateConflict} if the stored state is another one.
 */
export async function saveIndexState(
  store: Store,
  former: IndexState | undefined,
  next: Omit<IndexState, 'version'>,
): Promise<IndexState> {
  const version = (former?.version ?? 0) + 1;
  await store.write(async (latest) => {
    const current = await getIndexState(latest);
    if (current?.version !== former?.version) throw new IndexStateConflict();
    return [putIndexState(next, former)];
  });
  invalidateIndexState(store.table);
  return { ...next, version };
}
