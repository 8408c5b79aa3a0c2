import type { RequestFilters } from '../../contract/schemas/request.ts';
import { RequestState, requestStateNames } from '../../contract/schemas/states.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { resolveExpression } from '../../domain/rse-expression/resolve-expression.ts';
import { failRseNotFound } from '../../domain/rses/find-rse.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';

/** The requests that a list is about. */
export interface RequestSelection {
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

/**
 * Reads the filters of a list of requests, and requires the permission for it.
 *
 * @throws MissingParameter, Invalid, InvalidRSEExpression, InvalidObject (400); AccessDenied (401); NotFound for a site,
 *   RSENotFound (404).
 */
export async function readFilters(
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

/**
 * The RSE of a name, or those of an expression if no RSE has this name.
 *
 * @throws RSENotFound (404); InvalidRSEExpression (400).
 */
export async function findRses(table: Table, name: string | undefined): Promise<readonly Rse[]> {
  const { byName } = await getFleet(table);
  const rse = byName.get(name ?? '');
  if (rse?.deletedAt === undefined && rse !== undefined) return [rse];
  return name === undefined || /^[\w-]*$/.test(name) ? failRseNotFound(name ?? 'None') : resolveExpression(table, name);
}

const toNames = (rses: readonly Rse[]) => rses.map(({ rse }) => rse);
