/*
 * Runs in a fresh process: loads a bundle, handles one event, and prints the time of both.
 *
 *     node first-request.ts <bundle> <event as JSON, or nothing>
 */
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** Times of a fresh process in milliseconds. */
export interface FirstRequest {
  readonly load: number;
  /** The part of `load` that the main thread has computed; other work on the machine does not lengthen it. */
  readonly loadCpu: number;
  /** The same of the first event, after loading; absent without one. */
  readonly request?: number;
  readonly requestCpu?: number;
  /** Of an event of the gateway. */
  readonly status?: number;
}

type Handler = (event: unknown, ...rest: unknown[]) => Promise<unknown>;

let status: number | undefined;
const streaming = new WeakSet<object>();
Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: object) => {
      streaming.add(handler);
      return handler;
    },
    HttpResponseStream: {
      from: (stream: PassThrough, metadata: { statusCode: number }) => {
        status = metadata.statusCode;
        return stream;
      },
    },
  },
});

// Lambda's own runtime has loaded it; the SDK does so for engines without TLS only, as DynamoDB Local.
await import('node:http');
const cpu = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
const [file = '', event] = process.argv.slice(2);
const [begun, cpuBefore] = [performance.now(), cpu()];
const { handler } = (await import(file)) as { handler: Handler };
const [loaded, cpuAfter] = [performance.now(), cpu()];
if (event !== undefined) await handle(JSON.parse(event));
const figures: FirstRequest = {
  load: loaded - begun,
  loadCpu: cpuAfter - cpuBefore,
  ...(event === undefined ? {} : { request: performance.now() - loaded, requestCpu: cpu() - cpuAfter }),
  ...(status === undefined ? {} : { status }),
};
console.log(JSON.stringify(figures));

async function handle(given: unknown): Promise<void> {
  const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 60_000 };
  if (!streaming.has(handler)) {
    await handler(given, context);
    return;
  }
  const stream = new PassThrough();
  await Promise.all([handler(given, stream, context), buffer(stream)]);
}
