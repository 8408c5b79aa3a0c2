import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often it is looked whether requests are still under way. */
const lookMilliseconds = 2;

/**
 * The requests that are under way. They share one processor with the reactions to changes, which no client waits for: a
 * request behind a bulk load would otherwise be as slow as the reactions to that load.
 */
export class Traffic {
  #underWay = 0;

  /** Counts a request until its answer is out or its client has left. */
  count(response: ServerResponse): void {
    this.#underWay += 1;
    response.once('close', () => {
      this.#underWay -= 1;
    });
  }

  /** Waits until the server is quiet, at most for some milliseconds. */
  async letPass(milliseconds: number): Promise<void> {
    for (const end = performance.now() + milliseconds; this.#underWay > 0 && performance.now() < end;) {
      await sleep(lookMilliseconds, undefined, { ref: false });
    }
  }
}
