import { type Attachment, findUnindexed } from '../../store/entities/edge-index.ts';
import { insertWork } from '../../store/entities/work.ts';
import { chunksOf } from '../../store/items/chunks.ts';
import type { Insert } from '../../store/items/plan.ts';
import type { AnonymousContext } from '../values/context.ts';

/** When the index is asked again for what it does not show yet, in milliseconds. */
const patience = 60_000;

/** Attachments that are named in one note. */
const edgesPerNote = 100;

/**
 * Schedules another look at new attachments that the index does not show yet. Call it before anything is decided about
 * them. Then a later change above or below finds the attachment in the index, and an earlier one is found by the reads of
 * the decision (docs/adr/0011-rules-on-the-stream.md).
 */
export async function scheduleEdgeRecheck(
  { store, now }: AnonymousContext,
  edges: readonly Attachment[],
): Promise<void> {
  const unshown = await findUnindexed(store.table.latest(), edges);
  if (unshown.length > 0) await store.write(async () => planEdgeRecheck(unshown, now));
}

/** The notes that have attachments looked at again; `now` in milliseconds since 1970. */
export function planEdgeRecheck(edges: readonly Attachment[], now: number): Insert[] {
  const named = edges.map(({ parent, child, createdAt }) => ({ parent, child, createdAt }));
  return chunksOf(named, edgesPerNote).map((some) => insertWork({ kind: 'followShown', edges: some }, now + patience));
}
