import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** One port, open on both loopback addresses. */
export interface Listener {
  readonly port: number;
  /** Ends within `graceMilliseconds`: open requests may finish until then, and are broken off after. */
  close(graceMilliseconds?: number): Promise<void>;
}

/** Answers what cannot be read as HTTP, such as headers that are too long. */
export type ClientErrorListener = (error: NodeJS.ErrnoException, socket: Duplex) => void;

/** Longer than any client's pool keeps a connection: a request must not meet one that is being closed. */
const keepAliveTimeout = 75_000;

/**
 * Opens a port on 127.0.0.1 and, where the machine has IPv6, on ::1, since `localhost` means either.
 *
 * @param port 0 for any free one.
 * @param onClientError without it, Node answers.
 * @throws Error that names the remedy when the port is taken or forbidden.
 */
export async function listen(
  port: number,
  listener: RequestListener,
  onClientError?: ClientErrorListener,
): Promise<Listener> {
  const first = await open(port, '127.0.0.1', listener, onClientError);
  const actual = (first.address() as AddressInfo).port;
  const servers = [first];
  try {
    servers.push(await open(actual, '::1', listener, onClientError));
  } catch (error) {
    const absent = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '');
    // With a port of its own choice nobody was promised that `localhost` is us.
    if (!absent && port !== 0) {
      first.close();
      throw explain(error, port);
    }
  }
  return {
    port: actual,
    close: async (grace = 2_000) => {
      await Promise.all(servers.map((server) => closeServer(server, grace)));
    },
  };
}

async function open(
  port: number,
  host: string,
  listener: RequestListener,
  onClientError: ClientErrorListener | undefined,
): Promise<Server> {
  const server = createServer({ keepAliveTimeout, noDelay: true }, listener);
  if (onClientError !== undefined) server.on('clientError', onClientError);
  server.listen({ port, host });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw host === '127.0.0.1' ? explain(error, port) : error;
  }
  return server;
}

async function closeServer(server: Server, grace: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), grace);
  await closed;
  clearTimeout(force);
}

function explain(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const remedy = 'Choose another one, for example: npm start -- --port';
  if (code === 'EADDRINUSE') return new Error(`Port ${port} is taken by another program. ${remedy} ${port + 1}`);
  if (code === 'EACCES') return new Error(`Port ${port} is reserved for privileged programs. ${remedy} 8080`);
  return error;
}
