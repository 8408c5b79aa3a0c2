import { addIntegers, type Integer, negate } from '../../integer.ts';
import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import type { MetadataValues } from '../../store/entities/did-metadata.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { changeEdge, type Edge, getEdges, listParents, requireSettledEdge } from '../../store/entities/edge.ts';
import { isContentEdge } from '../../store/entities/parents.ts';
import type { Patch } from '../../store/items/item.ts';
import { type Change, LostRace } from '../../store/items/plan.ts';
import { formatDid } from '../values/format-did.ts';
import type { DidPatches } from './did-patches.ts';

/** Questions for attachments that are under way at once. */
const parallel = 50;

/**
 * Copies the `guid` and `events` of files to their attachments, and adds the change of the events to the datasets, so
 * that a dataset's sum stays that of its attachments (spec/dids.md 2.16). Files that are given neither cost nothing.
 *
 * @param files Each with the values that it is given; of a file that comes twice the later values hold.
 * @param into Where the changes of the datasets are gathered.
 * @returns The changes of the attachments.
 */
export async function propagateFileKeys(
  latest: Table,
  files: readonly { readonly file: Did; readonly values: MetadataValues }[],
  into: { readonly now: number; readonly patches: DidPatches },
): Promise<Change[]> {
  const given = new Map<string, Pick<Edge, 'guid' | 'events'>>();
  const changed = new Map<string, Did>();
  for (const { file, values } of files) {
    const { guid, events } = values.attributes;
    const keys = {
      ...('guid' in values.attributes ? { guid } : {}),
      ...('events' in values.attributes ? { events } : {}),
    };
    if (Object.keys(keys).length === 0) continue;
    given.set(formatDid(file), { ...given.get(formatDid(file)), ...keys } as Pick<Edge, 'guid' | 'events'>);
    changed.set(formatDid(file), file);
  }
  const edges = await attachmentsOf(latest, [...changed.values()]);
  return edges.map((edge) => changeAttachment(edge, given.get(formatDid(edge.child)) ?? {}, into));
}

/**
 * Lets attachments say of their files what the files say themselves.
 *
 * @param pairs Some of which may not be there, or say it already.
 * @returns The changes of the attachments; those of the datasets are gathered in `into`.
 */
export async function correctFileKeys(
  latest: Table,
  pairs: readonly Pick<Edge, 'parent' | 'child'>[],
  into: { readonly now: number; readonly patches: DidPatches },
): Promise<Change[]> {
  const [edges, files] = await Promise.all([
    getEdges(latest, pairs),
    getDids(
      latest,
      pairs.map(({ child }) => child),
    ),
  ]);
  const byName = new Map(files.map((file) => [formatDid(file), file]));
  return edges.flatMap((edge) => {
    const file = byName.get(formatDid(edge.child));
    if (file === undefined || !hasDifferentFileKeys(edge, file)) return [];
    return changeAttachment(edge, { guid: file.guid, events: file.events } as Pick<Edge, 'guid' | 'events'>, into);
  });
}

/** Whether an attachment says something else of a file than the file does. */
export function hasDifferentFileKeys(edge: Pick<Edge, 'guid' | 'events'>, file: Pick<Did, 'guid' | 'events'>): boolean {
  return edge.guid !== file.guid || edge.events !== file.events;
}

/** The index knows which attachments there are, the table how they are now. */
async function attachmentsOf(latest: Table, files: readonly Did[]): Promise<Edge[]> {
  const listed = await mapLimited(files, parallel, (file) => Array.fromAsync(listParents(latest, file)));
  return getEdges(latest, listed.flat());
}

function changeAttachment(
  edge: Edge,
  keys: Pick<Edge, 'guid' | 'events'>,
  { now, patches }: { readonly now: number; readonly patches: DidPatches },
): Change {
  requireSettledEdge(edge);
  if ('events' in keys && isContentEdge(edge)) {
    const difference: Integer = addIntegers(keys.events ?? 0, negate(edge.events ?? 0));
    patches.add(edge.parent, { set: { eventsCounted: true, updatedAt: now }, add: { events: difference } });
  }
  const entries = Object.entries(keys);
  const patch: Patch = {
    set: { ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)), updatedAt: now },
    remove: entries.filter(([, value]) => value === undefined).map(([key]) => key),
  };
  return changeEdge(edge, patch, {
    when: { createdAt: edge.createdAt, rev: edge.rev, ...('events' in keys ? { events: edge.events } : {}) },
    onMismatch: () => new LostRace(`${formatDid(edge.child)} was detached or changed meanwhile`),
  });
}
