import { join } from 'node:path';

import { clock } from '../lib/clock.ts';
import type { ClientOptions } from '../lib/store/items/client.ts';
import { TableProtocol } from '../lib/store/items/table-protocol.ts';
import { dataFile } from './data-folder.ts';
import { lockData } from './data-lock.ts';
import { Engine } from './engine/src/engine.ts';
import { openHttpTransport } from './engine/src/http-transport.ts';
import { engineClientOptions } from './engine/src/request-handler.ts';
import type { Transport } from './engine/src/transport.ts';
import { readUpTo } from './stream-position.ts';

/** An engine for clients on this machine. */
export interface LocalEngine {
  readonly transport: Transport;
  /** How clients of the SDK reach the engine. */
  readonly client: ClientOptions;
  /** Calls a listener when streams may have more records, and returns how to unsubscribe. Absent: poll instead. */
  readonly subscribe?: (listener: () => void) => () => void;
  /** The database of the embedded engine, which other threads can read; absent: in memory, or an external engine. */
  readonly path?: string;
  /** Keeps the state of an engine in memory, and goes back to it; absent where data is kept, or elsewhere. */
  readonly state?: { keep(): void; restore(): void };
  /** Closes the engine and unlocks the data folder. Idempotent. */
  close(): void;
}

/**
 * Opens the embedded engine.
 *
 * @param dataDir Folder that keeps the data between starts; absent: in memory.
 * @param url Where this process serves the data, if it does.
 * @throws Error with a remedy if the folder is locked, or has data of another version.
 */
export function openEngine(dataDir?: string, url?: string): LocalEngine {
  const lock = dataDir === undefined ? undefined : lockData(dataDir, url);
  try {
    const file = dataDir === undefined ? {} : { path: join(dataDir, dataFile) };
    const engine = new Engine({
      ...file,
      clock: () => clock.now(),
      readUpTo: (streamArn) => readUpTo(dataDir, streamArn),
    });
    // Nothing gets a date before the latest one that is stored, even if the clock of the machine is behind.
    clock.observe(engine.latestTime);
    return {
      ...file,
      transport: engine,
      client: clientOf(engine),
      subscribe: (listener) => engine.subscribe(listener),
      ...(dataDir === undefined
        ? { state: { keep: () => engine.keepState(), restore: () => engine.restoreState() } }
        : {}),
      close: () => {
        engine.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The data folder ${dataDir ?? ''} cannot be opened: ${reason}. To keep what another version wrote, take an export ` +
        'with that version and load it with this one. Or choose another folder with `--data <folder>`, or delete this ' +
        'one to start anew.',
      { cause: error },
    );
  }
}

/** Connects to an external engine on this machine, such as AWS's DynamoDB Local. */
export function connectEngine(endpoint: string): LocalEngine {
  const transport = openHttpTransport(endpoint);
  return { transport, client: { endpoint }, close: () => transport.close() };
}

/** How clients of the SDK reach an engine without HTTP. Requests are not signed, since nothing checks signatures. */
export function clientOf(transport: Transport): ClientOptions {
  return { ...engineClientOptions(transport), protocol: TableProtocol };
}
