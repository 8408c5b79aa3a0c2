import { createHash } from 'node:crypto';

import { Adler32 } from '../../lib/movers/adler32.ts';
import { sendContent, type ServedStorage, serveStorage, type StorageExchange } from './serve-storage.ts';

/**
 * A WebDAV server for tests, with third-party copy and ranges. It answers as XRootD 5.5.3 was seen to: a copy into a folder that is
 * missing is refused with 400, one that fails leaves an empty file, and MOVE replaces a file although it should not.
 */
export interface WebdavService extends ServedStorage {
  /** Contents by path. */
  readonly files: Map<string, Buffer>;
  readonly folders: Set<string>;
}

/** How the server differs from others. */
export interface WebdavOptions {
  /** Every request must have it. */
  readonly token?: string;
  /** The server does not know how to copy from another, or at all. */
  readonly copies?: 'by push alone' | 'not';
  /** It tells the checksums that files had when they were written, whatever became of them. */
  readonly keepsDigests?: boolean;
  /** It tells no checksums. */
  readonly isWithoutDigests?: boolean;
  /** It takes an escaped name in the header `Destination` for the name. */
  readonly keepsEscapes?: boolean;
}

interface State extends WebdavOptions {
  /** The contents that were written, by path. */
  readonly written: Map<string, Buffer>;
  readonly files: Map<string, Buffer>;
  readonly folders: Set<string>;
}

/** Starts the server. */
export async function startWebdavService(options: WebdavOptions = {}): Promise<WebdavService> {
  const state: State = { ...options, written: new Map(), files: new Map(), folders: new Set(['/', '/store']) };
  const served = await serveStorage((exchange) => answer(exchange, state));
  return { ...served, files: state.files, folders: state.folders };
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/';
const adler32Of = (content: Buffer) => {
  const sum = new Adler32();
  sum.update(content);
  return sum.digest();
};

async function answer(exchange: StorageExchange, state: State): Promise<void> {
  const { method, path, response, headers, body } = exchange;
  const { files, folders, token } = state;
  const end = (status: number, text = '') => void response.writeHead(status).end(text);
  if (token !== undefined && headers.get('authorization') !== `Bearer ${token}`) return end(403, 'no such token');
  switch (method) {
    case 'HEAD':
    case 'GET':
      return sendFile(exchange, state);
    case 'PUT':
      if (!folders.has(folderOf(path))) return end(409);
      files.set(path, exchange.fault === 'corrupt' ? Buffer.alloc(body.length, '?') : body);
      return end(201);
    case 'PROPFIND':
      return list(exchange, state);
    case 'DELETE':
      return end(files.delete(path) ? 200 : 404);
    case 'MKCOL':
      folders.add(path.replace(/\/$/, ''));
      return end(201, ':-)');
    case 'MOVE':
      return move(exchange, state);
    case 'COPY':
      return copy(exchange, state);
    default:
      return end(405);
  }
}

function sendFile(
  exchange: StorageExchange,
  { files, written, isWithoutDigests = false, keepsDigests = false }: State,
): void {
  const { method, path, response, headers } = exchange;
  const content = files.get(path);
  if (content === undefined) return void response.writeHead(404).end();
  const summed = (keepsDigests ? written.get(path) : undefined) ?? content;
  const wanted = isWithoutDigests ? '' : (headers.get('want-digest') ?? '');
  const digests = [
    ...(wanted.includes('adler32') ? [`adler32=${adler32Of(summed)}`] : []),
    ...(wanted.includes('md5') ? [`md5=${createHash('md5').update(summed).digest('base64')}`] : []),
  ];
  const told = digests.length === 0 ? {} : { Digest: digests.join(',') };
  if (method === 'GET') return sendContent(exchange, content, told);
  response.writeHead(200, { 'Content-Length': content.length, ...told }).end();
}

/** Lists a folder; the names of folders in it end without a slash, as with some servers. */
function list({ path, response }: StorageExchange, { files, folders }: State): void {
  const parent = path.replace(/\/$/, '');
  const entryOf = (one: string, type: string) =>
    `<D:response><D:href>${one.split('/').map(encodeURIComponent).join('/')}</D:href><D:propstat><D:prop>${type}` +
    '</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>';
  const inside = (all: Iterable<string>) => [...all].filter((one) => folderOf(one) === parent);
  const entries = [
    ...inside(files.keys()).map((one) => entryOf(one, '<D:resourcetype/>')),
    ...inside(folders).map((one) => entryOf(one, '<D:resourcetype><D:collection/></D:resourcetype>')),
  ];
  response.writeHead(207).end(`<D:multistatus xmlns:D="DAV:">${entries.join('')}</D:multistatus>`);
}

function move({ path, headers, response }: StorageExchange, state: State): void {
  const { files, written, folders, keepsEscapes = false } = state;
  const content = files.get(path);
  if (content === undefined) return void response.writeHead(404).end('no such file or directory');
  const { pathname } = new URL(headers.get('destination') ?? '');
  const target = keepsEscapes ? pathname : decodeURIComponent(pathname);
  files.delete(path);
  folders.add(folderOf(target));
  files.set(target, content);
  written.set(target, content);
  response.writeHead(201).end(':-)');
}

const marker = (bytes: number) =>
  [
    'Perf Marker',
    'Timestamp: 1795440883',
    'Stripe Index: 0',
    `Stripe Bytes Transferred: ${bytes}`,
    'Total Stripe Count: 1',
    'End',
    '',
  ].join('\n');

async function copy(exchange: StorageExchange, { files, folders, copies }: State): Promise<void> {
  const { path, headers, response, fault } = exchange;
  const source = headers.get('source');
  if (copies === 'not' || (copies === 'by push alone' && source !== null)) return void response.writeHead(405).end();
  if (source === null) return push(exchange, files);
  if (!folders.has(folderOf(path)))
    return void response.writeHead(400).end(`Unable to create ${path}; no such file or directory`);
  if (files.has(path) && headers.get('overwrite') === 'F') return void response.writeHead(412).end('file exists');
  files.set(path, Buffer.alloc(0));
  response.writeHead(202, { 'Content-Type': 'text/plain' });
  response.write(marker(0));
  const found = await fetch(source, { headers: otherToken(headers) }).catch(() => undefined);
  if (found?.ok !== true) {
    const reason =
      found === undefined ? "Couldn't connect to server" : `Remote side failed with status code ${found.status}`;
    return void response.end(`failure: ${reason}\n`);
  }
  const content = Buffer.from(await found.arrayBuffer());
  if (fault === 'cut in the middle') {
    files.set(path, content.subarray(0, content.length / 2));
    response.write(marker(content.length / 2), () => response.destroy());
    return;
  }
  files.set(path, fault === 'corrupt' ? Buffer.alloc(content.length, '?') : content);
  response.end(`${marker(content.length)}success: Created\n`);
}

async function push({ path, headers, response }: StorageExchange, files: State['files']): Promise<void> {
  response.writeHead(202, { 'Content-Type': 'text/plain' });
  const body = new Uint8Array(files.get(path) ?? Buffer.alloc(0));
  const sent = await fetch(headers.get('destination') ?? '', { method: 'PUT', body, headers: otherToken(headers) });
  await sent.text();
  response.end(sent.ok ? 'success: Created\n' : `failed: status ${sent.status}\n`);
}

const otherToken = (headers: Headers) => ({ Authorization: headers.get('transferheaderauthorization') ?? '' });
