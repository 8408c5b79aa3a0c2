import { setTimeout as sleep } from 'node:timers/promises';

import { clock } from '../../clock.ts';
import { unavailable } from '../../errors.ts';
import type { Collision } from '../items/plan.ts';
import { abortAbandoned } from './abort.ts';
import { foldingTimeMs, foldItem } from './fold.ts';
import type { Writer } from './writer.ts';

/**
 * Waits until the batch of a conflict is settled. A batch whose writer is gone is aborted, or folded, right here.
 *
 * @param until Time in milliseconds at which the wait ends.
 * @throws DatabaseException (503) when the wait has timed out.
 */
export async function waitForBatch(writer: Writer, collision: Collision, until: number): Promise<void> {
  const { batch, key } = collision;
  for (let waited = false; ; waited = true) {
    const verdict = await writer.batches.verdict(batch);
    if (verdict.state === 'committed') {
      if (verdict.at < clock.now() - foldingTimeMs) await foldItem(writer, batch, key);
      else if (!waited) await pause();
      return;
    }
    if (verdict.state === 'aborted' || verdict.deadline < clock.now()) {
      await abortAbandoned(writer, batch, key);
      return;
    }
    if (clock.now() > until) throw unavailable(collision);
    await pause();
  }
}

/** Waits a little; the length is random, so that several that wait for one batch do not go on together. */
const pause = () => sleep(20 + Math.random() * 60);
