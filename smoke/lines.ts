import type { Line } from './line.ts';
import { clock, ping } from './lines/arrive.ts';
import { bodies } from './lines/bodies.ts';
import { certificate } from './lines/certificate.ts';
import { http1, http2, parallel, pause } from './lines/connections.ts';
import { ownOrigin, strangers } from './lines/cross-origin.ts';
import { emptyLists, emptyWrites, head, notModified } from './lines/empty.ts';
import { gzip, noGzip } from './lines/encodings.ts';
import { health, status } from './lines/health.ts';
import { logIn, wrongPassword } from './lines/log-in.ts';
import { longList } from './lines/long-list.ts';
import { names, oddNames } from './lines/names.ts';
import { cleanUp, prepare } from './lines/prepare.ts';
import { events, liveEvents, rule } from './lines/reactions.ts';

/** The lines of the smoke test, in their order. `clean-up` is always the last one. */
export const lines: readonly Line[] = [
  ping,
  health,
  clock,
  logIn,
  wrongPassword,
  certificate,
  http1,
  prepare,
  http2,
  emptyWrites,
  emptyLists,
  head,
  notModified,
  gzip,
  noGzip,
  strangers,
  ownOrigin,
  names,
  oddNames,
  ...bodies,
  parallel,
  longList,
  rule,
  events,
  liveEvents,
  status,
  pause,
  cleanUp,
];
