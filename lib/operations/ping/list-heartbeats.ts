import type { Heartbeat } from '../../contract/schemas/heartbeat.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';

/**
 * The live daemons (spec/access.md 6.4): none, since consumers of the table's stream do the work of Rucio's daemons.
 *
 * @throws AccessDenied (401).
 */
export async function listHeartbeats(context: Context): Promise<Heartbeat[]> {
  await authorize(context, 'list_heartbeats', undefined);
  return [];
}
