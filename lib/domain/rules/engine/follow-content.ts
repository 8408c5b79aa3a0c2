import { forEachLimited } from '../../../parallel.ts';
import { changesOf } from '../../../store/stream/change.ts';
import { scheduleEdgeRecheck } from '../../dids/recheck-edges.ts';
import type { AnonymousContext } from '../../values/context.ts';
import type { Reaction } from '../../values/reaction.ts';
import { type ChangedContent, groupByParent, mapToParents } from './changed-content.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { lockAttached } from './lock-attached.ts';
import { RulesAbove } from './rules-above.ts';
import { unlockDetached } from './unlock-detached.ts';

/** The most collections with changed content that are handled in parallel. */
const maxParallelCollections = 4;

/** Reacts to attachments and detachments: locks new content, and releases former content (spec/replication.md 3.6). */
export const followContent: Reaction = {
  name: 'follow content',
  kinds: ['edge'],
  async run(context, changes) {
    const edges = changesOf('edge', changes);
    const collections = edges.flatMap(({ before, after }) =>
      before === undefined && after !== undefined && after.type !== 'FILE' ? [after] : [],
    );
    // Ancestors and descendants are read from the index, so wait until it shows the new attachments.
    await scheduleEdgeRecheck(context, collections);
    // A child that was detached and attached again is in both lists; each reads its present state.
    const attached = groupByParent(edges.flatMap(({ before, after }) => (before === undefined ? (after ?? []) : [])));
    const detached = groupByParent(edges.flatMap(({ before, after }) => (after === undefined ? (before ?? []) : [])));
    const above = new RulesAbove(context.store.table.latest());
    const recentParents = mapToParents(attached);
    await lockAllAttached(context, above, attached);
    await forEachLimited(detached, maxParallelCollections, (content) =>
      unlockDetached(context, { above, recentParents }, content),
    );
  },
};

/** Places the rules of collections and of their ancestors on new content. */
export async function lockAllAttached(
  context: AnonymousContext,
  above: RulesAbove,
  attached: readonly ChangedContent[],
): Promise<void> {
  const queue = new KeyedQueue();
  await forEachLimited(attached, maxParallelCollections, (content) => lockAttached(context, { above, queue }, content));
}
