import { putOffUnknown } from '../lib/background/lease-copies.ts';
import type { MoveRun } from '../lib/background/leased-batch.ts';
import { moveData } from '../lib/background/move-data.ts';
import { clock } from '../lib/clock.ts';
import { openMovers } from '../lib/domain/requests/open-movers.ts';
import { openStore } from '../lib/store/open-store.ts';

const store = openStore();

/** How long a run begins copies, and how long each may take; together less than the function may run. */
const [beginMs, copyMs] = [240_000, 600_000];

/** Never aborted: the platform gives no notice. A copy under way is due again when its lease ends. */
const { signal } = new AbortController();

/** Runs on a schedule: lets storages make the copies that are due to RSEs with the attribute `mover`. */
export async function handler(_event: unknown, { awsRequestId }: { readonly awsRequestId: string }): Promise<MoveRun> {
  const holder = `move-data ${awsRequestId}`;
  const movers = openMovers();
  const [run] = await Promise.all([
    moveData(store.begin(), { movers, holder, until: clock.now() + beginMs, copyMs, signal }),
    putOffUnknown(
      store,
      movers.map(({ name }) => name),
      holder,
    ),
  ]);
  return run;
}
