/** Measures a soak, minute by minute. */
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { countItems } from './database.ts';
import type { Model } from './model.ts';
import { type Measured, type Site, sizeOf } from './site.ts';
import { findGrowth, quantile } from './trend.ts';
import type { Tally } from './user.ts';

/** Tolerance of growth between the second and the last quarter of the last life. */
const bounds = {
  memory: { part: 0.15, amount: 20 },
  heap: { part: 0.2, amount: 20 },
  descriptors: { part: 0, amount: 10 },
};
const columns = [
  'minute',
  'acts',
  'requests',
  'errors',
  'repeated',
  'p50 ms',
  'p95 ms',
  'cores',
  'RSS MB',
  'heap MB',
  'fds',
  'database MB',
  'WAL MB',
  'items',
  'item MB',
  'files MB',
  'datasets',
  'behind',
  'waiting',
] as const;

interface Watched {
  readonly site: Site;
  readonly model: Model;
  readonly tally: Tally;
}

/** Prints a row each interval, and keeps the samples of the present life. */
export class Watcher {
  readonly #watched: Watched;
  acts = 0;
  /** Samples of the present life. */
  #life: Measured[] = [];
  #times: number[] = [];
  #processorTime = 0;
  #seconds = 0;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /** The server has begun a new life. */
  beginLife(): void {
    this.#life = [];
  }

  /** Measures until a time. */
  async watch(endAt: number, intervalMs: number): Promise<void> {
    const { site } = this.#watched;
    console.log(columns.join(' | '));
    let [beforeAt, before] = [performance.now(), site.processorTime()];
    const beganAt = beforeAt;
    while (performance.now() < endAt) {
      await sleep(intervalMs);
      const now = await this.#measure();
      // Between two lives.
      if (now === undefined) continue;
      this.#life.push(now);
      const [at, used] = [performance.now(), site.processorTime()];
      const cores = ((used - before) * 1_000) / (at - beforeAt);
      [beforeAt, before] = [at, used];
      this.#processorTime = used;
      this.#seconds = (at - beganAt) / 1_000;
      console.log(this.#row(now, cores).join(' | '));
    }
  }

  async #measure(): Promise<Measured | undefined> {
    try {
      return await this.#watched.site.measure();
    } catch {
      return undefined;
    }
  }

  #row(now: Measured, cores: number): string[] {
    const { site, model, tally } = this.#watched;
    const { times } = tally;
    tally.times = [];
    this.#times.push(...times);
    const items = countItems(site.database);
    const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
    const sizeOfFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    return [
      (this.#seconds / 60).toFixed(1),
      String(this.acts),
      String(tally.count),
      tally.describeErrors(),
      String(tally.repeated),
      quantile(times, 0.5).toFixed(0),
      quantile(times, 0.95).toFixed(0),
      cores.toFixed(2),
      now.memory.toFixed(0),
      now.heap.toFixed(0),
      String(now.descriptors),
      megabytes(sizeOfFile(site.database)),
      megabytes(sizeOfFile(`${site.database}-wal`)),
      String(items.items),
      megabytes(items.bytes),
      megabytes(sizeOf(site.storage())),
      String(model.living.length),
      String(now.behind),
      String(now.waiting),
    ];
  }

  /** The measures that grew in the present life beyond their tolerance. */
  growth(): string[] {
    return (['memory', 'heap', 'descriptors'] as const).flatMap((what) => {
      const samples = this.#life.map((sample) => sample[what]);
      const growth = findGrowth(samples, bounds[what]);
      return growth === undefined ? [] : [`${what} of the last life ${growth}`];
    });
  }

  /** The sums of the whole soak. */
  describe(): string {
    const { site, model, tally } = this.#watched;
    const files = model.datasets.reduce((sum, dataset) => sum + dataset.files.length, 0);
    const statuses = Array.from(tally.statuses, ([status, count]) => `${status}: ${count}`).join(', ');
    return [
      `${this.acts} acts, ${model.datasets.length} datasets with ${files} files, ${model.living.length} of them live`,
      `${tally.count} requests, answers ${statuses}; ${tally.repeated} repeated; ${model.refused} rules refused by quotas`,
      `p50 ${quantile(this.#times, 0.5).toFixed(0)} ms, p95 ${quantile(this.#times, 0.95).toFixed(0)} ms`,
      `${site.lives} lives, ${site.jobsDone} jobs done; ${(this.#processorTime / this.#seconds).toFixed(2)} cores on average`,
    ].join('\n');
  }
}
