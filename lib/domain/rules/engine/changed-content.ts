import type { DidKey } from '../../../contract/schemas/did.ts';
import type { Edge } from '../../../store/entities/edge.ts';
import { isContentEdge } from '../../../store/entities/parents.ts';
import { formatDid } from '../../values/format-did.ts';

type Attachment = Pick<Edge, 'parent' | 'child' | 'type' | 'inArchive'>;

/** Children that were attached to one collection, or detached from it. */
export interface ChangedContent {
  readonly parent: DidKey;
  readonly files: readonly DidKey[];
  readonly collections: readonly DidKey[];
}

/** Groups attachments by parent. Each child appears once per parent; constituents of archives are omitted. */
export function groupByParent(edges: readonly Attachment[]): ChangedContent[] {
  const found = new Map<string, { parent: DidKey; children: Map<string, Attachment> }>();
  for (const edge of edges) {
    if (!isContentEdge(edge)) continue;
    const content = found.get(formatDid(edge.parent)) ?? { parent: edge.parent, children: new Map() };
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

/** The parents in changed content, by the name of the child. */
export function mapToParents(contents: readonly ChangedContent[]): ReadonlyMap<string, readonly DidKey[]> {
  const parents = new Map<string, DidKey[]>();
  for (const { parent, files, collections } of contents) {
    for (const child of [...files, ...collections]) {
      const key = formatDid(child);
      parents.set(key, [...(parents.get(key) ?? []), parent]);
    }
  }
  return parents;
}
