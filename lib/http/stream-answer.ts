import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

import { env } from '../env.ts';
import { clientLeftError } from './client-left.ts';
import type { GatewayAnswer } from './exchange.ts';

/** Interface of Lambda's runtime for functions that stream. */
interface StreamingRuntime {
  streamifyResponse<H>(handler: H): H;
  readonly HttpResponseStream: { from(stream: Writable, head: Omit<GatewayAnswer, 'body'>): Writable };
}

const runtime = () => (globalThis as unknown as { readonly awslambda: StreamingRuntime }).awslambda;

/** Turns a handler that returns its answer into one that streams it. */
export function streamAnswers<Event, Context>(
  handler: (event: Event, context: Context) => Promise<GatewayAnswer>,
): (event: Event, stream: Writable, context: Context) => Promise<void> {
  return runtime().streamifyResponse(async (event: Event, stream: Writable, context: Context) => {
    const { body, ...head } = await handler(event, context);
    const answer = begin(stream, head);
    // Status and headers leave with the first write, however long the body lets wait.
    answer.write('');
    if (typeof body === 'string') answer.write(body === '' && env.fillsEmptyStreams ? lineFeed : body);
    else await copy(body, answer);
    await new Promise<void>((resolve, reject) => {
      answer.once('error', reject);
      answer.end(resolve);
    });
  });
}

/**
 * The body in place of an empty one. A front end leaves it out of an answer to HEAD, as it does with the bodies of the many functions
 * that know no HEAD.
 */
const lineFeed = '\n';

/**
 * Gives a stream its status and headers. The runtime would also set a media type of its own, which API Gateway does not need
 * (AWS documents the same prelude written by hand), and which is reported to break answers over HTTP/2.
 */
function begin(stream: Writable, head: Omit<GatewayAnswer, 'body'>): Writable {
  if (!env.marksStreams) Object.assign(stream, { setContentType: () => {} });
  return runtime().HttpResponseStream.from(stream, head);
}

/**
 * Copies a body. If it fails, the error is thrown and the answer stays open: the runtime then delivers what was written, and marks
 * the answer as failed. A destroyed answer would end the process of the function, since the runtime does not expect it.
 */
async function copy(body: Readable, answer: Writable): Promise<void> {
  const gone = new AbortController();
  const leave = (error?: Error) => {
    gone.abort();
    body.destroy(error ?? clientLeftError());
  };
  answer.once('error', leave).once('close', leave);
  if (answer.destroyed) leave();
  for await (const chunk of body) {
    if (!answer.write(chunk)) await once(answer, 'drain', { signal: gone.signal });
  }
  answer.off('close', leave);
}
