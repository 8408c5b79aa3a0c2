import { acceptsSize, type CopyEnds, isSamePlace, type StorageRse } from '../mover.ts';
import { PassingFailure, type Patience, usualPatience } from '../repeat.ts';
import type { Submission, ToolJob, ToolState, TransferTool } from '../transfer-tool.ts';
import { FtsClient, type FtsJob } from './fts-client.ts';
import { computeJobId } from './job-id.ts';

/** The tokens of an RSE: that for FTS itself, and that for its storage. */
export interface FtsTokens {
  readonly fts: string | undefined;
  readonly storage: string | undefined;
}

/** What the tool needs. */
export interface FtsSettings {
  readonly findTokens: (rse: StorageRse) => Promise<FtsTokens>;
  readonly patience?: Patience;
}

/** Jobs that one request asks about, or cancels. */
const maxJobsPerRequest = 100;

/**
 * Lets an FTS3 server copy: the first that the attribute `fts` of the destination names, as in Rucio. Each file is a job of its
 * own, whose id follows from the attempt, so that FTS refuses to make it twice.
 */
export class FtsTool implements TransferTool {
  readonly name = 'fts';
  readonly schemes = ['davs', 'https', 'root', 'srm', 'gsiftp'];
  readonly #settings: FtsSettings;
  /** Who the caller is, by server and RSE. */
  readonly #callers = new Map<string, ReturnType<FtsClient['whoAmI']>>();

  constructor(settings: FtsSettings) {
    this.#settings = settings;
  }

  findObstacle({ source, destination }: CopyEnds): string | undefined {
    const { rse, pfn } = destination;
    if (isSamePlace(source, destination)) return `${pfn} is the same file as its source.`;
    return findHost(rse) === undefined ? `The attribute fts of ${rse.rse} names no server.` : undefined;
  }

  async submit(job: ToolJob, signal: AbortSignal): Promise<Submission> {
    const { rse } = job.destination;
    const host = findHost(rse);
    if (host === undefined) throw new Error(`The attribute fts of ${rse.rse} names no server.`);
    const client = await this.#open(host, rse, signal);
    const id = computeJobId(await this.#whoAmI(client, host, rse), job.attemptId);
    const body = await this.#describe(job);
    try {
      if ((await client.submit(body)) !== undefined) return { host, id };
    } catch (error) {
      // It may have been submitted. Whoever asks about it learns that.
      if (error instanceof PassingFailure) return { host, id };
      throw error;
    }
    if ((await client.find([id])).length > 0) return { host, id };
    throw new Error(`FTS has another job to ${job.destination.pfn}.`);
  }

  async poll(host: string, ids: readonly string[], to: StorageRse, signal: AbortSignal) {
    const client = await this.#open(host, to, signal);
    const states = new Map<string, ToolState>(ids.map((id) => [id, { state: 'unknown' }]));
    for (const some of inRequests(ids)) {
      for (const job of await client.find(some)) states.set(job.job_id, readState(job));
    }
    return states;
  }

  async prioritize({ host, id }: Submission, priority: number, to: StorageRse, signal: AbortSignal): Promise<void> {
    const client = await this.#open(host, to, signal);
    await client.prioritize(id, priority);
  }

  async cancel(host: string, ids: readonly string[], to: StorageRse, signal: AbortSignal): Promise<void> {
    const client = await this.#open(host, to, signal);
    for (const some of inRequests(ids)) await client.cancel(some);
  }

  async #open(host: string, rse: StorageRse, signal: AbortSignal): Promise<FtsClient> {
    const { fts: token } = await this.#settings.findTokens(rse);
    if (token === undefined) throw new Error(`There is no fts_token in the credentials of ${rse.rse}.`);
    return new FtsClient(host, { token, signal, patience: this.#settings.patience ?? usualPatience });
  }

  /** Asks who the caller is, once for each RSE: their tokens may differ. */
  async #whoAmI(client: FtsClient, host: string, { id }: StorageRse) {
    const key = `${host} ${id}`;
    const asked = this.#callers.get(key) ?? client.whoAmI();
    this.#callers.set(key, asked);
    try {
      return await asked;
    } catch (error) {
      this.#callers.delete(key);
      throw error;
    }
  }

  /** The body of a submission. */
  async #describe(job: ToolJob): Promise<object> {
    const { source, destination, did, bytes, adler32, md5, activity, attemptId } = job;
    const [from, to] = await Promise.all([source.rse, destination.rse].map((rse) => this.#settings.findTokens(rse)));
    const tokens =
      from?.storage === undefined || to?.storage === undefined
        ? {}
        : { source_tokens: [from.storage], destination_tokens: [to.storage] };
    const file = {
      sources: [source.pfn],
      destinations: [destination.pfn],
      metadata: {
        request_id: attemptId,
        ...did,
        activity,
        src_rse: source.rse.rse,
        dst_rse: destination.rse.rse,
        filesize: bytes,
        adler32,
        md5,
      },
      filesize: bytes,
      checksum: adler32 === undefined ? md5 && `MD5:${md5}` : `ADLER32:${adler32}`,
      selection_strategy: 'auto',
      activity,
      ...tokens,
    };
    const params = {
      verify_checksum: whereVerified(source.rse, destination.rse),
      overwrite: job.replaces,
      priority: job.priority,
      job_metadata: { issuer: 'rucio', multi_sources: false },
      id_generator: 'deterministic',
      sid: attemptId,
    };
    return { files: [file], params };
  }
}

/** Where FTS compares checksums, as Rucio asks it to: with both, those of the ends with each other and with the catalogue's. */
function whereVerified(source: StorageRse, destination: StorageRse): 'both' | 'source' | 'target' | 'none' {
  if (acceptsSize(destination)) return acceptsSize(source) ? 'none' : 'source';
  return acceptsSize(source) ? 'target' : 'both';
}

/** The first server of an RSE, without a slash at its end. */
function findHost({ attributes }: StorageRse): string | undefined {
  const { fts } = attributes;
  const [first = ''] = typeof fts === 'string' ? fts.trim().split(',') : [];
  return /^https?:\/\/[^/\s]/.test(first) ? first.trim().replace(/\/+$/, '') : undefined;
}

function* inRequests(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += maxJobsPerRequest) yield ids.slice(start, start + maxJobsPerRequest);
}

/** What a job and its only file tell. */
function readState({ files = [], priority }: FtsJob): ToolState {
  const [file] = files;
  switch (file?.file_state) {
    case undefined:
      return { state: 'unknown' };
    case 'FINISHED':
      return { state: 'done' };
    case 'FAILED':
    case 'CANCELED':
    case 'NOT_USED':
      return { state: 'failed', reason: `FTS: ${file.reason ?? file.file_state}` };
    default:
      return { state: 'running', priority: priority ?? undefined };
  }
}
