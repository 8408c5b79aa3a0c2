/** The storages of all RSEs: WebDAV servers that hold the bytes of files. */
import { adler32Of, type Content, contentOf, type FileName, pathOf, wrongContentOf } from './content.ts';
import { homeRse, victimScope } from './names.ts';
import type { Random } from './random.ts';

/** A request of the service to a storage. */
export interface StorageRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A place on a storage. */
export interface Place {
  readonly rse: string;
  readonly path: string;
}

/** A file that a request takes away from its place, or replaces. */
export interface Removal extends Place {
  readonly content: Content;
  readonly by: string;
}

/** The share of requests that a storage refuses. */
const refusedShare = 0.02;

/** RSEs whose storage tells no checksums. */
const withoutChecksums: ReadonlySet<string> = new Set(['SIM_B']);

/** Which files are where. What is under the RSE that files are registered on is there from the beginning, with the right content. */
export class SimulatedStorage {
  readonly #files = new Map<string, Content>();
  readonly #counts: Map<string, number>;
  /** Whether it refuses some requests. */
  mayRefuse = true;
  /** Called before a file goes, or is replaced; the storage waits for the answer. */
  onRemoval: (removal: Removal) => Promise<void> = async () => {};

  /** @param counts Counts of events, by kind. */
  constructor(counts: Map<string, number>) {
    this.#counts = counts;
  }

  /** The content at a place; undefined: there is no file. */
  read({ rse, path }: Place): Content | undefined {
    const found = this.#files.get(`${rse} ${path}`);
    if (found !== undefined || rse !== homeRse || isTemporary(path)) return found;
    const [scope = '', ...rest] = path.split('/').slice(1);
    const isKept = rest.length >= 3 && scope !== victimScope;
    return isKept ? contentOf({ scope, name: rest.slice(2).join('/') }) : undefined;
  }

  /** Puts content in a place, as somebody does who has access to the storage. */
  put({ rse, path }: Place, content: Content): void {
    this.#files.set(`${rse} ${path}`, content);
  }

  /** Whether the right content of a file is in another place. */
  hasOther({ rse, path }: Place, of: string): boolean {
    return [...this.#files].some(([key, content]) => key !== `${rse} ${path}` && content.of === of && !content.isWrong);
  }

  /** A client uploads a file. */
  upload(rse: string, file: FileName): void {
    this.put({ rse, path: pathOf(file) }, contentOf(file));
  }

  /** A file rots where it is: its size stays. */
  rot(rse: string, file: FileName): void {
    const place = { rse, path: pathOf(file) };
    if (this.read(place) !== undefined) this.put(place, wrongContentOf(file, 'rotten'));
  }

  /** Something else lies where a file is to come. */
  stray(rse: string, file: FileName): void {
    const place = { rse, path: pathOf(file) };
    if (this.read(place) === undefined) this.put(place, wrongContentOf(file, 'stray'));
  }

  /** Answers a request of the service, which has arrived. */
  async answer({ method, url, headers = {} }: StorageRequest, random: Random): Promise<Response> {
    const place = placeOf(url);
    if (this.mayRefuse && random.chance(refusedShare)) {
      this.#count(`refused ${method}`);
      return new Response(null, { status: 503 });
    }
    switch (method) {
      case 'PROPFIND':
        return this.#describe(place);
      case 'HEAD':
      case 'GET':
        return this.#send(place, method, wantsDigest(headers));
      case 'COPY':
        return this.#copy(place, headers);
      case 'MOVE':
        return this.#move(place, headers);
      case 'DELETE':
        return this.#delete(place);
      case 'MKCOL':
        return new Response(null, { status: 201 });
      default:
        return new Response(null, { status: 405 });
    }
  }

  /** The files in a folder and below. */
  #below({ rse, path }: Place): Place[] {
    const start = `${rse} ${path.replace(/\/*$/, '/')}`;
    return [...this.#files.keys()]
      .filter((key) => key.startsWith(start))
      .map((key) => ({ rse, path: key.slice(rse.length + 1) }));
  }

  #describe(place: Place): Response {
    const content = this.read(place);
    if (content !== undefined) return multistatus(place.path, '<D:resourcetype/>', content.bytes.length);
    if (place.path !== '/' && this.#below(place).length === 0) return new Response(null, { status: 404 });
    return multistatus(place.path, '<D:resourcetype><D:collection/></D:resourcetype>');
  }

  #send(place: Place, method: string, withDigest: boolean): Response {
    const content = this.read(place);
    if (content === undefined) return new Response(null, { status: 404 });
    const headers: Record<string, string> = { 'content-length': String(content.bytes.length) };
    if (withDigest && !withoutChecksums.has(place.rse)) headers['digest'] = `adler32=${adler32Of(content.bytes)}`;
    return new Response(method === 'GET' ? Buffer.from(content.bytes) : null, { status: 200, headers });
  }

