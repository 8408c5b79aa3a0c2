import type { HistoryFilters, RequestLine } from '../../contract/schemas/request.ts';
import { RequestState } from '../../contract/schemas/states.ts';
import { describePastRequest } from '../../domain/requests/describe-past-request.ts';
import type { Context } from '../../domain/values/context.ts';
import { toPythonJson } from '../../python/json.ts';
import { listPastTransfers, type PastTransfer } from '../../store/entities/past-transfer.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import { readFilters } from './request-selection.ts';

/**
 * The attempts of the last 30 days to copy files between RSEs, by destination, scope, name and time (spec/access.md
 * 6.6). An attempt whose mover did not tell its source is listed if all RSEs are sources, as with `src_rse=*`.
 *
 * @throws MissingParameter, Invalid, InvalidRSEExpression, InvalidObject (400); AccessDenied (401); NotFound for a site,
 *   RSENotFound (404).
 */
export async function* listRequestsHistory(context: Context, filters: HistoryFilters): AsyncGenerator<RequestLine> {
  const { sources, destinations, states } = await readFilters(context, 'list_requests_history', filters);
  const { table } = context.store;
  const { byId, live } = await getFleet(table);
  const isEverySource = live.every((rse) => sources.has(rse));
  const isAsked = ({ state, sourceId }: PastTransfer) => {
    const source = sourceId === undefined ? undefined : byId.get(sourceId);
    return states.has(RequestState[state]) && (source === undefined ? isEverySource : sources.has(source));
  };
  let toSkip = filters.offset;
  let left = filters.limit;
  for (const destination of destinations.toSorted((a, b) => (a.rse < b.rse ? -1 : 1))) {
    for await (const past of listPastTransfers(table, destination.id, context.now)) {
      if (!isAsked(past)) continue;
      toSkip -= 1;
      if (toSkip >= 0) continue;
      if (left <= 0) return;
      left -= 1;
      const { attributes, ...record } = describePastRequest(past, byId);
      yield { ...record, attributes: toPythonJson(attributes) };
    }
  }
}
