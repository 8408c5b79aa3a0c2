import { hash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';

import { sendJson } from '../answer-sink.ts';
import { byOrigin } from '../beyond-loopback.ts';

/** Who may read the metrics at the port of the interface. */
export interface MetricsReaders {
  /** They have a port of their own. */
  readonly hasOwnPort: boolean;
  /** The file with the token that readers present; absent: none is needed. */
  readonly tokenFile?: string | undefined;
}

const isMetrics = ({ url = '' }: IncomingMessage) => /^\/metrics\/?(?:\?|$)/.test(url);

/**
 * Answers `/metrics` beside an interface, to those who may read them: with a token whoever has it, with a port of their own
 * nobody here, and else processes of this machine.
 *
 * @throws Error if the token cannot be read, or is short.
 */
export function besideMetrics(
  metrics: RequestListener,
  served: RequestListener,
  { hasOwnPort, tokenFile }: MetricsReaders,
): RequestListener {
  const readers =
    tokenFile === undefined ? (hasOwnPort ? served : byOrigin(metrics, served)) : byToken(metrics, tokenFile);
  return (request, response) => (isMetrics(request) ? readers : served)(request, response);
}

/** Shorter tokens could be tried out. */
const minTokenLength = 16;

function byToken(metrics: RequestListener, file: string): RequestListener {
  const token = readFileSync(file, 'utf8').trim();
  if (token.length < minTokenLength)
    throw new Error(`${file} is to hold a token of ${minTokenLength} characters or more.`);
  const wanted = hash('sha256', `Bearer ${token}`, 'buffer');
  return (request, response) => {
    const given = hash('sha256', request.headers.authorization ?? '', 'buffer');
    if (timingSafeEqual(wanted, given)) metrics(request, response);
    else sendJson(response, 401, { message: 'The metrics need a token' }, { 'WWW-Authenticate': 'Bearer' });
  };
}
