import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';

import { requireAllowedHost, type AllowedHosts } from './allowed-hosts.ts';

/** One port, open on both loopback addresses. */
export interface Listener {
  readonly port: number;
  /** Closes the port. Open requests may finish within `graceMs`; later ones are aborted. */
  close(graceMs?: number): Promise<void>;
  /** Uses another certificate for new connections; of a port without TLS: does nothing. */
  renew(tls: SecureContextOptions): void;
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
  readonly hosts?: AllowedHosts | undefined;
  /** Certificate and key of a port that speaks TLS. */
  readonly tls?: SecureContextOptions | undefined;
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
  { onClientError, hosts = [], address, tls }: ListenOptions = {},
): Promise<Listener> {
  if (address === '0.0.0.0' || address === '::') {
    return listenerOf(await open(port, address, { listener: requireAllowedHost(answer, hosts), onClientError, tls }));
  }
  const listener = requireAllowedHost(answer, hosts, address === undefined ? [] : [address, `[${address}]`]);
  const answering = { listener, onClientError, tls };
  const first = await open(port, '127.0.0.1', answering);
  const actual = (first.address() as AddressInfo).port;
  const servers = [first];
  try {
    servers.push(await open(actual, '::1', answering));
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
      await open(actual, address, answering).catch(async (error: unknown) => {
        for (const server of servers) server.close();
        throw new Error(`The address ${address} cannot be listened on: ${String(error)}`, { cause: error });
      }),
    );
  }
  return listenerOf(first, ...servers.slice(1));
}

function listenerOf(first: Server | SecureServer, ...others: readonly (Server | SecureServer)[]): Listener {
  return {
    port: (first.address() as AddressInfo).port,
    close: async (graceMs = 2_000) => {
      await Promise.all([first, ...others].map((server) => closeServer(server, graceMs)));
    },
    renew: (tls) => {
      for (const server of [first, ...others]) if ('setSecureContext' in server) server.setSecureContext(tls);
    },
  };
}

interface Answering {
  readonly onClientError: ClientErrorListener | undefined;
  readonly tls: SecureContextOptions | undefined;
  readonly listener: RequestListener;
}

async function open(
  port: number,
  host: string,
  { listener, onClientError, tls }: Answering,
): Promise<Server | SecureServer> {
  const options = { keepAliveTimeout: keepAliveTimeoutMs, requestTimeout: requestTimeoutMs, noDelay: true };
  const server =
    tls === undefined ? createServer(options, listener) : createSecureServer({ ...options, ...tls }, listener);
  if (onClientError !== undefined) server.on('clientError', onClientError);
  server.listen({ port, host });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw host === '::1' ? error : makeListenError(error, port);
  }
  return server;
}

async function closeServer(server: Server | SecureServer, graceMs: number): Promise<void> {
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
