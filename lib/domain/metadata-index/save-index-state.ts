import {
  invalidateIndexState,
  getIndexState,
  type IndexState,
  putIndexState,
} from '../../store/entities/index-state.ts';
import type { Store } from '../../store/open-store.ts';

/** Another run has changed the state: it carries on. */
export class IndexStateConflict extends Error {
  override readonly name = 'Overtaken';
}

/**
 * Changes the state of the metadata index.
 *
 * @param former The state that it follows; undefined when there is none yet.
 * @returns The new state.
 * @throws Overtaken when the state is another one by now.
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