  /** The destination fetches the file. */
  async #copy(place: Place, headers: StorageRequest['headers']): Promise<Response> {
    const source = headerOf(headers, 'source');
    if (source === undefined) return new Response(null, { status: 501 });
    const content = this.read(placeOf(source));
    if (content === undefined) return new Response('failure: the source is not there\n', { status: 202 });
    await this.replace(place, { ...content }, 'COPY');
    this.#count('copied file');
    return new Response('success: Created\n', { status: 202 });
  }

  async #move(place: Place, headers: StorageRequest['headers']): Promise<Response> {
    const content = this.read(place);
    const destination = placeOf(headerOf(headers, 'destination') ?? '');
    if (content === undefined) return new Response(null, { status: 404 });
    if (this.read(destination) !== undefined && headerOf(headers, 'overwrite') === 'F')
      return new Response(null, { status: 412 });
    await this.replace(destination, content, 'MOVE');
    this.#files.delete(`${place.rse} ${place.path}`);
    return new Response(null, { status: 201 });
  }

  /** Writes a file, as a mover does; what lay there goes. */
  async replace(place: Place, content: Content, by: string): Promise<void> {
    const former = this.read(place);
    if (former !== undefined && content.isWrong) await this.onRemoval({ ...place, content: former, by });
    this.put(place, content);
  }

  /** As RFC 4918 says: a folder goes with all that is in it. */
  async #delete(place: Place): Promise<Response> {
    const found = this.read(place);
    const all = found === undefined ? this.#below(place) : [place];
    if (all.length === 0) return new Response(null, { status: 404 });
    const by = found === undefined ? `DELETE of the folder ${place.path}` : 'DELETE';
    for (const one of all) {
      const content = this.read(one);
      if (content === undefined) continue;
      if (!isTemporary(one.path)) await this.onRemoval({ ...one, content, by });
      this.#files.delete(`${one.rse} ${one.path}`);
      this.#count('deleted file');
    }
    return new Response(null, { status: 204 });
  }

  #count(kind: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }
}

/** Names under which movers write before a copy is complete. */
const isTemporary = (path: string) => /\/\.[^/]*\.part$/.test(path);

function headerOf(headers: StorageRequest['headers'] = {}, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

const wantsDigest = (headers: StorageRequest['headers']) => headerOf(headers, 'want-digest') !== undefined;

function multistatus(path: string, type: string, size?: number): Response {
  const length = size === undefined ? '' : `<D:getcontentlength>${size}</D:getcontentlength>`;
  const xml =
    '<?xml version="1.0" encoding="utf-8"?><D:multistatus xmlns:D="DAV:"><D:response>' +
    `<D:href>${path}</D:href><D:propstat><D:prop>${type}${length}</D:prop>` +
    '<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>';
  return new Response(xml, { status: 207 });
}

/** The host is the RSE. A server removes what is `.`, `..` or empty in a path. */
function placeOf(url: string): Place {
  const { hostname, pathname } = new URL(url);
  return { rse: rseOf(hostname), path: decodeURIComponent(pathname).replaceAll(/\/{2,}/g, '/') };
}

/** The PFN of a file at an RSE whose paths follow from the names. */
export function pfnOf(rse: string, file: FileName): string {
  return `davs://${hostOf(rse)}:443${pathOf(file)}`;
}

/** The host of an RSE in URLs. */
export const hostOf = (rse: string) => `${rse.toLowerCase().replaceAll('_', '-')}.simulated`;
const rseOf = (host: string) => (host.split('.')[0] ?? '').toUpperCase().replaceAll('-', '_');
