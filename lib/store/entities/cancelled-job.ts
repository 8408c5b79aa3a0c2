import type { Table } from '../batches/table.ts';
import type { Change, Insert } from '../items/plan.ts';
import { attributesReader, isText } from '../items/read-attributes.ts';
import { transferKeys } from '../keys/transfer-keys.ts';

/** A job of a transfer tool whose copy nobody wants any more (docs/adr/0019-transfers-and-movers.md). */
export interface CancelledJob {
  /** The destination, whose credentials the tool wants. */
  readonly rseId: string;
  /** The address of the tool. */
  readonly host: string;
  /** The id of the job at the tool. */
  readonly id: string;
}

/** How long a job is worth cancelling: transfer tools give up earlier. */
const keptMs = 7 * 86_400_000;

/** The jobs to an RSE that are to be cancelled. */
export async function* listCancelledJobs(table: Table, rseId: string): AsyncGenerator<CancelledJob> {
  for await (const item of table.query({ pk: transferKeys.cancelledJobs(rseId) }))
    yield { rseId, ...readCancelledJob(item) };
}

/** The write that asks for a job to be cancelled; `onExists` makes the error if that is asked already. */
export function insertCancelledJob(job: CancelledJob, now: number, onExists: () => Error): Insert {
  const { host, id } = job;
  const ttl = Math.ceil((now + keptMs) / 1_000);
  return { kind: 'insert', item: { ...transferKeys.cancelledJob(job), host, id, ttl }, onExists };
}

/** The write that deletes the request to cancel a job; `onMismatch` makes the error if there is none. */
export function deleteCancelledJob(job: CancelledJob, onMismatch: () => Error): Change {
  return { kind: 'change', key: transferKeys.cancelledJob(job), patch: { delete: true }, onMismatch };
}

const readCancelledJob = attributesReader<Omit<CancelledJob, 'rseId'>>({ host: isText, id: isText });
