import { createHash, randomBytes } from 'node:crypto';

import { sendContent, type ServedStorage, serveStorage, type StorageExchange } from './serve-storage.ts';

/** An object of the service. */
export interface StoredObject {
  readonly content: Buffer;
  readonly etag: string;
  /** How often an object of its name was written. */
  readonly written: number;
  /** Its headers, by lower-case names. */
  readonly description: Readonly<Record<string, string>>;
}

/** An S3 service for tests, without checks of signatures: it copies and stores, also in parts, as AWS's does. */
export interface S3Service extends ServedStorage {
  /** By `/bucket/key`. */
  readonly objects: Map<string, StoredObject>;
  /** Objects in parts that were begun and are not over. */
  readonly uploads: ReadonlyMap<string, { readonly parts: ReadonlyMap<number, Buffer> }>;
  /** Forgets an object in parts. */
  dropUpload(id: string): void;
  put(path: string, content: string | Buffer, description?: Readonly<Record<string, string>>): void;
}

interface Upload {
  readonly path: string;
  readonly description: Readonly<Record<string, string>>;
  readonly parts: Map<number, Buffer>;
  readonly begun: string;
}

const md5 = (content: Buffer) => createHash('md5').update(content).digest('hex');

/** Starts the service. */
export async function startS3Service(): Promise<S3Service> {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, Upload>();
  const served = await serveStorage((exchange) => answer(exchange, { objects, uploads }));
  return {
    ...served,
    objects,
    uploads,
    dropUpload: (id) => void uploads.delete(id),
    put: (path, content, description = {}) => {
      const bytes = Buffer.from(content);
      write({ objects }, path, { content: bytes, etag: `"${md5(bytes)}"`, description });
    },
  };
}

interface State {
  readonly objects: Map<string, StoredObject>;
  readonly uploads: Map<string, Upload>;
}

function answer(exchange: StorageExchange, state: State): void {
  const { method, query } = exchange;
  const upload = query.get('uploadId');
  if (method === 'GET' && query.has('uploads')) return listUploads(exchange, state);
  if (method === 'GET' && upload !== null) return listParts(exchange, state, upload);
  if (method === 'HEAD' || method === 'GET') return read(exchange, state);
  if (method === 'POST' && query.has('uploads')) return beginUpload(exchange, state);
  if (method === 'POST' && upload !== null) return completeUpload(exchange, state, upload);
  const isCopied = exchange.headers.has('x-amz-copy-source');
  if (method === 'PUT' && upload !== null)
    return isCopied ? copyPart(exchange, state, upload) : putPart(exchange, state, upload);
  if (method === 'PUT') return isCopied ? copy(exchange, state) : putObject(exchange, state);
  if (method !== 'DELETE') return refuse(exchange, 405, 'MethodNotAllowed');
  if (upload === null) state.objects.delete(exchange.path);
  else state.uploads.delete(upload);
  exchange.response.writeHead(204).end();
}

