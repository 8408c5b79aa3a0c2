import type { Heartbeat, NewHeartbeat } from '../../contract/schemas/heartbeat.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { listHeartbeats as listStored, putHeartbeat } from '../../store/entities/heartbeat.ts';
import { formatDate } from '../../time.ts';

/**
 * The processes that have sent a heartbeat within a day, by executable, host and process (spec/access.md 6.4). Dapple
 * has no daemons: these are programs beside it, such as a transfer service.
 *
 * @throws AccessDenied (401).
 */
export async function listHeartbeats(context: Context): Promise<Heartbeat[]> {
  await authorize(context, 'list_heartbeats', undefined);
  const found = await listStored(context.store.table, context.now);
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return found
    .toSorted((a, b) => compare(a.executable, b.executable) || compare(a.hostname, b.hostname) || a.pid - b.pid)
    .map(({ executable, hostname, pid, payload, createdAt, updatedAt }) => ({
      readable: executable,
      hostname,
      pid,
      thread_name: 'thread',
      updated_at: formatDate(updatedAt),
      created_at: formatDate(createdAt),
      payload,
    }));
}

/**
 * Records a heartbeat of a process.
 *
 * @throws AccessDenied (401).
 */
export async function addHeartbeat(context: Context, heartbeat: NewHeartbeat): Promise<void> {
  await authorize(context, 'send_heartbeats', undefined);
  const { executable, hostname, pid, payload } = heartbeat;
  await context.store.write(async (latest) => [
    await putHeartbeat(latest, { executable, hostname, pid, payload: payload ?? null }, context.now),
  ]);
}
