import { lfnToPfn } from '../../../lib/domain/rses/pfn/lfn-to-pfn.ts';
import type { FileDid } from '../../../lib/store/entities/did.ts';
import type { Rse } from '../../../lib/store/entities/rse.ts';
import type { RucioRequest } from './requests-of.ts';

/** Replicas registered by one request. */
const replicasPerRequest = 500;

/** Collects new replicas by RSE, and makes requests of them. */
export class ReplicaRequests {
  readonly #rses: ReadonlyMap<string, Rse>;
  readonly #write: (request: RucioRequest) => Promise<void>;
  readonly #waiting = new Map<string, object[]>();

  /** @param rses All RSEs by id. */
  constructor(rses: ReadonlyMap<string, Rse>, write: (request: RucioRequest) => Promise<void>) {
    this.#rses = rses;
    this.#write = write;
  }

  /** Adds the replicas of a file that were made since a time, in milliseconds, and are there. */
  async add(file: FileDid, since: number): Promise<void> {
    for (const [rseId, { state, createdAt, path }] of file.replicas) {
      const rse = this.#rses.get(rseId);
      if (rse === undefined || state !== 'A' || (createdAt ?? file.createdAt) < since) continue;
      const { scope, name, bytes, adler32, md5, columns } = file;
      const pfn = path === undefined ? undefined : lfnToPfn(rse, file, { domain: 'wan', operation: 'read' }, path);
      const replica = { scope, name, bytes, adler32, md5, meta: columns, ...(pfn === undefined ? {} : { pfn }) };
      const waiting = this.#waiting.get(rse.rse) ?? [];
      waiting.push(replica);
      this.#waiting.set(rse.rse, waiting);
      if (waiting.length === replicasPerRequest) await this.#send(rse.rse, waiting);
    }
  }

  /** Makes requests of the replicas that still wait. */
  async end(): Promise<void> {
    for (const [rse, waiting] of this.#waiting) await this.#send(rse, waiting);
  }

  async #send(rse: string, files: readonly object[]): Promise<void> {
    this.#waiting.delete(rse);
    await this.#write({ method: 'POST', path: '/replicas', body: { rse, files, ignore_availability: true } });
  }
}
