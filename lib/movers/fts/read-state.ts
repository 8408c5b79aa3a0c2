import type { PresentFile, ToolState } from '../transfer-tool.ts';
import { type FtsEntry, type FtsJob, readPresentFile } from './fts-answers.ts';

/** The states of jobs that are over. */
const finalJobStates: ReadonlySet<string> = new Set(['FINISHED', 'FINISHEDDIRTY', 'FAILED', 'CANCELED']);

/** The state of a copy according to an entry; undefined: the entry does not say. */
export function readState({ status, job }: FtsEntry): ToolState | undefined {
  if (status === 404) return { state: 'unknown' };
  return status >= 400 || job === undefined ? undefined : readJob(job);
}

/** The state of a job by that of its only file, and by its own: a job that is over may leave a file that never began. */
function readJob(job: FtsJob): ToolState {
  const [file] = job.files ?? [];
  switch (file?.file_state) {
    case 'FINISHED':
      return { state: 'done', bytes: readSize(file.filesize) };
    case 'FAILED':
    case 'CANCELED':
    case 'NOT_USED': {
      const reason = file.reason ?? job.reason ?? file.file_state;
      return { state: 'failed', reason: `FTS: ${reason}`, present: readObstruction(reason, file.file_metadata) };
    }
    default:
      return finalJobStates.has(job.job_state)
        ? { state: 'failed', reason: `FTS: ${job.reason ?? job.job_state}` }
        : { state: 'running', priority: job.priority ?? undefined };
  }
}

/** The file because of which a copy was not begun. */
function readObstruction(reason: string, metadata: unknown): PresentFile | undefined {
  const found = /destination file exists/i.test(reason) ? readPresentFile(metadata) : undefined;
  if (found === undefined) return undefined;
  const kind = found.checksum_type?.toLowerCase();
  const value = found.checksum_value?.toLowerCase();
  return {
    bytes: readSize(found.file_size),
    adler32: kind === 'adler32' ? value?.padStart(8, '0') : undefined,
    md5: kind === 'md5' ? value : undefined,
    isOnTape: found.file_on_tape === true,
  };
}

function readSize(value: number | null | undefined): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
