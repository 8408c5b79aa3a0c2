import { text } from 'node:stream/consumers';

import { meterRequest } from '../store/items/meter.ts';
import type { Edge, EdgeRequest } from './exchange.ts';
import { readEvent } from './request.ts';

/** Reads the event and starts the cost meter of the request. */
export function openExchange(): Edge {
  const open = (request: EdgeRequest) => {
    request.context.exchange = { http: readEvent(request.event) };
    meterRequest();
  };
  return { before: open };
}

/**
 * Where the platform cannot stream, the answer is collected first. An error in the middle of a list is then an ordinary
 * error answer.
 */
export function collectBody(): Edge {
  const collect = async ({ response }: EdgeRequest) => {
    if (response && typeof response.body !== 'string') response.body = await text(response.body);
  };
  return { after: collect };
}

/** Answers HEAD as GET, without the body. The rest of a list is not read. */
export function omitBodyOfHead(): Edge {
  const omit = ({ context, response }: EdgeRequest) => {
    if (context.exchange.http.method !== 'HEAD' || !response) return;
    if (typeof response.body !== 'string') response.body.destroy();
    response.body = '';
  };
  return { after: omit };
}
