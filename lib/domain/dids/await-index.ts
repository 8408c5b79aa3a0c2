import { type Attached, findUnshown } from '../../store/entities/edge-index.ts';
import { insertWork } from '../../store/entities/work.ts';
import type { Insert } from '../../store/plan.ts';
import type { AnonymousContext } from '../context.ts';

/** When the index is asked again for what it does not show yet, in milliseconds. */
const patience = 60_000;

/** Attachments that are named in one note. */
const edgesPerNote = 100;

/**
 * Has new attachments looked at again once the index shows them, where it does not yet. To be called before anything is
 * decided about them: whoever changes what is below or above after that decision finds them in the index, and whoever did
 * so before it was there to be read (docs/adr/0011-rules-on-the-stream.md).
 */
export async function awaitIndex({ store, now }: AnonymousContext, edges: readonly Attached[]): Promise<void> {
  const unshown = await findUnshown(store.table.latest(), edges);
  if (unshown.length > 0) await store.write(async () => noteUnshown(unshown, now));
}

/** The notes that have attachments looked at again; `now` in milliseconds since 1970. */
export function noteUnshown(edges: readonly Attached[], now: number): Insert[] {
  const notes: Insert[] = [];
  for (let start = 0; start < edges.length; start += edgesPerNote) {
    const named = edges
      .slice(start, start + edgesPerNote)
      .map(({ parent, child, createdAt }) => ({ parent, child, createdAt }));
    notes.push(insertWork({ kind: 'followShown', edges: named }, now + patience));
  }
  return notes;
}
