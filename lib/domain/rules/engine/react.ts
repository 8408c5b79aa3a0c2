import type { DidKey } from '../../../contract/schemas/did.ts';
import { forEachLimited } from '../../../parallel.ts';
import type { Edge } from '../../../store/entities/edge.ts';
import { type ChangeOf, changesOf } from '../../../store/stream/change.ts';
import { formatDid } from '../../dids/format-did.ts';
import type { Reaction } from '../../stream/reaction.ts';
import { lockAttached } from './attached.ts';
import { unlockDetached } from './detached.ts';
import { Turns } from './isolate.ts';
import { RulesAbove } from './rules-above.ts';

/** Collections whose content has changed that are looked at at once. */
const parallel = 4;

/** What rules do when something is attached below them, or detached (spec/replication.md 3.6). */
export const followContent: Reaction = {
  name: 'follow content',
  kinds: ['edge'],
  async run(context, changes) {
    const edges = changesOf('edge', changes);
    const table = context.store.table.latest();
    // A child that was detached and attached again is looked at twice, as it is now.
    const attached = byParent(edges, ({ before, after }) => (before === undefined ? after : undefined));
    const detached = byParent(edges, ({ before, after }) => (after === undefined ? before : undefined));
    const above = new RulesAbove(table);
    const turns = new Turns();
    const told = parentsOf(attached);
    await forEachLimited(attached, parallel, (content) => lockAttached(context, { above, turns }, content));
    await forEachLimited(detached, parallel, (content) => unlockDetached(context, { above, told }, content));
  },
};

/** Children that were attached to a collection, or detached from it. */
export interface ChangedContent {
  readonly parent: DidKey;
  readonly files: readonly DidKey[];
  readonly collections: readonly DidKey[];
}

/** What the children were attached to, by name. */
function parentsOf(attached: readonly ChangedContent[]): ReadonlyMap<string, readonly DidKey[]> {
  const parents = new Map<string, DidKey[]>();
  for (const { parent, files, collections } of attached) {
    for (const child of [...files, ...collections]) {
      const key = formatDid(child);
      parents.set(key, [...(parents.get(key) ?? []), parent]);
    }
  }
  return parents;
}

function byParent(
  edges: readonly ChangeOf<'edge'>[],
  pick: (change: ChangeOf<'edge'>) => Edge | undefined,
): ChangedContent[] {
  const found = new Map<string, { parent: DidKey; children: Map<string, Edge> }>();
  for (const change of edges) {
    const edge = pick(change);
    // Constituents of an archive are no content of it.
    if (edge === undefined || edge.inArchive === true) continue;
    const content = found.get(formatDid(edge.parent)) ?? { parent: edge.parent, children: new Map<string, Edge>() };
    found.set(formatDid(edge.parent), content);
    content.children.set(formatDid(edge.child), edge);
  }
  return Array.from(found.values(), ({ parent, children }) => {
    const { files = [], collections = [] } = Object.groupBy(children.values(), ({ type }) =>
      type === 'FILE' ? 'files' : 'collections',
    );
    return { parent, files: files.map(({ child }) => child), collections: collections.map(({ child }) => child) };
  });
}
