import type { Table } from '../batches/table.ts';
import { LostRace, type Write } from '../items/plan.ts';
import { attributesReader, isNumber, isText, nullable } from '../items/read-attributes.ts';
import { daemonKeys, type HeartbeatKey } from '../keys/daemon-keys.ts';

/** A sign of life of a process outside Dapple (spec/access.md 6.4). Dates in milliseconds since 1970. */
export interface Heartbeat extends HeartbeatKey {
  readonly payload: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** How long a process is listed after its last heartbeat, as in Rucio. */
const lifetimeMs = 86_400_000;

/** The heartbeats of the last day, in no particular order. */
export async function listHeartbeats(table: Table, now: number): Promise<Heartbeat[]> {
  const items = await Array.fromAsync(table.query({ pk: daemonKeys.heartbeats }));
  // DynamoDB deletes expired items late.
  return items.map(readHeartbeat).filter(({ updatedAt }) => updatedAt > now - lifetimeMs);
}

/** The write that inserts a heartbeat, or renews the one of the same process. */
export async function putHeartbeat(
  table: Table,
  { payload, ...process }: HeartbeatKey & Pick<Heartbeat, 'payload'>,
  now: number,
): Promise<Write> {
  const key = daemonKeys.heartbeat(process);
  const set = { payload, updatedAt: now, ttl: Math.ceil((now + lifetimeMs) / 1_000) };
  return (await table.get(key)) === undefined
    ? { kind: 'insert', item: { ...key, ...process, ...set, createdAt: now }, onExists: makeRaceError }
    : { kind: 'change', key, patch: { set }, onMismatch: makeRaceError };
}

const makeRaceError = () => new LostRace('the heartbeat was inserted or deleted concurrently');

const readHeartbeat = attributesReader<Heartbeat>({
  executable: isText,
  hostname: isText,
  pid: isNumber,
  payload: nullable(isText),
  createdAt: isNumber,
  updatedAt: isNumber,
});
