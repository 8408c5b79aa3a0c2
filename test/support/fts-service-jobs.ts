import type { StorageExchange } from './serve-storage.ts';

/** A job, as it was submitted, and what became of it. */
export interface FtsServiceJob {
  readonly files: readonly Readonly<Record<string, unknown>>[];
  readonly params: Readonly<Record<string, unknown>>;
  /** Of its only file. */
  state: string;
  reason?: string | undefined;
  /** The size that was copied; that of the submission by default. */
  filesize?: number;
  /** State of the destination when it was looked at (`dst_file_report`). */
  present?: object;
  /** The state of the job itself, if it does not follow from that of the file, and the reason. */
  jobState?: string;
  jobReason?: string;
}

/** The state of a server. */
export interface FtsState {
  readonly baseId: string;
  token: string;
  /** The VO of the caller, from which the ids of jobs follow. */
  vo: string;
  /** Whether it takes no second job to a destination (`CheckDuplicates`). */
  readonly refusesDuplicates: boolean;
  /** Whether it brings files from tape, and to tape, with tokens, as servers since 3.14 do. */
  readonly takesTokensForTape: boolean;
  readonly jobs: Map<string, FtsServiceJob>;
  readonly archived: Map<string, FtsServiceJob>;
  /** Storages that are banned, as `davs://host`. */
  readonly banned: Set<string>;
  /** The statuses with which jobs are answered instead of with themselves. */
  readonly statuses: Map<string, string>;
}

/** One job in an answer. */
export interface JobEntry {
  readonly job_id: string;
  readonly http_status: string;
  readonly [field: string]: unknown;
}

const finalStates: ReadonlySet<string> = new Set(['FINISHED', 'FAILED', 'CANCELED', 'FINISHEDDIRTY', 'NOT_USED']);

/** The ids in a path. */
export const idsOf = (path: string): string[] => path.slice('/jobs/'.length).split(',').filter(Boolean);

/** A job with the fields of its files that the query names. */
export function describeJob(state: FtsState, id: string, { query }: StorageExchange): JobEntry {
  return withJob(state, id, (job) => {
    const wanted = query.get('files')?.split(',');
    const files = filesOf(job).map((file) =>
      Object.fromEntries(Object.entries(file).filter(([field]) => wanted?.includes(field))),
    );
    return entryOf(id, job, '200 Ok', wanted === undefined ? {} : { files });
  });
}

/** Cancels a job. Files that wait for tokens stay as they are. */
export function deleteJob(state: FtsState, id: string): JobEntry {
  return withJob(state, id, (job) => {
    if (finalStates.has(jobStateOf(job))) return entryOf(id, job, '304 Not Modified');
    const reason = 'Job canceled by the user';
    Object.assign(job, { jobState: 'CANCELED', jobReason: reason });
    if (job.state !== 'TOKEN_PREP') Object.assign(job, { state: 'CANCELED', reason });
    return entryOf(id, job, '200 Ok');
  });
}

/** Changes the priority of a job. */
export function modifyJob(state: FtsState, id: string, { body }: StorageExchange): JobEntry {
  return withJob(state, id, (job) => {
    if (finalStates.has(jobStateOf(job))) return entryOf(id, job, '304 Not Modified');
    const { params } = JSON.parse(body.toString()) as Pick<FtsServiceJob, 'params'>;
    Object.assign(job.params, params);
    return entryOf(id, job, '200 Ok');
  });
}

/** A job of the archive. */
export function describeArchived({ archived }: FtsState, id: string) {
  const job = archived.get(id);
  if (job !== undefined) return { status: 200, content: { ...entryOf(id, job, undefined), files: filesOf(job) } };
  const message = `No job with the id "${id}" has been found in the archive`;
  return { status: 404, content: { status: '404 Not Found', message } };
}

function withJob({ jobs, statuses }: FtsState, id: string, describe: (job: FtsServiceJob) => JobEntry): JobEntry {
  const status = statuses.get(id);
  if (status !== undefined) return { job_id: id, http_status: status, http_message: `Not enough for "${id}"` };
  const job = jobs.get(id);
  const message = `No job with the id "${id}" has been found`;
  return job === undefined ? { job_id: id, http_status: '404 Not Found', http_message: message } : describe(job);
}

const jobStateOf = ({ jobState, state }: FtsServiceJob) => jobState ?? (state === 'TOKEN_PREP' ? 'SUBMITTED' : state);

function entryOf(id: string, job: FtsServiceJob, status: string | undefined, more: object = {}): JobEntry {
  return {
    job_id: id,
    job_state: jobStateOf(job),
    job_metadata: job.params['job_metadata'],
    priority: job.params['priority'],
    reason: job.jobReason ?? null,
    ...more,
    ...(status === undefined ? {} : { http_status: status }),
  } as JobEntry;
}

function filesOf(job: FtsServiceJob) {
  const isOver = job.state === 'FINISHED';
  return job.files.map((file) => ({
    file_state: job.state,
    reason: job.reason ?? null,
    filesize: isOver ? (job.filesize ?? file['filesize']) : null,
    source_surl: (file['sources'] as readonly string[])[0],
    start_time: null,
    finish_time: null,
    file_metadata: {
      ...(file['metadata'] as object),
      ...(job.present !== undefined && job.params['dst_file_report'] === true ? { dst_file: job.present } : {}),
    },
  }));
}
