import type { Heartbeat } from '../../contract/schemas/heartbeat.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';

/**
 * The daemons that are alive (spec/access.md 6.4). There are none: what Rucio's daemons do follows from the table's
 * stream.
 *
 * @throws AccessDenied (401).
 */
export async function listHeartbeats(context: Context): Promise<Heartbeat[]> {
  await authorize(context, 'list_heartbeats', undefined);
  return [];
}
