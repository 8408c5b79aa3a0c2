import { getJson, getLines, getPage, path } from '../api/client.ts';
import type { RequestLine, RseAttributes } from '../api/types.ts';
import { readDate } from '../format.ts';
import { useLoad } from '../load.ts';
import { RseLink, Time } from '../ui/values.tsx';
import { MoverAdvice } from './mover-advice.tsx';

/** So many transfers are looked at, and so many of their destinations. */
const lookedAt = 50;
const maxDestinations = 5;
/** A mover that runs takes what is queued within so long: those of Dapple look every minute. */
const patienceMs = 120_000;

/** An RSE to which nobody seems to copy. */
interface Neglected {
  readonly rse: string;
  /** The value of its attribute `mover`. */
  readonly mover: string | undefined;
  /** When the first transfer that was looked at was asked for. */
  readonly since: string;
  /** Whether an attempt has ended within 30 days. */
  readonly hasHistory: boolean;
}

/** Says that no mover seems to copy to some RSEs, and what to do; nothing while one does, or nothing waits. */
export function MoverNote({ destinations }: { destinations: string }) {
  const { value } = useLoad(`movers ${destinations}`, (signal) => findNeglected(destinations, signal));
  if (value === undefined || value.length === 0) return null;
  return (
    <div class="note" data-tone="waiting" role="status">
      {value.map((rse) => (
        <p key={rse.rse}>
          <Reason of={rse} />
        </p>
      ))}
      <MoverAdvice rse={value[0]?.rse ?? ''} isSet={value.every(({ mover }) => mover !== undefined)} />
    </div>
  );
}

function Reason({ of: { rse, mover, since, hasHistory } }: { of: Neglected }) {
  return (
    <>
      <strong>{mover === undefined ? 'No mover is known for ' : 'No mover seems to run for '}</strong>
      <RseLink rse={rse} />: its attribute <code>mover</code>{' '}
      {mover === undefined ? (
        'is not set, and'
      ) : (
        <>
          is <code>{mover}</code>, but
        </>
      )}{' '}
      nobody has taken a transfer to it
      {hasHistory ? ', though files were copied there within the last 30 days' : ' within the last 30 days'}. The first
      one was asked for <Time of={since} relative />, and waits until somebody does.
    </>
  );
}

/**
 * The interface does not tell which movers run, so it follows from the queue: the attribute of each destination, whether
 * one of the first transfers to it is taken or was tried, and how long they have waited.
 */
async function findNeglected(destinations: string, signal: AbortSignal): Promise<readonly Neglected[]> {
  const query = { src_rse: '*', dst_rse: destinations, request_states: 'Q,G,S,W' };
  const { rows, next } = await getPage<RequestLine>('/requests/list', lookedAt, undefined, { query, signal });
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

/** The first transfers to an RSE, or all of them. */
interface Queue {
  readonly rse: string;
  readonly transfers: readonly RequestLine[];
  readonly isWhole: boolean;
}

async function examine({ rse, transfers, isWhole }: Queue, signal: AbortSignal): Promise<Neglected | undefined> {
  // A transfer waits for a limit only after a mover has asked for it.
  if (transfers.some(({ state, retry_count: attempts }) => state !== 'QUEUED' || attempts > 0)) return undefined;
  const past = { src_rse: '*', dst_rse: rse, request_states: 'D,F', limit: 1 };
  const [{ mover }, history] = await Promise.all([
    getJson<RseAttributes>(path`/rses/${rse}/attr`, { signal }),
    getLines<RequestLine>('/requests/history/list', { query: past, signal }),
  ]);
  const since = findFirst(transfers.map(({ created_at: at }) => at));
  const isNew = Date.now() - (readDate(since)?.getTime() ?? 0) < patienceMs;
  const hasHistory = history.length > 0;
  if (isNew && (hasHistory || mover !== undefined)) return undefined;
  // A mover that has much to do may be at transfers that were not looked at.
  if (hasHistory && !isWhole) return undefined;
  return { rse, mover: mover === undefined ? undefined : String(mover), since, hasHistory };
}

/** The earliest of some dates; there is at least one. */
function findFirst(dates: readonly string[]): string {
  return dates.reduce((first, date) => ((readDate(date) ?? 0) < (readDate(first) ?? 0) ? date : first));
}
