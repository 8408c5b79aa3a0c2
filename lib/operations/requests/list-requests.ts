import { type RequestFilters, type RequestLine, requestStates } from '../../contract/schemas/request.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { describeRequest, type RequestDetails } from '../../domain/requests/describe-request.ts';
import { RequestDetailsReader } from '../../domain/requests/read-request-details.ts';
import { resolveExpression } from '../../domain/rse-expression/resolve-expression.ts';
import { failRseNotFound } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { splitIntoChunks } from '../../domain/values/split-into-chunks.ts';
import { fail } from '../../errors.ts';
import { toJson } from '../../json.ts';
import type { Table } from '../../store/batches/table.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { listTransfersTo } from '../../store/entities/transfer.ts';

/** Requests whose files are read at once: ten requests of 100. */
const perStep = 1_000;

/**
 * What is to be copied from some RSEs to others, by the destination, then by scope and name (spec/access.md 6.6). A
 * request is queued where the file can be read on one of the RSEs that are asked about, and has no sources where it can
 * be read nowhere. Costs a read for each file, a unit for about 20 requests, and a read for each rule.
 *
 * @throws MissingParameter, Invalid, InvalidRSEExpression, InvalidObject (400); AccessDenied (401); NotFound for a site,
 *   RSENotFound (404).
 */
export async function* listRequests(
  context: Context,
  filters: RequestFilters,
  page: Page = wholeList,
): AsyncGenerator<Placed<RequestLine>> {
  const { sources, destinations, states } = await readFilters(context, 'list_requests', filters);
  if (!states.has('Q') && !states.has('N')) return;
  const { table } = context.store;
  const [lastRse = '', scope, name] = page.after ?? [];
  const finder = new RequestDetailsReader(table, context.now);
  for (const destination of destinations.toSorted((a, b) => (a.rse < b.rse ? -1 : 1))) {
    if (destination.rse < lastRse) continue;
    const isGoneOn = destination.rse === lastRse && scope !== undefined && name !== undefined;
    const slice = sliceOf(page, isGoneOn ? { scope, name } : undefined);
    for await (const some of splitIntoChunks(
      listTransfersTo(table, destination.id, slice),
      slice.pageSize ?? perStep,
    )) {
      for (const wanted of await finder.find(some, destination)) {
        const line = lineOf(wanted, sources, states);
        if (line !== undefined) yield placed(line, destination.rse, line.scope, line.name);
      }
    }
  }
}

/** What was copied: nothing is kept of it. Throws what {@link listRequests} throws. */
export async function* listRequestsHistory(context: Context, filters: RequestFilters): AsyncGenerator<never> {
  await readFilters(context, 'list_requests_history', filters);
  yield* [];
}

/** The line of a copy, from the first of the RSEs that has the file; undefined where it is not asked for. */
function lineOf(wanted: RequestDetails, from: ReadonlySet<Rse>, states: ReadonlySet<string>): RequestLine | undefined {
  const source = wanted.sources.find((rse) => from.has(rse));
  const isShown = wanted.sources.length === 0 ? states.has('N') : states.has('Q') && source !== undefined;
  if (!isShown) return undefined;
  const { attributes, ...record } = describeRequest(wanted, source);
  return { ...record, attributes: toJson(attributes) };
}

interface Asked {
  readonly sources: ReadonlySet<Rse>;
  readonly destinations: readonly Rse[];
  /** Letters. */
  readonly states: ReadonlySet<string>;
}

async function readFilters(
  context: Context,
  action: 'list_requests' | 'list_requests_history',
  { src_rse, dst_rse, src_site, dst_site, request_states }: RequestFilters,
): Promise<Asked> {
  if (!request_states) fail('MissingParameter', 'Request state is missing');
  if (src_rse && !dst_rse) fail('MissingParameter', 'Destination RSE is missing');
  if (dst_rse && !src_rse) fail('MissingParameter', 'Source RSE is missing');
  if (src_site && !dst_site) fail('MissingParameter', 'Destination site is missing');
  if (dst_site && !src_site) fail('MissingParameter', 'Source site is missing');
  const states = request_states.split(',');
  if (!states.every((state) => Object.hasOwn(requestStates, state))) {
    fail('Invalid', 'Request state value is invalid');
  }
  const { table } = context.store;
  const find = (site: string | undefined, rse: string | undefined) =>
    src_site ? ofSite(table, site ?? '') : ofName(table, rse);
  const sources = await find(src_site, src_rse);
  const destinations = await find(dst_site, dst_rse);
  await authorize(context, action, { sources: names(sources), destinations: names(destinations) });
  return { sources: new Set(sources), destinations, states: new Set(states) };
}

async function ofSite(table: Table, site: string): Promise<readonly Rse[]> {
  const { live } = await getFleet(table);
  const found = live.filter(({ attributes }) => attributes['site'] === site);
  return found.length > 0 ? found : fail('NotFound', `Could not resolve site name ${site} to RSE`);
}

/** A name, or an expression where there is no RSE of this name. */
async function ofName(table: Table, name: string | undefined): Promise<readonly Rse[]> {
  const { byName } = await getFleet(table);
  const rse = byName.get(name ?? '');
  if (rse?.deletedAt === undefined && rse !== undefined) return [rse];
  return name === undefined || /^[\w-]*$/.test(name) ? failRseNotFound(name ?? 'None') : resolveExpression(table, name);
}

const names = (rses: readonly Rse[]) => rses.map(({ rse }) => rse);
