import type { RequestFilters, RequestLine } from '../../contract/schemas/request.ts';
import { RequestState, requestStateNames } from '../../contract/schemas/states.ts';
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

/** Read in ten parallel batches of 100 files. */
const requestsPerStep = 1_000;

/**
 * The requests to copy files between RSEs, by destination, scope and name (spec/access.md 6.6). A request is QUEUED if
 * one of the source RSEs has a readable replica, and NO_SOURCES if no RSE has one. Costs a read per file, a unit per
 * about 20 requests, and a read per rule.
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
  if (!states.has(RequestState.QUEUED) && !states.has(RequestState.NO_SOURCES)) return;
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
      for (const wanted of await finder.find(chunk, destination)) {
        const line = toLine(wanted, sources, states);
        if (line !== undefined) yield placed(line, destination.rse, line.scope, line.name);
      }
    }
  }
}

/** Finished requests. Always empty, because they are not stored. Throws what {@link listRequests} throws. */
export async function* listRequestsHistory(context: Context, filters: RequestFilters): AsyncGenerator<never> {
  await readFilters(context, 'list_requests_history', filters);
  yield* [];
}

/** The line of a request, with the first source RSE that has the file; undefined if the filters exclude it. */
function toLine(wanted: RequestDetails, from: ReadonlySet<Rse>, states: ReadonlySet<string>): RequestLine | undefined {
  const source = wanted.sources.find((rse) => from.has(rse));
  const isShown =
    wanted.sources.length === 0
      ? states.has(RequestState.NO_SOURCES)
      : states.has(RequestState.QUEUED) && source !== undefined;
  if (!isShown) return undefined;
  const { attributes, ...record } = describeRequest(wanted, source);
  return { ...record, attributes: toJson(attributes) };
}

interface RequestSelection {
  readonly sources: ReadonlySet<Rse>;
  readonly destinations: readonly Rse[];
  readonly states: ReadonlySet<string>;
}

/**
 * The letters of states, from letters or names. The official client, given a list, sends it as Python prints it: `['Q']`.
 *
 * @throws Invalid (400).
 */
function readStates(text: string): ReadonlySet<string> {
  const elements = (/^\[(.*)\]$/.exec(text)?.[1] ?? text).split(',');
  const states = elements.map((element) => {
    const state = element.trim().replace(/^'(.*)'$/, '$1');
    return isName(state) ? RequestState[state] : state;
  });
  if (!states.every((state) => Object.hasOwn(requestStateNames, state))) {
    fail('Invalid', 'Request state value is invalid');
  }
  return new Set(states);
}

const isName = (text: string): text is keyof typeof RequestState => Object.hasOwn(RequestState, text);

async function readFilters(
  context: Context,
  action: 'list_requests' | 'list_requests_history',
  { src_rse, dst_rse, src_site, dst_site, request_states }: RequestFilters,
): Promise<RequestSelection> {
  if (!request_states) fail('MissingParameter', 'Request state is missing');
  if (src_rse && !dst_rse) fail('MissingParameter', 'Destination RSE is missing');
  if (dst_rse && !src_rse) fail('MissingParameter', 'Source RSE is missing');
  if (src_site && !dst_site) fail('MissingParameter', 'Destination site is missing');
  if (dst_site && !src_site) fail('MissingParameter', 'Source site is missing');
  const states = readStates(request_states);
  const { table } = context.store;
  const find = (site: string | undefined, rse: string | undefined) =>
    src_site ? findRsesOfSite(table, site ?? '') : findRses(table, rse);
  const sources = await find(src_site, src_rse);
  const destinations = await find(dst_site, dst_rse);
  await authorize(context, action, { sources: toNames(sources), destinations: toNames(destinations) });
  return { sources: new Set(sources), destinations, states };
}

async function findRsesOfSite(table: Table, site: string): Promise<readonly Rse[]> {
  const { live } = await getFleet(table);
  const found = live.filter(({ attributes }) => attributes['site'] === site);
  return found.length > 0 ? found : fail('NotFound', `Could not resolve site name ${site} to RSE`);
}

/** The RSE of a name, or those of an expression if no RSE has this name. */
async function findRses(table: Table, name: string | undefined): Promise<readonly Rse[]> {
  const { byName } = await getFleet(table);
  const rse = byName.get(name ?? '');
  if (rse?.deletedAt === undefined && rse !== undefined) return [rse];
  return name === undefined || /^[\w-]*$/.test(name) ? failRseNotFound(name ?? 'None') : resolveExpression(table, name);
}

const toNames = (rses: readonly Rse[]) => rses.map(({ rse }) => rse);
