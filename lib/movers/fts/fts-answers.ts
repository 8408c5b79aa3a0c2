import * as z from 'zod/mini';

const whoami = z.object({ base_id: z.string(), vos: z.array(z.string()), method: z.optional(z.string()) });

const uuid = z.string().check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i));
const submitted = z.object({ job_id: uuid });

const maybe = <T extends z.core.SomeType>(type: T) => z.optional(z.nullable(type));

const presentFile = z.object({
  file_size: maybe(z.number()),
  checksum_type: maybe(z.string()),
  checksum_value: maybe(z.string()),
  file_on_tape: maybe(z.boolean()),
});
const file = z.object({
  file_state: z.string(),
  reason: maybe(z.string()),
  filesize: maybe(z.number()),
  file_metadata: z.unknown(),
});
const job = z.object({
  job_id: z.string(),
  job_state: z.string(),
  reason: maybe(z.string()),
  priority: maybe(z.number()),
  files: maybe(z.array(file)),
});
/** A job, as FTS tells its state. */
export type FtsJob = z.output<typeof job>;
/** A file that FTS has found at the destination. */
export type FtsPresentFile = z.output<typeof presentFile>;

const withPresentFile = z.object({ dst_file: presentFile });

/** The identity of the caller at FTS; undefined: the answer does not come from FTS. */
export function readCaller(content: unknown) {
  const { data } = z.safeParse(whoami, content);
  return data === undefined
    ? undefined
    : { baseId: data.base_id, vo: data.method === 'unauthenticated' ? undefined : data.vos[0] };
}

/** The id of a job that was submitted; undefined: the answer names none. */
export function readSubmittedId(content: unknown): string | undefined {
  return z.safeParse(submitted, content).data?.job_id;
}

/** The entry of one of several jobs in an answer of FTS, with a status as in HTTP. */
export interface FtsEntry {
  readonly id: string;
  readonly status: number;
  readonly message: string;
  /** Absent: it could not be read. */
  readonly job: FtsJob | undefined;
}

const entry = z.object({ job_id: z.string(), http_status: maybe(z.string()), http_message: maybe(z.string()) });

/** The entries of an answer about one job or several; what names no job is left out. */
export function readEntries(content: unknown): FtsEntry[] {
  return [content].flat().flatMap((one) => {
    const { data } = z.safeParse(entry, one);
    if (data === undefined) return [];
    const status = Number.parseInt(data.http_status ?? '200', 10);
    const message = data.http_message ?? data.http_status ?? '';
    return [{ id: data.job_id, status, message, job: z.safeParse(job, one).data }];
  });
}

/** The file that was at the destination (`dst_file_report`). */
export function readPresentFile(metadata: unknown): FtsPresentFile | undefined {
  return z.safeParse(withPresentFile, metadata).data?.dst_file;
}

const refusal = z.object({ message: z.string() });

/** The longest message of FTS that is kept, in characters. */
const maxMessageLength = 300;

/** The message of FTS for a request that it refuses. */
export function readMessage(text: string, content: unknown): string {
  const { message = text } = z.safeParse(refusal, content).data ?? {};
  const [first] = readEntries(content);
  return (first?.message ?? message).replaceAll(/\s+/g, ' ').trim().slice(0, maxMessageLength);
}
