import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { requireAllowedHost } from './allowed-hosts.ts';

/** One port, open on both loopback addresses. */
export interface Listener {
  readonly port: number;
  /** Closes the port. Open requests may finish within `graceMs`; later ones are aborted. */
  close(graceMs?: number): Promise<void>;
}

/** Answers input that is not valid HTTP, such as too long headers. */
export type ClientErrorListener = (error: NodeJS.ErrnoException, socket: Duplex) => void;

/** Longer than the connection pools of clients: a request must not meet a connection that is being closed. */
const keepAliveTimeoutMs = 75_000;

/** A request that has not arrived by then is answered 408. */
const requestTimeoutMs = 60_000;

/** How a port answers besides its listener. */
export interface ListenOptions {
  /** Without it, Node answers. */
  readonly onClientError?: ClientErrorListener;
  /** Another address beside loopback; `0.0.0.0` and `::` include it. */
  readonly address?: string | undefined;
  /** Names other than those of loopback that a request may have as `Host`. */
  readonly hosts?: readonly string[] | undefined;
}

/**
 * Opens a port on 127.0.0.1 and, where the machine has IPv6, on ::1, since `localhost` means either.
 *
 * @param port 0 for any free one.
 * @throws Error that names the remedy when the port is taken or forbidden.
 */
export async function listen(
  port: number,
  answer: RequestListener,
  { onClientError, hosts = [], address }: ListenOptions = {},
): Promise<Listener> {
  if (address === '0.0.0.0' || address === '::') {
    const server = await open(port, address, requireAllowedHost(answer, hosts), onClientError);
    return listenerOf(server);
  }
  const listener = requireAllowedHost(answer, address === undefined ? hosts : [...hosts, address]);
  const first = await open(port, '127.0.0.1', listener, onClientError);
  const actual = (first.address() as AddressInfo).port;
  const servers = [first];
  try {
    servers.push(await open(actual, '::1', listener, onClientError));
  } catch (error) {
    const absent = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '');
    // A port that the system chose need not be reachable as `localhost`.
    if (!absent && port !== 0) {
      first.close();
      throw makeListenError(error, port);
    }
  }
  if (address !== undefined) {
    servers.push(
      await open(actual, address, listener, onClientError).catch(async (error: unknown) => {
        for (const server of servers) server.close();
        throw new Error(`The address ${address} cannot be listened on: ${String(error)}`, { cause: error });
      }),
    );
  }
  return listenerOf(first, ...servers.slice(1));
}

function listenerOf(first: Server, ...others: readonly Server[]): Listener {
  return {
    port: (first.address() as AddressInfo).port,
    close: async (graceMs = 2_000) => {
      await Promise.all([first, ...others].map((server) => closeServer(server, graceMs)));
    },
  };
}

async function open(
  port: number,
  host: string,
  listener: RequestListener,
  onClientError: ClientErrorListener | undefined,
): Promise<Server> {
  const server = createServer(
    { keepAliveTimeout: keepAliveTimeoutMs, requestTimeout: requestTimeoutMs, noDelay: true },
    listener,
  );
  if (onClientError !== undefined) server.on('clientError', onClientError);
  server.listen({ port, host });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw host === '::1' ? error : makeListenError(error, port);
  }
  return server;
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(force);
}

function makeListenError(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} is taken by another program. Choose another one, such as ${port + 1}`);
  if (code === 'EACCES')
    return new Error(`Port ${port} is reserved for privileged programs. Choose another one, such as 8080`);
  return error;
}
