import type * as z from 'zod/mini';

import type { badStateLine } from '../../contract/schemas/bad-replica.ts';
import { type BadReplicaState, badReplicaStateNames } from '../../contract/schemas/states.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import { type BadReplica, listBadReplicas } from '../../store/entities/bad-replica.ts';
import { type Fleet, getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { formatDate, parseDate } from '../../time.ts';
import { listReplicas } from './list-replicas.ts';
import { makeUnfilteredQuery } from './replica-query.ts';

/** The query parameters: which entries of the log to list. */
interface Filters {
  readonly state?: string | undefined;
  readonly rse?: string | undefined;
  readonly younger_than?: string | undefined;
  readonly older_than?: string | undefined;
  readonly list_pfns: boolean;
}

type Line = z.input<typeof badStateLine>;

/** The most entries whose PFNs are read together. */
const entriesPerStep = 1_000;

/**
 * The log of bad replicas, the oldest entries first, or the PFNs of the replicas in it, each once per 1,000 entries
 * (spec/replication.md 1.8). Costs a read per 20 entries of the period, regardless of the requested RSE and state.
 *
 * @throws ValueError (400); RSENotFound (404).
 */
export async function* listBadStates(
  context: Context,
  filters: Filters,
  page: Page = wholeList,
): AsyncGenerator<Placed<Line>> {
  const { table } = context.store;
  const state = readState(filters.state);
  const period = { from: readTime(filters.younger_than), to: readTime(filters.older_than) };
  const rse = filters.rse === undefined ? undefined : await requireCachedLiveRse(table, filters.rse);
  const fleet = await getFleet(table);
  const [at, rseId = '', scope = '', name = '', id = ''] = page.after ?? [];
  const after = at === undefined ? undefined : { at: Number(at), rseId, did: { scope, name }, id };
  const entries = filterEntries(listBadReplicas(table, period, sliceOf(page, after)), (entry) =>
    isShown(entry, { state, rseId: rse?.id, fleet, now: context.now }),
  );
  if (filters.list_pfns) yield* listPfns(context, entries, rse);
  else for await (const entry of entries) yield placeEntry(entry, describe(entry, fleet));
}

async function* filterEntries(entries: AsyncIterable<BadReplica>, passes: (entry: BadReplica) => boolean) {
  for await (const entry of entries) if (passes(entry)) yield entry;
}

/** Filters of {@link isShown}. */
interface EntryFilter {
  readonly state: BadReplicaState | undefined;
  readonly rseId: string | undefined;
  readonly fleet: Fleet;
  readonly now: number;
}

/** Whether the filters accept an entry. A temporary unavailability that is over is not shown. */
function isShown(entry: BadReplica, { state, rseId, fleet, now }: EntryFilter): boolean {
  return (
    (state === undefined || entry.state === state) &&
    (rseId === undefined || entry.rseId === rseId) &&
    fleet.byId.has(entry.rseId) &&
    (entry.until === undefined || entry.until > now)
  );
}

function describe({ did, rseId, state, at, updatedAt }: BadReplica, { byId }: Fleet): Line {
  return {
    ...did,
    rse: byId.get(rseId)?.rse ?? rseId,
    rse_id: rseId,
    state: badReplicaStateNames[state],
    created_at: formatDate(at),
    updated_at: formatDate(updatedAt ?? at),
  };
}

/** The PFNs of the replicas in entries, on the given RSE or on all. The rows have no positions. */
async function* listPfns(context: Context, entries: AsyncIterable<BadReplica>, rse: Rse | undefined) {
  for await (const step of splitIntoChunks(entries, entriesPerStep)) {
    const pfns = new Set<string>();
    for await (const { rses } of listReplicas(context, makeUnfilteredQuery(step.map(({ did }) => did)))) {
      const found = rse === undefined ? Object.values(rses).flat() : (rses[rse.rse] ?? []).slice(0, 1);
      for (const pfn of found) pfns.add(pfn);
    }
    for (const row of pfns) yield { row, position: undefined };
  }
}

function placeEntry({ at, rseId, did, id }: BadReplica, line: Line): Placed<Line> {
  return placed(line, String(at), rseId, did.scope, did.name, id);
}

function readState(text: string | undefined): BadReplicaState | undefined {
  if (text === undefined || isBadReplicaState(text)) return text;
  return fail('ValueError', `'${text}' is not a valid BadFilesStatus`);
}

function isBadReplicaState(text: string): text is BadReplicaState {
  return Object.hasOwn(badReplicaStateNames, text);
}

function readTime(text: string | undefined): number | undefined {
  if (!text) return undefined;
  return parseDate(text) ?? fail('ValueError', `time data '${text}' does not match format '%Y-%m-%dT%H:%M:%S.%f'`);
}
