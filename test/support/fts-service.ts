import {
  deleteJob,
  describeArchived,
  describeJob,
  type FtsServiceJob,
  type FtsState,
  idsOf,
  type JobEntry,
  modifyJob,
} from './fts-service-jobs.ts';
import { submitJob } from './fts-service-submission.ts';
import { type ServedStorage, serveStorage, type StorageExchange } from './serve-storage.ts';

/**
 * An FTS3 REST server for tests, of the calls by which jobs are submitted, asked about, changed and cancelled. It answers as
 * fts-rest-flask 3.13.4 does, and copies nothing.
 */
export interface FtsService extends ServedStorage, FtsState {
  /** Moves all jobs to the archive, as FTS does with old ones. */
  archive(): void;
}

/** Differences between servers. */
export type FtsServiceOptions = Partial<Pick<FtsState, 'refusesDuplicates' | 'takesTokensForTape'>>;

const baseId = '01874efb-4735-4595-bc9c-591aef8240c9';

/** Starts the server. @param token The only bearer token that it takes; callers with others are anonymous. */
export async function startFtsService(token: string, options: FtsServiceOptions = {}): Promise<FtsService> {
  const state: FtsState = {
    baseId,
    token,
    vo: 'beam',
    refusesDuplicates: false,
    takesTokensForTape: false,
    jobs: new Map(),
    archived: new Map(),
    banned: new Set(),
    statuses: new Map(),
    ...options,
  };
  const served = await serveStorage((exchange) => handle(exchange, state));
  const archive = () => {
    for (const [id, job] of state.jobs) state.archived.set(id, job);
    state.jobs.clear();
  };
  return Object.assign(state, served, { archive });
}

function handle(exchange: StorageExchange, state: FtsState): void {
  const { method, path, headers, body } = exchange;
  const isKnown = headers.get('authorization') === `Bearer ${state.token}`;
  if (method === 'GET' && path === '/whoami') return send(exchange, 200, whoAmI(state, isKnown));
  if (method === 'GET' && path.startsWith('/archive/')) {
    const { status, content } = describeArchived(state, path.slice('/archive/'.length));
    return send(exchange, status, content);
  }
  if (method === 'POST' && path === '/jobs') {
    if (!isKnown) return sendError(exchange, '403 Forbidden', 'Not enough permissions');
    const { error, id } = submitJob(state, JSON.parse(body.toString()) as Pick<FtsServiceJob, 'files' | 'params'>);
    return error === undefined ? send(exchange, 200, { job_id: id }) : sendError(exchange, ...error);
  }
  if (!path.startsWith('/jobs/')) return sendError(exchange, '404 Not Found', 'The requested URL was not found');
  // The server looks for the VO of the caller, of which the anonymous one has none.
  if (!isKnown) return sendError(exchange, '500 Internal Server Error', 'The server encountered an internal error');
  const act = { GET: describeJob, DELETE: deleteJob, POST: modifyJob }[method];
  if (act === undefined) return sendError(exchange, '405 Method Not Allowed', 'The method is not allowed');
  sendEntries(
    exchange,
    idsOf(path).map((id) => act(state, id, exchange)),
  );
}

function whoAmI({ vo }: FtsState, isKnown: boolean) {
  const caller = isKnown
    ? { user_dn: 'dapple', vos: [vo], method: 'oauth2' }
    : { user_dn: 'anon', vos: [], method: 'unauthenticated' };
  return { ...caller, base_id: baseId, is_root: false };
}

function send({ response }: StorageExchange, status: number, content: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content));
}

function sendError(exchange: StorageExchange, status: string, message: string): void {
  send(exchange, Number.parseInt(status, 10), { status, message });
}

/** One job is answered with its own status; several with 207 if one of them has failed. */
function sendEntries(exchange: StorageExchange, entries: readonly JobEntry[]): void {
  const statuses = entries.map(({ http_status: status }) => Number.parseInt(status, 10));
  const hasFailed = statuses.some((status) => status >= 400);
  if (entries.length > 1) return send(exchange, hasFailed ? 207 : 200, entries);
  send(exchange, hasFailed ? (statuses[0] ?? 500) : 200, entries[0]);
}
