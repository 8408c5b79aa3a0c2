import { createHash } from 'node:crypto';

import { type ServedStorage, serveStorage, type StorageExchange } from './serve-storage.ts';

/** A job, as it was submitted, and its state. */
export interface FtsServiceJob {
  readonly files: readonly Readonly<Record<string, unknown>>[];
  readonly params: Readonly<Record<string, unknown>>;
  /** Of its only file. */
  state: string;
  reason?: string;
}

/** An FTS3 server for tests, of the calls by which Rucio submits, asks about, changes and cancels jobs. It copies nothing. */
export interface FtsService extends ServedStorage {
  readonly jobs: Map<string, FtsServiceJob>;
}

const baseId = '01874efb-4735-4595-bc9c-591aef8240c9';
const vo = 'beam';

/** Starts the server. @param token Every request must have it. */
export async function startFtsService(token: string): Promise<FtsService> {
  const jobs = new Map<string, FtsServiceJob>();
  const served = await serveStorage((exchange) => {
    const { method, path, headers, body } = exchange;
    if (headers.get('authorization') !== `Bearer ${token}`) return send(exchange, 403, { message: 'no such token' });
    if (method === 'GET' && path === '/whoami') return send(exchange, 200, { base_id: baseId, vos: [vo] });
    if (method === 'POST' && path === '/jobs')
      return submit(exchange, jobs, JSON.parse(body.toString()) as FtsServiceJob);
    if (method === 'GET' && path.startsWith('/jobs/')) return list(exchange, jobs);
    if (method === 'POST' && path.startsWith('/jobs/')) {
      const { params } = JSON.parse(body.toString()) as Pick<FtsServiceJob, 'params'>;
      for (const job of namedJobs(exchange, jobs)) Object.assign(job.params, params);
      return list(exchange, jobs);
    }
    if (method === 'DELETE' && path.startsWith('/jobs/')) {
      for (const job of namedJobs(exchange, jobs)) if (job.state === 'ACTIVE') job.state = 'CANCELED';
      return list(exchange, jobs);
    }
    return send(exchange, 405, { message: 'not known' });
  });
  return { ...served, jobs };
}

function send({ response }: StorageExchange, status: number, content: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content));
}

/** As Python's `uuid.uuid5`. */
function uuid5(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest('hex');
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `5${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join('-');
}

function submit(exchange: StorageExchange, jobs: Map<string, FtsServiceJob>, { files, params }: FtsServiceJob): void {
  const id = uuid5(uuid5(baseId, vo), String(params['sid']));
  const destinations = (of: Pick<FtsServiceJob, 'files'>) =>
    JSON.stringify(of.files.map((file) => file['destinations']));
  const isTaken = [...jobs.values()].some(
    (job) => job.state === 'ACTIVE' && destinations(job) === destinations({ files }),
  );
  if (jobs.has(id) || isTaken) return send(exchange, 409, { status: '409 Conflict', message: 'The job exists' });
  jobs.set(id, { files, params, state: 'ACTIVE' });
  send(exchange, 200, { job_id: id });
}

const idsOf = ({ path }: StorageExchange) => path.slice('/jobs/'.length).split(',');

const namedJobs = (exchange: StorageExchange, jobs: ReadonlyMap<string, FtsServiceJob>) =>
  idsOf(exchange).flatMap((id) => jobs.get(id) ?? []);

function list(exchange: StorageExchange, jobs: ReadonlyMap<string, FtsServiceJob>): void {
  const ids = idsOf(exchange);
  const found = ids.map((id) => {
    const job = jobs.get(id);
    if (job === undefined) return { job_id: id, http_status: '404 Not Found', http_message: 'No job with the id' };
    const [file] = job.files;
    const files = [{ file_state: job.state, reason: job.reason ?? null, file_metadata: file?.['metadata'] }];
    const { priority } = job.params;
    return { job_id: id, http_status: '200 Ok', job_state: job.state, priority, job_metadata: {}, files };
  });
  if (ids.length > 1) return send(exchange, 207, found);
  if (found.some(({ http_status: status }) => status !== '200 Ok'))
    return send(exchange, 404, { status: '404 Not Found' });
  send(exchange, 200, found[0]);
}