function refuse({ response }: StorageExchange, status: number, code: string): void {
  response
    .writeHead(status)
    .end(`<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

function read(exchange: StorageExchange, { objects }: State): void {
  const { method, path, headers, response } = exchange;
  const found = objects.get(path);
  if (found === undefined) return void response.writeHead(404).end();
  const wanted = headers.get('if-match');
  if (wanted !== null && wanted !== found.etag) return refuse(exchange, 412, 'PreconditionFailed');
  const told = { ...found.description, ETag: found.etag };
  if (method === 'HEAD') return void response.writeHead(200, { ...told, 'Content-Length': found.content.length }).end();
  sendContent(exchange, found.content, told);
}

/** The source of a copy, unless its conditions or those of the destination refuse it. */
function findSource(exchange: StorageExchange, { objects }: State): StoredObject | undefined {
  const source = objects.get(decodeURIComponent(exchange.headers.get('x-amz-copy-source') ?? ''));
  const wanted = exchange.headers.get('x-amz-copy-source-if-match');
  if (source !== undefined && wanted === source.etag) return source;
  if (source === undefined) refuse(exchange, 404, 'NoSuchKey');
  else refuse(exchange, 412, 'PreconditionFailed');
  return undefined;
}

/** Whether the conditions of a write hold; answers if not. */
function mayWrite(exchange: StorageExchange, present: StoredObject | undefined): boolean {
  const [ifMatch, ifNoneMatch] = [exchange.headers.get('if-match'), exchange.headers.get('if-none-match')];
  const may = (ifMatch === null || ifMatch === present?.etag) && (ifNoneMatch === null || present === undefined);
  if (!may) refuse(exchange, 412, 'PreconditionFailed');
  return may;
}

function write({ objects }: Pick<State, 'objects'>, path: string, object: Omit<StoredObject, 'written'>): void {
  objects.set(path, { ...object, written: (objects.get(path)?.written ?? 0) + 1 });
}

const corrupted = ({ fault }: StorageExchange, content: Buffer) =>
  fault === 'corrupt' ? Buffer.alloc(content.length, '?') : content;

function putObject(exchange: StorageExchange, state: State): void {
  const { path, body } = exchange;
  if (!mayWrite(exchange, state.objects.get(path)) || !hasItsMd5(exchange)) return;
  const content = corrupted(exchange, body);
  const etag = `"${md5(content)}"`;
  write(state, path, { content, etag, description: describe(exchange) });
  exchange.response.writeHead(200, { ETag: etag }).end();
}

/** Whether the content is what its header says; answers if not. */
function hasItsMd5(exchange: StorageExchange): boolean {
  const wanted = exchange.headers.get('content-md5');
  const has = wanted === null || Buffer.from(wanted, 'base64').toString('hex') === md5(exchange.body);
  if (!has) refuse(exchange, 400, 'BadDigest');
  return has;
}

function copy(exchange: StorageExchange, state: State): void {
  const source = findSource(exchange, state);
  if (source === undefined || !mayWrite(exchange, state.objects.get(exchange.path))) return;
  const content = corrupted(exchange, source.content);
  const etag = `"${md5(content)}"`;
  write(state, exchange.path, { content, etag, description: describe(exchange) });
  // As AWS does, the status comes first and blanks follow.
  exchange.response
    .writeHead(200)
    .end(`<?xml version="1.0"?>\n  \n<CopyObjectResult><ETag>${etag}</ETag></CopyObjectResult>`);
}

function describe({ headers }: StorageExchange): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name === 'content-type' || name.startsWith('x-amz-meta-')));
}

function beginUpload(exchange: StorageExchange, { uploads }: State): void {
  const id = `${randomBytes(6).toString('hex')}+/=`;
  uploads.set(id, {
    path: exchange.path,
    description: describe(exchange),
    parts: new Map(),
    begun: new Date().toISOString(),
  });
  exchange.response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
}

function copyPart(exchange: StorageExchange, state: State, id: string): void {
  const [upload, source] = [state.uploads.get(id), findSource(exchange, state)];
  if (source === undefined) return;
  if (upload === undefined) return refuse(exchange, 404, 'NoSuchUpload');
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(exchange.headers.get('x-amz-copy-source-range') ?? '') ?? [];
  const part = corrupted(exchange, source.content.subarray(Number(from), Number(to) + 1));
  upload.parts.set(Number(exchange.query.get('partNumber')), part);
  exchange.response.end(`<CopyPartResult><ETag>&quot;${md5(part)}&quot;</ETag></CopyPartResult>`);
}

function putPart(exchange: StorageExchange, { uploads }: State, id: string): void {
  const upload = uploads.get(id);
  if (upload === undefined) return refuse(exchange, 404, 'NoSuchUpload');
  if (!hasItsMd5(exchange)) return;
  const part = corrupted(exchange, exchange.body);
  upload.parts.set(Number(exchange.query.get('partNumber')), part);
  exchange.response.writeHead(200, { ETag: `"${md5(part)}"` }).end();
}

function listUploads({ path, query, response }: StorageExchange, { uploads }: State): void {
  const [bucket, prefix] = [`${path.replace(/\/$/, '')}/`, query.get('prefix') ?? ''];
  const entries = Array.from(uploads, ([id, one]) =>
    one.path.startsWith(bucket + prefix)
      ? `<Upload><Key>${one.path.slice(bucket.length)}</Key><UploadId>${id}</UploadId><Initiated>${one.begun}</Initiated></Upload>`
      : '',
  );
  response.end(
    `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${entries.join('')}</ListMultipartUploadsResult>`,
  );
}

function listParts(exchange: StorageExchange, { uploads }: State, id: string): void {
  const upload = uploads.get(id);
  if (upload === undefined) return refuse(exchange, 404, 'NoSuchUpload');
  const after = Number(exchange.query.get('part-number-marker') ?? 0);
  const later = [...upload.parts].filter(([number]) => number > after).toSorted(([one], [other]) => one - other);
  const page = later.slice(0, Number(exchange.query.get('max-parts') ?? 1_000));
  const parts = page.map(
    ([number, part]) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>&quot;${md5(part)}&quot;</ETag><Size>${part.length}</Size></Part>`,
  );
  const next = `<NextPartNumberMarker>${page.at(-1)?.[0] ?? 0}</NextPartNumberMarker>`;
  exchange.response.end(
    `<ListPartsResult>${next}<IsTruncated>${page.length < later.length}</IsTruncated>${parts.join('')}</ListPartsResult>`,
  );
}

function completeUpload(exchange: StorageExchange, { objects, uploads }: State, id: string): void {
  const upload = uploads.get(id);
  if (upload === undefined) return refuse(exchange, 404, 'NoSuchUpload');
  if (!mayWrite(exchange, objects.get(exchange.path))) return;
  const listed = [...exchange.body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"(\w+)"<\/ETag>/g)];
  const parts = listed.map(([, number, etag]) => {
    const part = upload.parts.get(Number(number));
    return part !== undefined && md5(part) === etag ? part : undefined;
  });
  if (parts.length !== upload.parts.size || parts.includes(undefined)) return refuse(exchange, 400, 'InvalidPart');
  const content = Buffer.concat(parts.filter((part) => part !== undefined));
  const etag = `"${md5(Buffer.concat(listed.map(([, , one = '']) => Buffer.from(one, 'hex'))))}-${parts.length}"`;
  write({ objects }, exchange.path, { content, etag, description: upload.description });
  uploads.delete(id);
  exchange.response.end(`<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`);
}
