import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An answer of DynamoDB that the real engine does not give on demand. */
export interface Fault {
  readonly status: number;
  readonly body: object;
}

/** Decides what becomes of a request: a fault, or undefined to let the engine answer. */
export type Sabotage = (operation: string, input: Record<string, unknown>) => Fault | 'hang up' | undefined;

/** A real engine behind a line that can fail. */
export interface FaultyEngine {
  readonly endpoint: string;
  /** Replaces the sabotage. */
  sabotage(sabotage: Sabotage): void;
  close(): void;
}

/** Puts a line that can fail in front of an engine. */
export async function startFaultyEngine(engine: string): Promise<FaultyEngine> {
  let sabotage: Sabotage = () => undefined;
  const target = new URL(engine);
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing));
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await text(incoming);
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    const fault = sabotage(operation, JSON.parse(body) as Record<string, unknown>);
    if (fault === 'hang up') {
      incoming.socket.destroy();
      return;
    }
    if (fault !== undefined) {
      outgoing.writeHead(fault.status, { 'Content-Type': 'application/x-amz-json-1.0' });
      outgoing.end(JSON.stringify(fault.body));
      return;
    }
    const { hostname, port } = target;
    const { method, url, headers } = incoming;
    const forwarded = request({ hostname, port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.end(body);
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sabotage: (next) => {
      sabotage = next;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** DynamoDB's answer when a request goes over what a partition or the account may do. */
export const throttled: Fault = {
  status: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
    message: 'The level of configured provisioned throughput for the table was exceeded.',
  },
};

/** DynamoDB's answer when a transaction met another one. */
export const transactionConflict: Fault = {
  status: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    message: 'Transaction cancelled',
    CancellationReasons: [
      { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
      { Code: 'None' },
    ],
  },
};
