import type { CopiedContent } from '../mismatch.ts';
import { openInTime, readParts } from '../read-answer.ts';
import { type RetryPolicy, TransientError } from '../retry-policy.ts';
import type { S3Client } from '../s3/s3-client.ts';
import { siblingOf, type S3Place } from '../s3/s3-object.ts';
import type { WebdavClient } from '../webdav/webdav-client.ts';
import { besideOf, type WebdavPlace } from '../webdav/webdav-place.ts';
import type { ContentSource } from './content.ts';

/** The source of a copy by its PFN, and how long it may be silent. */
interface HttpEnd {
  readonly pfn: string;
  readonly retryPolicy: RetryPolicy;
}

/** An object of an S3 service as the source of a copy: the same from the beginning to the end. */
export function s3Source(client: S3Client, place: S3Place, { pfn, retryPolicy }: HttpEnd): ContentSource {
  let etag: string | undefined;
  return {
    pfn,
    head: async () => {
      const facts = await client.head(place);
      etag = facts?.etag;
      return facts;
    },
    hasSibling: async (name) => (await client.head(siblingOf(place, name))) !== undefined,
    read: (start, signal) => {
      const condition: Record<string, string> = etag === undefined || etag === '' ? {} : { 'If-Match': etag };
      const open = (ending: AbortSignal) => client.get(place, { ...rangeOf(start), ...condition }, ending);
      return readFrom(start, open, { url: place.origin, retryPolicy, signal });
    },
  };
}

/** A file of a WebDAV server as the source of a copy. */
export function webdavSource(client: WebdavClient, place: WebdavPlace, { pfn, retryPolicy }: HttpEnd): ContentSource {
  return {
    pfn,
    head: (withSums): Promise<CopiedContent | undefined> => client.head(place, withSums),
    hasSibling: async (name) => (await client.head(besideOf(place, name), false)) !== undefined,
    read: (start, signal) => {
      const headers = { 'Accept-Encoding': 'identity', ...rangeOf(start) };
      const open = async (ending: AbortSignal) =>
        (await client.open({ ...place, method: 'GET', headers }, ending)).answer;
      return readFrom(start, open, { url: place.url, retryPolicy, signal });
    },
  };
}

const rangeOf = (start: number): Record<string, string> => (start === 0 ? {} : { Range: `bytes=${start}-` });

/** Reads an answer from a byte of the file on. A server that knows no ranges sends what comes before as well. */
async function* readFrom(
  start: number,
  open: (signal: AbortSignal) => Promise<Response>,
  reading: { readonly url: string; readonly retryPolicy: RetryPolicy; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  // The answer ends with its reader.
  const ending = new AbortController();
  const signal = AbortSignal.any([reading.signal, ending.signal]);
  try {
    const answer = await openInTime(open, { ...reading, signal });
    let skipped = start;
    if (answer.status === 206) {
      const from = Number(/^bytes (\d+)-/.exec(answer.headers.get('content-range') ?? '')?.[1] ?? start);
      if (from !== start)
        throw new TransientError(`${new URL(reading.url).host} sends another range than was asked for`);
      skipped = 0;
    }
    for await (const part of readParts(answer, { ...reading, signal })) {
      const rest = part.subarray(Math.min(skipped, part.length));
      skipped -= part.length - rest.length;
      if (rest.length > 0) yield rest;
    }
  } finally {
    ending.abort(new TransientError('the reader has gone'));
  }
}
