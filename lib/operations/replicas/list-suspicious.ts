import type * as z from 'zod/mini';

import type { suspiciousReplica } from '../../contract/schemas/bad-replica.ts';
import { BadReplicaState } from '../../contract/schemas/states.ts';
import { findFiles } from '../../domain/replicas/find-dids.ts';
import { resolveExpression } from '../../domain/rse-expression/resolve-expression.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail } from '../../errors.ts';
import { type BadReplica, listBadReplicas } from '../../store/entities/bad-replica.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import { formatDate, parseDate } from '../../time.ts';

/** The query parameters: which replicas to list. */
interface Filters {
  readonly rse_expression?: string | undefined;
  readonly younger_than?: string | undefined;
  readonly nattempts?: string | undefined;
}

/** The log is read back to this age, unless the query says `younger_than`. */
const defaultPeriodMs = 10 * 24 * 3_600_000;

/** An entry with one of these states ends the suspicion of its replica. */
const finalStates: ReadonlySet<BadReplicaState> = new Set([
  BadReplicaState.BAD,
  BadReplicaState.RECOVERED,
  BadReplicaState.DELETED,
]);

/**
 * Lists suspicious replicas, by RSE and file: those that were declared suspicious more than `nattempts` times since
 * `younger_than`, unless a declaration as bad, a recovery or a deletion within this time ended the suspicion
 * (spec/replication.md 1.8). Costs a read for 20 entries of the log, and one for each file in the answer.
 *
 * @throws ValueError, InvalidRSEExpression, InvalidObject (400).
 */
export async function listSuspicious(
  { store, now }: Context,
  filters: Filters,
): Promise<z.input<typeof suspiciousReplica>[]> {
  const { table } = store;
  const attempts = readCount(filters.nattempts);
  const from = readTime(filters.younger_than) ?? now - defaultPeriodMs;
  const { rse_expression: expression } = filters;
  const { byId } = await getFleet(table);
  const wanted = expression ? new Set((await resolveExpression(table, expression)).map(({ id }) => id)) : undefined;
  const cases = new Map<string, { entry: BadReplica; count: number }>();
  const closed = new Set<string>();
  for await (const entry of listBadReplicas(table, { from })) {
    if (wanted?.has(entry.rseId) === false) continue;
    const key = `${entry.rseId} ${formatDid(entry.did)}`;
    if (finalStates.has(entry.state)) closed.add(key);
    cases.set(key, { entry, count: (cases.get(key)?.count ?? 0) + 1 });
  }
  const open = [...cases].filter(([key, { count }]) => !closed.has(key) && count > attempts).map(([, found]) => found);
  const files = await findFiles(
    table,
    open.map(({ entry }) => entry.did),
  );
  return open
    .flatMap(({ entry: { did, rseId }, count }) => {
      const file = files.get(formatDid(did));
      const replica = file?.replicas.get(rseId);
      const rse = byId.get(rseId);
      if (file === undefined || replica === undefined || rse === undefined) return [];
      const createdAt = replica.createdAt ?? file.createdAt;
      return [{ ...did, rse: rse.rse, rse_id: rseId, cnt: count, created_at: formatDate(createdAt) }];
    })
    .toSorted((a, b) => (`${a.rse} ${formatDid(a)}` < `${b.rse} ${formatDid(b)}` ? -1 : 1));
}

function readCount(text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  return /^[+-]?\d{1,15}$/.test(text)
    ? Number(text)
    : fail('ValueError', `invalid literal for int() with base 10: '${text}'`);
}

function readTime(text: string | undefined): number | undefined {
  if (!text) return undefined;
  return parseDate(text) ?? fail('ValueError', `time data '${text}' does not match format '%Y-%m-%dT%H:%M:%S'`);
}
