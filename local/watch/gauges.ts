import { Gauge, Registry } from 'prom-client';

import { clock } from '../../lib/clock.ts';
import type { Store } from '../../lib/store/open-store.ts';
import type { ServerCertificate } from '../certificate.ts';
import { readLastBackup } from '../last-backup.ts';
import { RuleCounts } from './count-rules.ts';
import type { DiskSpace } from './disk-space.ts';
import { measureLag } from './stream-lag.ts';

/** What the metrics of a server tell besides its requests. */
export interface Watched {
  readonly store: Store;
  /** The disk of the data folder; absent: in memory. */
  readonly disk?: DiskSpace | undefined;
  /** The database of the embedded engine, and the folder with the positions of its readers. */
  readonly data?: { readonly path: string; readonly folder: string } | undefined;
  readonly certificate?: ServerCertificate | undefined;
  /** The last results of jobs. */
  readonly results: () => readonly WatchedJob[];
}

/** The last result of a job; times in milliseconds since 1970. */
export interface WatchedJob {
  readonly name: string;
  readonly command: string;
  readonly endedAt: number;
  readonly code: number | null;
  readonly wellAt?: number;
}

/** The metrics of one server, measured when they are asked for. */
export function openGauges({ store, disk, data, certificate, results }: Watched): Registry {
  const registry = new Registry();
  const add = (name: string, help: string, collect: (gauge: Gauge) => void | Promise<void>, labels: string[] = []) =>
    new Gauge({
      name: `dapple_${name}`,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        await collect(this);
      },
    });
  const rules = new RuleCounts(store);
  add(
    'rules',
    'Rules by state, counted within the last minutes',
    async (gauge) => {
      gauge.reset();
      for (const [state, count] of await rules.read()) gauge.set({ state }, count);
    },
    ['state'],
  );
  const ofJobs = (read: (job: WatchedJob) => number | undefined) => (gauge: Gauge) => {
    for (const job of results()) {
      const value = read(job);
      if (value !== undefined) gauge.set({ job: job.name, command: job.command }, value);
    }
  };
  const labels = ['job', 'command'];
  const inSeconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1_000);
  add(
    'job_end_timestamp_seconds',
    'End of the last run of a job',
    ofJobs(({ endedAt }) => inSeconds(endedAt)),
    labels,
  );
  add(
    'job_success_timestamp_seconds',
    'End of the last run that was well',
    ofJobs(({ wellAt }) => inSeconds(wellAt)),
    labels,
  );
  add(
    'job_failed',
    '1 if the last run of a job failed or found something',
    ofJobs(({ code }) => (code === 0 ? 0 : 1)),
    labels,
  );
  if (disk !== undefined) {
    add('disk_free_bytes', 'Free space of the disk of the data folder', (gauge) => gauge.set(disk.space.free));
    add('disk_size_bytes', 'Size of the disk of the data folder', (gauge) => gauge.set(disk.space.size));
    add('disk_reserve_bytes', 'Free space below which nothing is stored', (gauge) => gauge.set(disk.reserve));
    add('disk_refusing', '1 while requests that store something are refused', (gauge) =>
      gauge.set(disk.refusal === undefined ? 0 : 1),
    );
  }
  if (data !== undefined) {
    add('last_backup_timestamp_seconds', 'Begin of the last export or backup of everything', (gauge) => {
      const at = readLastBackup(data.folder);
      if (at !== undefined) gauge.set(at / 1_000);
    });
    const lags = (read: (lag: { seconds: number; records: number }) => number) => (gauge: Gauge) => {
      for (const [reader, lag] of measureLag(data.path, data.folder, clock.now())) gauge.set({ reader }, read(lag));
    };
    add(
      'stream_lag_seconds',
      'Age of the first change that is not followed',
      lags(({ seconds }) => seconds),
      ['reader'],
    );
    add(
      'stream_lag_records',
      'Changes that are not followed',
      lags(({ records }) => records),
      ['reader'],
    );
  }
  if (certificate !== undefined) {
    add('certificate_end_timestamp_seconds', 'End of the certificate of TLS', (gauge) =>
      gauge.set(certificate.endsAt / 1_000),
    );
  }
  return registry;
}
