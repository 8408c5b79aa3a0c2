import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Polling interval for running requests. */
const pollIntervalMs = 2;

/**
 * Counts the running requests. They share one processor with the reactions to changes, for which no client waits.
 * Without priority, a request after a bulk load would be as slow as the reactions to that load.
 */
export class Traffic {
  #underWay = 0;

  /** Counts a request until its answer is sent or its client has disconnected. */
  count(response: ServerResponse): void {
    this.#underWay += 1;
    response.once('close', () => {
      this.#underWay -= 1;
    });
  }

  /** Waits until no request runs, for some milliseconds at most. */
  async waitForRequests(milliseconds: number): Promise<void> {
    for (const end = performance.now() + milliseconds; this.#underWay > 0 && performance.now() < end;) {
      await sleep(pollIntervalMs, undefined, { ref: false });
    }
  }
}
