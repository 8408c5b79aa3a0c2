import type { RequestListener } from 'node:http';

import { openStore } from '../../lib/store/open-store.ts';
import { listen } from '../engine/src/listen.ts';
import type { Front } from '../front.ts';
import type { GatewayOptions } from '../gateway.ts';
import type { LocalEngine } from '../open-engine.ts';
import type { Settings } from '../options.ts';
import { serveMetrics } from '../request-metrics.ts';
import { DiskSpace, type Space } from './disk-space.ts';
import { openGauges, type WatchedJob } from './gauges.ts';
import { openStoring } from './refuse-writes.ts';
import { besideMetrics } from './serve-metrics.ts';

/** What watches a server. */
export interface Watch {
  /** Refuses requests for which there is no space. */
  readonly refuse: NonNullable<GatewayOptions['refuse']>;
  /** Answers `/metrics` beside an interface. */
  readonly beside: (served: RequestListener) => RequestListener;
  /** Opens the port of the metrics, if they have one; returns how to close it. */
  readonly open: () => Promise<() => Promise<void>>;
  /** Adds the results of jobs to the metrics. */
  readonly addJobs: (jobs: WatchedJobs) => void;
  /** Says that the disk is full or nearly so. */
  readonly diskProblem: () => string | undefined;
  readonly stop: () => void;
}

/** Jobs with their last results. */
export interface WatchedJobs {
  readonly results: readonly WatchedJob[];
}

/** The server that is watched. */
interface WatchOptions {
  readonly tableName: string;
  readonly engine: LocalEngine;
  readonly dataDir: string | undefined;
  readonly options: Partial<Pick<Settings, 'metricsPort' | 'metricsTokenFile' | 'minFree' | 'hosts'>> & {
    readonly measureDisk?: (folder: string) => Space;
  };
  readonly front: Front;
  readonly say: (line: string) => void;
}

/** The interval at which the disk is looked at while nobody asks. */
const lookMs = 60_000;

/** Watches the disk of a server, and measures how it is. */
export function openWatch({ tableName, engine, dataDir, options, front, say }: WatchOptions): Watch {
  const { metricsPort, metricsTokenFile, minFree, hosts, measureDisk } = options;
  const disk =
    dataDir === undefined ? undefined : new DiskSpace({ folder: dataDir, reserve: minFree, say, measure: measureDisk });
  disk?.look();
  const timer = setInterval(() => disk?.look(), lookMs).unref();
  const isStoring = openStoring();
  const data = engine.path === undefined || dataDir === undefined ? undefined : { path: engine.path, folder: dataDir };
  const store = openStore({ tableName, ...engine.client });
  let jobs: WatchedJobs = { results: [] };
  const gauges = openGauges({ store, disk, data, certificate: front.certificate, results: () => jobs.results });
  const metrics = serveMetrics(gauges);
  return {
    refuse: (...request) => {
      const refusal = disk?.refusal;
      return refusal !== undefined && isStoring(...request) ? refusal : undefined;
    },
    beside: (served) =>
      besideMetrics(metrics, served, { hasOwnPort: metricsPort !== undefined, tokenFile: metricsTokenFile }),
    open: async () => {
      if (metricsPort === undefined) return async () => {};
      const listener = await listen(metricsPort, metrics, { hosts });
      say(`metrics http://localhost:${listener.port}/metrics`);
      return async () => listener.close(0);
    },
    addJobs: (added) => (jobs = added),
    diskProblem: () => disk?.problem,
    stop: () => clearInterval(timer),
  };
}
