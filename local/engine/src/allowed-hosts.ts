import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** The names of this machine's loopback addresses, as `Host` has them without the port. */
const loopback = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Names besides those of loopback, without a port; a function is asked for each, in lower case. */
export type AllowedHosts = readonly string[] | ((name: string) => boolean);

/**
 * Serves only requests whose `Host` is a loopback name, or one of some others. A web page whose owner lets its name resolve to
 * 127.0.0.1 (DNS rebinding) would otherwise read everything that this machine may read: its browser sends that name. A request
 * without `Host` is no browser's.
 *
 * @param hosts Further names.
 * @param own Further names, of the address on which it listens.
 */
export function requireAllowedHost(
  listener: RequestListener,
  hosts: AllowedHosts = [],
  own: readonly string[] = [],
): RequestListener {
  const isAllowed = typeof hosts === 'function' ? hosts : isOneOf(hosts);
  const isOwn = isOneOf(own);
  return (request, response) => {
    const name = hostOf(request);
    if (name === undefined || loopback.test(name) || isOwn(name) || isAllowed(name)) listener(request, response);
    else refuse(response);
  };
}

/** Tells whether a name is one of some; all in any case. */
export function isOneOf(names: readonly string[]): (name: string) => boolean {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (name) => known.has(name.toLowerCase());
}

function hostOf({ headers: { host } }: IncomingMessage): string | undefined {
  return host?.trim().toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

/** 421 Misdirected Request, in Rucio's form of an error. */
function refuse(response: ServerResponse): void {
  const message =
    'Use http://localhost, http://127.0.0.1 or http://[::1]. For another name start the server with --allow-host <name>.';
  const body = JSON.stringify({ ExceptionClass: 'RucioException', ExceptionMessage: message });
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ExceptionClass: 'RucioException',
    ExceptionMessage: message.slice(0, 125),
    Connection: 'close',
  };
  response.writeHead(421, headers).end(body);
}
