import { clock } from '../../lib/clock.ts';
import { Engine } from '../engine/src/engine.ts';
import type { Answer, GetRecordsInput, RecordsPage, Transport } from '../engine/src/transport.ts';

/** The operations that a thread carries out itself: they read items or streams, and need nothing but the database. */
const readingOperations = new Set([
  'BatchGetItem',
  'DescribeStream',
  'GetItem',
  'GetRecords',
  'Query',
  'Scan',
  'TransactGetItems',
]);

/**
 * The engine of a worker thread: it reads from the database itself, and sends everything else to the engine of the main
 * thread. It sees every commit that was answered before it reads.
 *
 * @param path The database file.
 */
export function openReadingEngine(path: string, main: Transport): Transport {
  const reader = new Engine({ path, readOnly: true, clock: () => clock.now() });
  return {
    send: (operation: string, body: string): Promise<Answer> =>
      (readingOperations.has(operation) ? reader : main).send(operation, body),
    // Text is copied to another thread faster than an object.
    sendInput: (operation: string, input: object): Promise<Answer> =>
      readingOperations.has(operation)
        ? reader.sendInput(operation, input)
        : main.send(operation, JSON.stringify(input)),
    readRecords: (input: GetRecordsInput): Promise<RecordsPage> => reader.readRecords(input),
  };
}
