import type { MoveRun } from '../lib/background/leased-batch.ts';
import { moveData } from '../lib/background/move-data.ts';
import { clock } from '../lib/clock.ts';
import { functionRun, openStreamMover } from '../lib/domain/requests/open-movers.ts';
import { openStore } from '../lib/store/open-store.ts';

const store = openStore();

/** It has no folders, and no copies that take longer than its life. */
const movers = [openStreamMover([], functionRun)];

/** Never aborted: the platform gives no notice. A copy under way is due again when its lease ends. */
const { signal } = new AbortController();

/** Runs on a schedule: copies between S3 and WebDAV what is due to RSEs with the attribute `mover=stream`. */
export async function handler(_event: unknown, { awsRequestId }: { readonly awsRequestId: string }): Promise<MoveRun> {
  const { beginMs, copyMs } = functionRun;
  const holder = `stream-data ${awsRequestId}`;
  return moveData(store.begin(), { movers, holder, until: clock.now() + beginMs, copyMs, signal });
}
