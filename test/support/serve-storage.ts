import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ChooseFault, StorageCall, StorageFault } from './faults-of-storage.ts';

/** The interval of a storage that sends next to nothing. */
const trickleMs = 50;

/** A request with its content. */
export interface StorageExchange extends StorageCall {
  readonly body: Buffer;
  /** To be carried out by the storage, such as `corrupt`; the others have been already. */
  readonly fault: StorageFault | undefined;
  readonly response: ServerResponse;
}

/** A storage of the tests on a port of localhost. */
export interface ServedStorage {
  readonly origin: string;
  /** All requests so far, as `METHOD path`. */
  readonly calls: string[];
  /** Sets the faults from now on. */
  setFaults(choose: ChooseFault | undefined): void;
  close(): Promise<void>;
}

/** Serves a storage; carries out the faults that concern connections. */
export async function serveStorage(
  handle: (exchange: StorageExchange) => Promise<void> | void,
): Promise<ServedStorage> {
  let choose: ChooseFault | undefined;
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const call = readCall(request);
      calls.push(`${call.method} ${call.path}`);
      const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
      const fault = await choose?.(call);
      if (fault === 'cut') return void request.socket.destroy();
      if (fault === 'hang') return;
      if (fault === 'page') return void response.writeHead(200).end('<html>Please log in</html>');
      if (fault === 'endless') return sendForEver(response);
      if (fault === 'trickle') return trickle(response);
      if (typeof fault === 'object') {
        const to = fault.location === undefined ? {} : { Location: `${fault.location}${request.url}` };
        response.writeHead(fault.status, { 'Content-Type': 'application/xml', ...to });
        const text = fault.body ?? `<Error><Code>${fault.code ?? ''}</Code></Error>`;
        return void response.end(call.method === 'HEAD' ? '' : text);
      }
      if (fault === 'lose answer') {
        // The handler answers to nobody.
        response.write = () => true;
        response.end = () => response.destroy();
      }
      await handle({ ...call, body, fault, response });
    };
    answer().catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    calls,
    setFaults: (next) => {
      choose = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with content, or the range of it that was asked for; breaks off in the middle if that is the fault. */
export function sendContent(
  { headers, fault, response }: StorageExchange,
  content: Buffer,
  told: Readonly<Record<string, string>>,
): void {
  const from = /^bytes=(\d+)-$/.exec(headers.get('range') ?? '')?.[1];
  const start = Number(from ?? 0);
  const part = content.subarray(start);
  const range = from === undefined ? {} : { 'Content-Range': `bytes ${start}-${content.length - 1}/${content.length}` };
  response.writeHead(from === undefined ? 200 : 206, { ...told, ...range, 'Content-Length': part.length });
  if (fault === 'corrupt') return void response.end(Buffer.alloc(part.length, '?'));
  if (fault !== 'cut in the middle') return void response.end(part);
  response.write(part.subarray(0, part.length / 2), () => response.destroy());
}

/** Writes until the caller has gone. */
function sendForEver(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, 'x');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.writeHead(403).on('drain', more);
  more();
}

/** Sends a byte now and then until the caller has gone. */
function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'), trickleMs);
  response.writeHead(200).on('close', () => clearInterval(timer));
}

function readCall({ method = '', url = '', headers }: IncomingMessage): StorageCall {
  const { pathname, searchParams } = new URL(url, 'http://storage');
  const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]);
  return { method, path: decodeURIComponent(pathname), query: searchParams, headers: new Headers(pairs) };
}
