import type * as z from 'zod/mini';

import { type badStateLine, badStates } from '../../contract/schemas/bad-replica.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { splitIntoChunks } from '../../domain/values/split-into-chunks.ts';
import { fail } from '../../errors.ts';
import { type BadReplica, listBadReplicas } from '../../store/entities/bad-replica.ts';
import { type Fleet, getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { formatDate, parseDate } from '../../time.ts';
import { listReplicas } from './list-replicas.ts';
import { makeUnfilteredQuery } from './replica-query.ts';

/** Which entries of the log are asked for, as the query says it. */
interface Filters {
  readonly state?: string | undefined;
  readonly rse?: string | undefined;
  readonly younger_than?: string | undefined;
  readonly older_than?: string | undefined;
  readonly list_pfns: boolean;
}

type Line = z.input<typeof badStateLine>;

/** Entries of which the PFNs are looked up at once. */
const perStep = 1_000;

/**
 * The log of bad replicas, the oldest entries first, or the PFNs of what it is about, each once in a step
 * (spec/replication.md 1.8). Costs a read for each 20 entries of the period, whatever RSE or state is asked for.
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
  const entries = filtered(listBadReplicas(table, period, sliceOf(page, after)), (entry) =>
    isShown(entry, { state, rseId: rse?.id, fleet, now: context.now }),
  );
  if (filters.list_pfns) yield* pfnsOf(context, entries, rse);
  else for await (const entry of entries) yield place(entry, describe(entry, fleet));
}

async function* filtered(entries: AsyncIterable<BadReplica>, passes: (entry: BadReplica) => boolean) {
  for await (const entry of entries) if (passes(entry)) yield entry;
}

interface Shown {
  readonly state: string | undefined;
  readonly rseId: string | undefined;
  readonly fleet: Fleet;
  readonly now: number;
}

/** What was unavailable for a time leaves nothing behind. */
function isShown(entry: BadReplica, { state, rseId, fleet, now }: Shown): boolean {
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
    state: stateName(state),
    created_at: formatDate(at),
    updated_at: formatDate(updatedAt ?? at),
  };
}

/** The name of a state of the log. */
export function stateName(letter: string) {
  return badStates[letter as keyof typeof badStates];
}

/** The PFNs of what entries are about: those on the RSE that is asked for, or all. The list cannot be read in pages. */
async function* pfnsOf(context: Context, entries: AsyncIterable<BadReplica>, rse: Rse | undefined) {
  for await (const step of splitIntoChunks(entries, perStep)) {
    const pfns = new Set<string>();
    for await (const { rses } of listReplicas(context, makeUnfilteredQuery(step.map(({ did }) => did)))) {
      const found = rse === undefined ? Object.values(rses).flat() : (rses[rse.rse] ?? []).slice(0, 1);
      for (const pfn of found) pfns.add(pfn);
    }
    for (const row of pfns) yield { row, position: undefined };
  }
}

function place({ at, rseId, did, id }: BadReplica, line: Line): Placed<Line> {
  return placed(line, String(at), rseId, did.scope, did.name, id);
}

function readState(text: string | undefined): string | undefined {
  if (text === undefined || Object.hasOwn(badStates, text)) return text;
  return fail('ValueError', `'${text}' is not a valid BadFilesStatus`);
}

function readTime(text: string | undefined): number | undefined {
  if (!text) return undefined;
  return parseDate(text) ?? fail('ValueError', `time data '${text}' does not match format '%Y-%m-%dT%H:%M:%S.%f'`);
}
