import { parentPort, workerData } from 'node:worker_threads';

import type { APIGatewayProxyEvent } from 'aws-lambda';

import { shareInvalidations } from '../../lib/cache.ts';
import { clock } from '../../lib/clock.ts';
import { finishedRequests, type RequestRecord } from '../../lib/http/request-log.ts';
import { parseNamed } from '../../lib/json-names.ts';
import { setClientDefaults } from '../../lib/store/items/client.ts';
import { defineLambdaRuntime, type Handler } from '../lambda-runtime.ts';
import { clientOf } from '../open-engine.ts';
import { loadFunction, runHere } from '../run-function.ts';
import { knowFolder } from '../watch/know-folder.ts';
import { AnswerRelay } from './answer-relay.ts';
import { MainEngine } from './main-engine.ts';
import type { ToMain, ToWorker, WorkerSettings } from './messages.ts';
import { openReadingEngine } from './reading-engine.ts';

/*
 * A worker thread of the local server: runs functions that only read, as another instance of them would on Lambda. Its
 * environment is that of the main thread.
 */

if (parentPort === null) throw new Error('this module is a worker thread');
const port = parentPort;
const post = (message: ToMain) => port.postMessage(message);

const { path, invalidations } = workerData as WorkerSettings;
shareInvalidations(invalidations);
defineLambdaRuntime();
knowFolder(path);

finishedRequests.subscribe((record) => post({ kind: 'finished', record: record as RequestRecord }));

const main = new MainEngine(post);
setClientDefaults(clientOf(openReadingEngine(path, main)));

const handlers = new Map<string, Promise<Handler>>();
const relays = new Map<number, AnswerRelay>();
const run = runHere(async (group) => {
  const handler = handlers.get(group) ?? loadFunction(group);
  handlers.set(group, handler);
  return handler;
});

async function answer(request: number, group: string, event: string): Promise<void> {
  const relay = new AnswerRelay((parts) => post({ kind: 'parts', request, parts }));
  relays.set(request, relay);
  const failure = await run(group, parseNamed(event) as APIGatewayProxyEvent, relay).catch((error: unknown) => error);
  relay.flush();
  relays.delete(request);
  post({ kind: 'ran', request, ...(failure === undefined ? {} : { failure: describe(failure) }) });
}

function describe(failure: unknown): string {
  return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
}

port.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'run':
      clock.observe(message.time);
      void answer(message.request, message.group, message.event);
      break;
    case 'taken':
      relays.get(message.request)?.take(message.bytes);
      break;
    case 'left':
      relays.get(message.request)?.close();
      break;
    case 'operated':
      main.receive(message);
      break;
  }
});
post({ kind: 'ready' });
