import { parentPort, workerData } from 'node:worker_threads';

import { startArithmetic } from './arithmetic.ts';

/*
 * Reckons in a thread of its own, so that the processor time of the service is the service's alone. It is told `begin`,
 * `take`, and `idle` in answer to its own question; it says where it is, what it has reckoned, and asks `idle?`.
 */

const { endpoint, tableName } = workerData as { endpoint: string; tableName: string };
const port = parentPort;
if (port === null) throw new Error('this is a worker of test/bench/measure.ts');

let told = Promise.withResolvers<void>();
const isIdle = () => {
  port.postMessage('idle?');
  return told.promise;
};
const arithmetic = await startArithmetic(endpoint, tableName, isIdle);
port.on('message', (message: 'begin' | 'take' | 'idle') => {
  if (message === 'idle') {
    told.resolve();
    told = Promise.withResolvers();
  } else if (message === 'begin') {
    arithmetic.begin();
    port.postMessage({ begun: true });
  } else port.postMessage({ taken: arithmetic.take() });
});
port.postMessage({ at: arithmetic.endpoint });
