import type { ClientOptions } from '../../lib/store/items/client.ts';
import { serveEngine } from '../../local/engine/src/endpoint.ts';
import {
  type Fault,
  type FaultyTransport,
  throttled as throttledError,
  transactionCancelled,
  withFaults,
} from '../../local/engine/src/testing/faults.ts';
import type { Transport } from '../../local/engine/src/transport.ts';
import { clientOf } from '../../local/open-engine.ts';

export type { Fault, ChooseFault } from '../../local/engine/src/testing/faults.ts';

/** A real engine behind a transport in which a test injects faults. */
export interface FaultyEngine extends FaultyTransport {
  /** Options of SDK clients that use it. */
  readonly client: ClientOptions;
}

/** Puts a transport that can fail in front of an engine. */
export function newFaultyEngine({ transport }: { readonly transport: Transport }): FaultyEngine {
  const line = withFaults(transport);
  return { ...line, client: clientOf(line) };
}

/** The same for other processes: a DynamoDB endpoint on loopback. */
export interface ServedEngine extends FaultyEngine {
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Puts a transport that can fail in front of an engine and serves it. */
export async function serveFaultyEngine(engine: { readonly transport: Transport }): Promise<ServedEngine> {
  const line = newFaultyEngine(engine);
  const listener = await serveEngine(line, 0);
  return { ...line, endpoint: `http://127.0.0.1:${listener.port}`, close: () => listener.close(0) };
}

/** The connection breaks before the engine has seen the request. */
export const hangUp: Fault = { kind: 'hang up' };

/** A request exceeds the throughput of a partition or the account. */
export const throttled: Fault = { kind: 'refuse', error: throttledError };

/** A transaction conflicted with another one at its first item. */
export const transactionConflict: Fault = {
  kind: 'refuse',
  error: transactionCancelled(['TransactionConflict', 'None']),
};
