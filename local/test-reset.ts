import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import { forgetCaches } from '../lib/cache.ts';
import { sendJson } from './answer-sink.ts';
import type { LocalEngine } from './open-engine.ts';
import type { Traffic } from './traffic.ts';

/** Where tests reset the catalogue. A page of another site cannot send the header without being asked before. */
const resetPath = '/test/reset';
const resetHeader = 'x-dapple-reset';

/** Time for requests that run to end. */
const graceMs = 2_000;

/** Parts of the server that a reset stops, rewinds and starts again. */
interface ResetParts {
  readonly engine: LocalEngine;
  readonly traffic: Traffic;
  /** Starts the background work; returns how to stop it. */
  readonly prepare: () => Promise<() => Promise<void>>;
}

/** A catalogue in memory that tests take back to its first state. */
export interface Resettable {
  /** Answers `POST /test/reset`; other requests go to `answer`, after a reset that is under way. */
  readonly guard: (answer: RequestListener) => RequestListener;
  /** Stops the background work. */
  readonly stop: () => Promise<void>;
}

/**
 * Prepares a catalogue and keeps its state, to which each reset takes it back: tables, stream and caches. Tokens stay valid.
 *
 * @throws Error if the engine keeps its data.
 */
export async function openResettable({ engine, traffic, prepare }: ResetParts): Promise<Resettable> {
  const { state } = engine;
  if (state === undefined) throw new Error('Only a catalogue in memory can be reset: add `--in-memory`.');
  let stop = await prepare();
  state.keep();
  let running: Promise<void> | undefined;

  const reset = async () => {
    await traffic.waitForRequests(graceMs);
    await stop();
    state.restore();
    forgetCaches();
    stop = await prepare();
  };
  const answerReset = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST') return sendJson(response, 405, { message: 'Use POST' }, { Allow: 'POST' });
    // No page may reset it, whatever it is allowed to send.
    if (request.headers[resetHeader] === undefined || request.headers.origin !== undefined) {
      return sendJson(response, 403, { message: `Send the header ${resetHeader}: yes` });
    }
    const begun = performance.now();
    running = (running ?? Promise.resolve()).catch(() => {}).then(reset);
    const own = running;
    try {
      await own;
      sendJson(response, 200, { milliseconds: Math.round(performance.now() - begun) });
    } catch (error) {
      console.error('the catalogue could not be reset:', error);
      sendJson(response, 500, { message: String(error) });
    } finally {
      if (running === own) running = undefined;
    }
  };

  return {
    guard: (answer) => (request, response) => {
      if (request.url === resetPath) void answerReset(request, response);
      else if (running === undefined) answer(request, response);
      else void running.catch(() => {}).then(() => answer(request, response));
    },
    stop: async () => stop(),
  };
}
