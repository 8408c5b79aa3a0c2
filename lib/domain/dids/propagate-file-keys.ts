import { addIntegers, type Integer, negate } from '../../integer.ts';
import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import type { MetadataValues } from '../../store/entities/did-metadata.ts';
import { type FileDid, getFiles } from '../../store/entities/did.ts';
import { changeEdge, type Edge, getEdges, listParentEdges, requireSettledEdge } from '../../store/entities/edge.ts';
import { isContentEdge } from '../../store/entities/parents.ts';
import type { Patch } from '../../store/items/item.ts';
import { type Change, LostRace } from '../../store/items/plan.ts';
import { formatDid } from '../values/format-did.ts';
import type { DidPatches } from './did-patches.ts';

const maxParallelQueries = 50;

/**
 * Copies new values of `guid` and `events` of files to their attachments. Adds the difference of `events` to the
 * datasets, so that their sum stays that of their attachments (spec/dids.md 2.16). Files without a new value of either
 * cost nothing.
 *
 * @param files Each with its new values; if a file is listed twice, the later values win.
 * @param into Collects the changes of the datasets.
 * @returns The changes of the attachments.
 */
export async function propagateFileKeys(
  latest: Table,
  files: readonly { readonly file: FileDid; readonly values: MetadataValues }[],
  into: { readonly now: number; readonly patches: DidPatches },
): Promise<Change[]> {
  const given = new Map<string, Pick<Edge, 'guid' | 'events'>>();
  const changed = new Map<string, FileDid>();
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
 * Corrects attachments whose copy of `guid` and `events` differs from the file.
 *
 * @param pairs May include attachments that do not exist or are up to date.
 * @param into Collects the changes of the datasets.
 * @returns The changes of the attachments.
 */
export async function correctFileKeys(
  latest: Table,
  pairs: readonly Pick<Edge, 'parent' | 'child'>[],
  into: { readonly now: number; readonly patches: DidPatches },
): Promise<Change[]> {
  const [edges, files] = await Promise.all([
    getEdges(latest, pairs),
    getFiles(
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

/** Whether `guid` or `events` differ. */
export function hasDifferentFileKeys(
  edge: Pick<Edge, 'guid' | 'events'>,
  file: Pick<FileDid, 'guid' | 'events'>,
): boolean {
  return edge.guid !== file.guid || edge.events !== file.events;
}

/** Finds the attachments in the index and reads their present state from the table. */
async function attachmentsOf(latest: Table, files: readonly FileDid[]): Promise<Edge[]> {
  const listed = await mapLimited(files, maxParallelQueries, (file) => Array.fromAsync(listParentEdges(latest, file)));
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
    patches.addToParent(edge.parent, { set: { eventsCounted: true, updatedAt: now }, add: { events: difference } });
  }
  const entries = Object.entries(keys);
  const patch: Patch = {
    set: { ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)), updatedAt: now },
    remove: entries.filter(([, value]) => value === undefined).map(([key]) => key),
  };
  return changeEdge(edge, patch, {
    when: { createdAt: edge.createdAt, rev: edge.rev, ...('events' in keys ? { events: edge.events } : {}) },
    onMismatch: () => new LostRace(`${formatDid(edge.child)} was detached or changed concurrently`),
  });
}
