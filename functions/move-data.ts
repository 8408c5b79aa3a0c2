import { putOffUnknown } from '../lib/background/lease-copies.ts';
import type { MoveRun } from '../lib/background/leased-batch.ts';
import { moveData } from '../lib/background/move-data.ts';
import { clock } from '../lib/clock.ts';
import { functionRun, namesOfMovers, openMovers } from '../lib/domain/requests/open-movers.ts';
import { env } from '../lib/env.ts';
import { openStore } from '../lib/store/open-store.ts';

const store = openStore();

/** Never aborted: the platform gives no notice. A copy under way is due again when its lease ends. */
const { signal } = new AbortController();

/** Runs on a schedule: lets storages make the copies that are due to RSEs with the attribute `mover`. */
export async function handler(_event: unknown, { awsRequestId }: { readonly awsRequestId: string }): Promise<MoveRun> {
  const holder = `move-data ${awsRequestId}`;
  const movers = openMovers();
  const { beginMs, copyMs } = functionRun;
  const [run] = await Promise.all([
    moveData(store.begin(), { movers, holder, until: clock.now() + beginMs, copyMs, signal }),
    putOffUnknown(store, namesOfMovers(movers, env.isStreaming), holder),
  ]);
  return run;
}
