import { parentPort, workerData } from 'node:worker_threads';

import { startArithmetic } from './arithmetic.ts';

/** Reckons in a thread of its own, so that the processor time of the service is the service's alone. */
const { endpoint, tableName } = workerData as { endpoint: string; tableName: string };
const arithmetic = await startArithmetic(endpoint, tableName);
parentPort?.on('message', () => parentPort?.postMessage(arithmetic.take()));
parentPort?.postMessage(arithmetic.endpoint);
