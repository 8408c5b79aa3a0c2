import { channel } from 'node:diagnostics_channel';
import { Readable } from 'node:stream';

import { env } from '../env.ts';
import { log } from '../log.ts';
import { operationMetrics } from '../metric.ts';
import { type Cost, currentMeter } from '../store/items/meter.ts';
import { clientLeft } from './client-left.ts';
import type { Edge, EdgeRequest } from './exchange.ts';

/** Record of a request. */
export type RequestRecord = Partial<Cost> & {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** Undefined: no route. */
  readonly operation: string | undefined;
  readonly account: string | undefined;
  readonly status: number;
  readonly milliseconds: number;
};

/** Publishes the {@link RequestRecord} of every answered request, for a program that runs functions in its process. */
export const finishedRequests = channel('dapple.requests');

/** The part of a path that may be a secret: the value in `PUT /config/{section}/{option}/{value}`. */
const secretInPath = /^(\/config\/[^/]+\/[^/]+\/).+/;

/**
 * Writes one record per request after its answer was sent: who called what, the outcome, and the cost in table units.
 * Headers, queries and bodies are left out because they carry tokens and passwords.
 */
export function requestLog(): Edge {
  const started = new WeakMap<object, number>();

  const start = ({ event }: EdgeRequest) => {
    started.set(event, performance.now());
  };

  const finish = (request: EdgeRequest) => {
    const { event, error, response } = request;
    const { exchange } = request.context;
    const write = (broken?: Error) => {
      const record: RequestRecord = {
        requestId: exchange.http.id,
        method: exchange.http.method,
        path: exchange.http.path.replace(secretInPath, '$1...'),
        operation: exchange.match?.id,
        account: exchange.issuer?.account,
        status: response?.statusCode ?? 500,
        milliseconds: Math.round(performance.now() - (started.get(event) ?? 0)),
        ...currentMeter()?.total(),
      };
      finishedRequests.publish(record);
      const entry = env.countsRequests ? { ...record, ...operationMetrics(record) } : record;
      // A client may end an event stream at any time; event-stream.ts logs real errors.
      const isEventStream = exchange.match?.route.answer.kind === 'events';
      if (broken?.name === clientLeft && !isEventStream) log.info('request', { ...entry, interrupted: true });
      else if (broken !== undefined && !isEventStream) log.error('answer broken off', { ...entry, error: broken });
      else if (record.status >= 500) log.error('request failed', { ...entry, error: error ?? undefined });
      else log.info('request', entry);
    };
    const body = response?.body;
    if (!(body instanceof Readable)) {
      write();
      return;
    }
    let failure: Error | undefined;
    body.once('error', (cause) => {
      failure = cause;
    });
    body.once('close', () => write(failure));
  };

  return { before: start, after: finish, onError: finish };
}
