import type { RequestFilters, RequestLine } from '../../contract/schemas/request.ts';
import { RequestState } from '../../contract/schemas/states.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { describeRequest, type RequestDetails } from '../../domain/requests/describe-request.ts';
import { RequestDetailsReader } from '../../domain/requests/read-request-details.ts';
import { stateOfTransfer } from '../../domain/requests/transfer-state.ts';
import type { Context } from '../../domain/values/context.ts';
import { toPythonJson } from '../../python/json.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import { listTransfersTo } from '../../store/entities/transfer.ts';
import { readFilters, type RequestSelection } from './request-selection.ts';

/** Read in ten parallel batches of 100 files. */
const requestsPerStep = 1_000;

/**
 * The requests to copy files between RSEs, by destination, scope and name (spec/access.md 6.6). A request that no mover
 * has is QUEUED if one of the source RSEs has a readable replica, and NO_SOURCES if no RSE has one. Costs a read per
 * file of a request that may be in one of the states, a unit per about 20 requests, and a read per rule.
 *
 * @throws MissingParameter, Invalid, InvalidRSEExpression, InvalidObject (400); AccessDenied (401); NotFound for a
 *   site, RSENotFound (404).
 */
export async function* listRequests(
  context: Context,
  filters: RequestFilters,
  page: Page = wholeList,
): AsyncGenerator<Placed<RequestLine>> {
  const { sources, destinations, states } = await readFilters(context, 'list_requests', filters);
  const { table } = context.store;
  const [lastRse = '', scope, name] = page.after ?? [];
  const finder = new RequestDetailsReader(table, context.now);
  for (const destination of destinations.toSorted((a, b) => (a.rse < b.rse ? -1 : 1))) {
    if (destination.rse < lastRse) continue;
    const isContinued = destination.rse === lastRse && scope !== undefined && name !== undefined;
    const slice = sliceOf(page, isContinued ? { scope, name } : undefined);
    for await (const chunk of splitIntoChunks(
      listTransfersTo(table, destination.id, slice),
      slice.pageSize ?? requestsPerStep,
    )) {
      const possible = chunk.filter((transfer) =>
        [true, false].some((hasSources) => isIn(states, stateOfTransfer(transfer, hasSources, context.now))),
      );
      for (const wanted of await finder.find(possible, destination)) {
        const line = toLine(wanted, { sources, states }, context.now);
        if (line !== undefined) yield placed(line, destination.rse, line.scope, line.name);
      }
    }
  }
}

/**
 * The line of a request, with the source RSE of its lease, or the first one that has the file; undefined if the filters
 * exclude it.
 */
function toLine(
  wanted: RequestDetails,
  { sources, states }: Pick<RequestSelection, 'sources' | 'states'>,
  now: number,
): RequestLine | undefined {
  const { transfer } = wanted;
  if (!isIn(states, stateOfTransfer(transfer, wanted.sources.length > 0, now))) return undefined;
  const fitting = wanted.sources.filter((rse) => sources.has(rse));
  const source = fitting.find(({ id }) => transfer.lease !== undefined && id === transfer.sourceId) ?? fitting[0];
  if (source === undefined && wanted.sources.length > 0) return undefined;
  const { attributes, ...record } = describeRequest(wanted, now, source);
  return { ...record, attributes: toPythonJson(attributes) };
}

const isIn = (states: ReadonlySet<string>, state: keyof typeof RequestState) => states.has(RequestState[state]);
