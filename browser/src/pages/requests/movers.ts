import { getJson, getLines, getPage, path } from '../../api/client.ts';
import type { RequestLine } from '../../api/types.ts';
import { readDate } from '../../format.ts';

/** Transfers checked at most, and destinations of them. */
const checked = 50;
const maxDestinations = 5;
/** Time within which a running mover takes queued transfers: those of Dapple look every minute. */
const pickUpMs = 120_000;

/** Traces of the mover that copies to an RSE. */
interface MoverSigns {
  /** The value of the attribute `mover` of the RSE. */
  readonly mover: string | undefined;
  /** Whether an attempt has ended within 30 days. */
  readonly hasHistory: boolean;
}

/** An RSE to which nobody seems to copy. */
export interface Neglected extends MoverSigns {
  readonly rse: string;
  /** When the first transfer that was looked at was asked for. */
  readonly since: string;
}

/**
 * The interface does not tell which movers run, so it follows from the queue: the attribute of each destination, whether
 * one of the first transfers to it is taken or was tried, and how long they have waited.
 */
export async function findNeglected(destinations: string, signal: AbortSignal): Promise<readonly Neglected[]> {
  const { rows, next } = await getQueue(destinations, signal);
  const last = next === undefined ? undefined : rows.at(-1)?.dest_rse;
  const rses = [...new Set(rows.map(({ dest_rse: rse }) => rse))].slice(0, maxDestinations);
  const found = await Promise.all(
    rses.map((rse) => {
      const transfers = rows.filter(({ dest_rse: destination }) => destination === rse);
      return examine({ rse, transfers, isWhole: rse !== last }, signal);
    }),
  );
  return found.filter((one) => one !== undefined);
}

/** An RSE to which nobody is known to copy. */
export type Unserved = Pick<Neglected, 'rse' | 'hasHistory'>;

/**
 * Those of the first few RSEs to which nobody is known to copy: no mover is set, and nobody is at a transfer. Copies that
 * have ended may have been reported by hand.
 */
export async function findUnserved(rses: readonly string[], signal: AbortSignal): Promise<readonly Unserved[]> {
  const found = await Promise.all(
    rses.slice(0, maxDestinations).map(async (rse) => {
      const { mover, hasHistory } = await readSigns(rse, signal);
      if (mover !== undefined) return [];
      const { rows, next } = await getQueue(rse, signal);
      // A mover that has much to do may be at transfers that were not looked at.
      const mayBeServed = rows.some(isTaken) || (hasHistory && next !== undefined);
      return mayBeServed ? [] : [{ rse, hasHistory }];
    }),
  );
  return found.flat();
}

/** The first transfers to an RSE, or all of them. */
interface Queue {
  readonly rse: string;
  readonly transfers: readonly RequestLine[];
  readonly isWhole: boolean;
}

async function examine({ rse, transfers, isWhole }: Queue, signal: AbortSignal): Promise<Neglected | undefined> {
  if (transfers.some(isTaken)) return undefined;
  const signs = await readSigns(rse, signal);
  const since = findFirst(transfers.map(({ created_at: at }) => at));
  const isNew = Date.now() - (readDate(since)?.getTime() ?? 0) < pickUpMs;
  if (isNew && (signs.hasHistory || signs.mover !== undefined)) return undefined;
  // A mover that has much to do may be at transfers that were not looked at.
  if (signs.hasHistory && !isWhole) return undefined;
  return { rse, since, ...signs };
}

/** Whether a mover has asked for a transfer: only then does it wait for a limit. */
const isTaken = ({ state, retry_count: attempts }: RequestLine) => state !== 'QUEUED' || attempts > 0;

function getQueue(destinations: string, signal: AbortSignal) {
  const query = { src_rse: '*', dst_rse: destinations, request_states: 'Q,G,S,W' };
  return getPage('/requests/list', checked, undefined, { query, signal });
}

async function readSigns(rse: string, signal: AbortSignal): Promise<MoverSigns> {
  const query = { src_rse: '*', dst_rse: rse, request_states: 'D,F', limit: 1 };
  const [{ mover }, history] = await Promise.all([
    getJson(path('/rses/:rse/attr', { rse }), { signal }),
    getLines('/requests/history/list', { query, signal }),
  ]);
  return { mover: mover === undefined ? undefined : String(mover), hasHistory: history.length > 0 };
}

/** The earliest of some dates; there is at least one. */
function findFirst(dates: readonly string[]): string {
  return dates.reduce((first, date) => ((readDate(date) ?? 0) < (readDate(first) ?? 0) ? date : first));
}
