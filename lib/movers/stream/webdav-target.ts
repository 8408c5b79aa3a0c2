import type { Integer } from '../../integer.ts';
import { ContentSum, type SummedContent } from '../content-sum.ts';
import { type Leftovers, partName } from '../leftovers.ts';
import type { CopyJob, CopyResult } from '../mover.ts';
import { putContent } from '../put-content.ts';
import { readText } from '../read-answer.ts';
import type { RetryPolicy } from '../retry-policy.ts';
import type { StorageRequest } from '../send-http.ts';
import { makeFolders } from '../webdav/make-folders.ts';
import { type WebdavClient, WebdavError } from '../webdav/webdav-client.ts';
import { WebdavCopy } from '../webdav/webdav-copy.ts';
import { deleteLeftovers } from '../webdav/webdav-leftovers.ts';
import type { WebdavPlace } from '../webdav/webdav-place.ts';
import type { ContentSource } from './content.ts';

/** A copy through this process to a WebDAV server. */
export interface WebdavUpload {
  readonly job: CopyJob;
  readonly client: WebdavClient;
  readonly to: WebdavPlace;
  readonly source: ContentSource;
  /** Reads the source, whose size is known, from a byte on. */
  readonly read: (bytes: Integer, start: number) => AsyncIterable<Uint8Array>;
  readonly sum: (bytes: Integer) => Promise<SummedContent>;
  readonly leftovers: Leftovers;
  readonly retryPolicy: RetryPolicy;
  readonly signal: AbortSignal;
}

/** Copies a file to a WebDAV server by PUT under a temporary name, which is checked and then moved. */
export async function copyToWebdav(upload: WebdavUpload): Promise<CopyResult> {
  const { job, client, to, source, retryPolicy, signal } = upload;
  let bytes = job.bytes;
  const requireSize = () => {
    if (bytes === undefined) throw new Error(`The storage does not tell the size of ${source.pfn}.`);
    return bytes;
  };
  await deleteLeftovers(upload);
  return new WebdavCopy(job, {
    client,
    to,
    source: {
      head: async (withSums) => {
        const found = await source.head(withSums);
        bytes ??= found?.bytes;
        return found;
      },
      hasSibling: (name) => source.hasSibling(name),
      sum: () => upload.sum(requireSize()),
    },
    transfer: async (temporary) => {
      try {
        return await put(temporary, requireSize(), upload);
      } catch (error) {
        if (!(error instanceof WebdavError) || ![403, 404, 409].includes(error.status)) throw error;
        await makeFolders(client, to, job.destination.prefix);
        return put(temporary, requireSize(), upload);
      }
    },
    temporaryName: (count) => partName(to.url, `${job.id}-${count}`),
    retryPolicy,
    signal,
  }).make();
}

/** Sends the content once. @returns Its sums. */
async function put(temporary: WebdavPlace, bytes: Integer, upload: WebdavUpload): Promise<SummedContent> {
  const { client, read, retryPolicy, signal } = upload;
  let sum = new ContentSum();
  async function* summed(): AsyncGenerator<Uint8Array> {
    // A redirection asks for the content anew.
    sum = new ContentSum();
    for await (const chunk of read(bytes, 0)) {
      sum.update(chunk);
      yield chunk;
    }
  }
  const send = ({ url, headers, signal: ending }: StorageRequest) =>
    putContent({ url, headers, bytes: Number(bytes), content: summed(), retryPolicy, signal: ending });
  const { answer } = await client.open({ ...temporary, method: 'PUT', send }, signal);
  await readText(answer, temporary.url, signal);
  return sum.digest();
}
