import type * as z from 'zod/mini';

import type { badSummaryLine } from '../../contract/schemas/bad-replica.ts';
import { badReplicaStateNames } from '../../contract/schemas/states.ts';
import { resolveExpression } from '../../domain/rse-expression/resolve-expression.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { listBadReplicas } from '../../store/entities/bad-replica.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import { formatDate, parseDate } from '../../time.ts';

/** The query parameters. */
interface Filters {
  readonly rse_expression?: string | undefined;
  readonly from_date?: string | undefined;
  readonly to_date?: string | undefined;
}

const dayMs = 24 * 3_600_000;

/**
 * The number of declared replicas in each state, by day, RSE and reason, in the order of the days (spec/replication.md
 * 1.8). Costs a read per 20 entries of the period. Keeps the sums in memory.
 *
 * @throws ValueError, InvalidRSEExpression, InvalidObject (400).
 */
export async function* summariseBadReplicas(
  { store }: Context,
  { rse_expression: expression, from_date: from, to_date: to }: Filters,
): AsyncGenerator<z.input<typeof badSummaryLine>> {
  const { table } = store;
  // Both ends of the period are excluded.
  const period = { from: shift(readDay(from), 1), to: shift(readDay(to), -1) };
  const { byId } = await getFleet(table);
  const wanted = expression ? new Set((await resolveExpression(table, expression)).map(({ id }) => id)) : undefined;
  const incidents = new Map<
    string,
    { at: number; rseId: string; reason: string | null; counts: Map<string, number> }
  >();
  for await (const { at, rseId, reason = null, state } of listBadReplicas(table, period)) {
    if (!byId.has(rseId) || wanted?.has(rseId) === false) continue;
    const start = Math.floor(at / dayMs) * dayMs;
    const key = JSON.stringify([start, rseId, reason]);
    const incident = incidents.get(key) ?? { at: start, rseId, reason, counts: new Map<string, number>() };
    incidents.set(key, incident);
    const name = badReplicaStateNames[state];
    incident.counts.set(name, (incident.counts.get(name) ?? 0) + 1);
  }
  for (const { at, rseId, reason, counts } of incidents.values()) {
    const known = { rse_id: rseId, rse: byId.get(rseId)?.rse ?? rseId, created_at: formatDate(at), reason };
    yield { ...Object.fromEntries(counts), ...known };
  }
}

const shift = (time: number | undefined, by: number) => (time === undefined ? undefined : time + by);

function readDay(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? parseDate(text) : undefined;
  return time ?? fail('ValueError', `time data '${text}' does not match format '%Y-%m-%d'`);
}
