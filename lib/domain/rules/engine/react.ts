import type { DidKey } from '../../../contract/schemas/did.ts';
import { forEachLimited } from '../../../parallel.ts';
import type { Edge } from '../../../store/entities/edge.ts';
import { changesOf } from '../../../store/stream/change.ts';
import { awaitIndex } from '../../dids/await-index.ts';
import type { AnonymousContext } from '../../values/context.ts';
import { formatDid } from '../../values/format-did.ts';
import type { Reaction } from '../../values/reaction.ts';
import { lockAttached } from './attached.ts';
import { unlockDetached } from './detached.ts';
import { Turns } from './isolate.ts';
import { RulesAbove } from './rules-above.ts';

type Member = Pick<Edge, 'parent' | 'child' | 'type' | 'inArchive'>;

/** Collections whose content has changed that are looked at at once. */
const parallel = 4;

/** What rules do when something is attached below them, or detached (spec/replication.md 3.6). */
export const followContent: Reaction = {
  name: 'follow content',
  kinds: ['edge'],
  async run(context, changes) {
    const edges = changesOf('edge', changes);
    const collections = edges.flatMap(({ before, after }) =>
      before === undefined && after !== undefined && after.type !== 'FILE' ? [after] : [],
    );
    // First of all: what is above and below is to be read after the index was.
    await awaitIndex(context, collections);
    // A child that was detached and attached again is looked at twice, as it is now.
    const attached = byParent(edges.flatMap(({ before, after }) => (before === undefined ? (after ?? []) : [])));
    const detached = byParent(edges.flatMap(({ before, after }) => (after === undefined ? (before ?? []) : [])));
    const above = new RulesAbove(context.store.table.latest());
    const told = parentsOf(attached);
    await lockAll(context, above, attached);
    await forEachLimited(detached, parallel, (content) => unlockDetached(context, { above, told }, content));
  },
};

/** Places the rules on and above collections on what was attached to them. */
export async function lockAll(
  context: AnonymousContext,
  above: RulesAbove,
  attached: readonly ChangedContent[],
): Promise<void> {
  const turns = new Turns();
  await forEachLimited(attached, parallel, (content) => lockAttached(context, { above, turns }, content));
}

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

/** Attachments by what the children were attached to, or detached from. */
export function byParent(edges: readonly Member[]): ChangedContent[] {
  const found = new Map<string, { parent: DidKey; children: Map<string, Member> }>();
  for (const edge of edges) {
    // Constituents of an archive are no content of it.
    if (edge.inArchive === true) continue;
    const content = found.get(formatDid(edge.parent)) ?? { parent: edge.parent, children: new Map<string, Member>() };
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
