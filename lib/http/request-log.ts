import { Readable } from 'node:stream';

import { log } from '../log.ts';
import { currentMeter } from '../store/items/meter.ts';
import type { Edge, EdgeRequest } from './exchange.ts';

/** Where a path holds what may be a secret: the value of an option that is set by its path. */
const secretInPath = /^(\/config\/[^/]+\/[^/]+\/).+/;

/**
 * Writes one record per request, when its answer has been handed over: who called what, with which outcome, and what
 * it cost the table. Headers, queries and bodies stay out: they carry tokens and passwords.
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
      const record = {
        requestId: exchange.http.id,
        method: exchange.http.method,
        path: exchange.http.path.replace(secretInPath, '$1...'),
        operation: exchange.match?.id,
        account: exchange.issuer?.account,
        status: response?.statusCode ?? 500,
        milliseconds: Math.round(performance.now() - (started.get(event) ?? 0)),
        ...currentMeter()?.total(),
      };
      // Who listens to events leaves when it likes; what fails there is said in event-stream.ts.
      const listens = exchange.match?.route.answer.kind === 'events';
      if (broken !== undefined && !listens) log.error('answer broken off', { ...record, error: broken });
      else if (record.status >= 500) log.error('request failed', { ...record, error: error ?? undefined });
      else log.info('request', record);
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
