import { createHash } from 'node:crypto';

import type { FtsServiceJob, FtsState } from './fts-service-jobs.ts';

type Submission = Pick<FtsServiceJob, 'files' | 'params'>;
type Refusal = readonly [status: string, message: string];

/** A token as FTS wants one for a storage: it must have these claims. */
export function makeStorageToken(subject: string, claims: Readonly<Record<string, unknown>> = {}): string {
  const payload = {
    iss: 'https://iam.example.org/',
    sub: subject,
    aud: 'any',
    nbf: 0,
    exp: 9e9,
    scope: 'storage.read:/',
  };
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return [encode({ alg: 'RS256' }), encode({ ...payload, ...claims }), 'signature'].join('.');
}

/** Takes a job. @returns Its id, or why it is refused. */
export function submitJob(state: FtsState, { files, params }: Submission) {
  const id = uuid5(uuid5(state.baseId, state.vo), String(params['sid']));
  const complete = files.map((file) => addTokens(file, state.token));
  const error =
    findFlawOfTokens(complete) ??
    findFlawOfParams(params, complete) ??
    findFlawOfTape(state, params) ??
    findBan(state, files);
  if (error !== undefined) return { error };
  if (files.flatMap(urlsOf).some(({ href }) => href.length > 1_100))
    return { error: ['500 Internal Server Error', 'The server encountered an internal error'] as const };
  if (state.jobs.has(id)) return { error: conflict('The sid provided by the user is duplicated') };
  if (state.refusesDuplicates && isTaken(state, files))
    return { error: conflict('The submission is duplicated (t_file.dest_surl_uuid)') };
  const isFromTape = Number(params['bring_online'] ?? -1) > 0 || Number(params['copy_pin_lifetime'] ?? -1) > 0;
  state.jobs.set(id, { files: complete, params, state: isFromTape ? 'STAGING' : 'ACTIVE' });
  return { id };
}

const badRequest = (message: string): Refusal => ['400 Bad Request', message];
const conflict = (message: string): Refusal => ['409 Conflict', message];

/** Without tokens for the storages, the token of the caller stands for them. */
function addTokens(file: FtsServiceJob['files'][number], token: string) {
  return 'source_tokens' in file || 'destination_tokens' in file
    ? file
    : { ...file, source_tokens: [token], destination_tokens: [token] };
}

const tokensOf = (file: FtsServiceJob['files'][number]) => ({
  source: (file['source_tokens'] ?? []) as readonly unknown[],
  destination: (file['destination_tokens'] ?? []) as readonly unknown[],
});

function findFlawOfTokens(files: Submission['files']): Refusal | undefined {
  for (const file of files) {
    const { source, destination } = tokensOf(file);
    if (source.length === 0 || destination.length === 0)
      return badRequest('Both source_tokens and destination_tokens are required if one of them is present.');
    for (const token of [...source, ...destination]) {
      const claims = claimsOf(String(token));
      const missing = ['iss', 'nbf', 'exp', 'scope', 'aud'].find((claim) => claims[claim] === undefined);
      if (missing !== undefined) return badRequest(`Token does not contain an ${missing} claim`);
      if (Number(claims['exp']) < 1e9) return badRequest('Failed to validate access-token');
    }
  }
  return undefined;
}

function claimsOf(token: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function findFlawOfParams(params: Submission['params'], files: Submission['files']): Refusal | undefined {
  const { overwrite, overwrite_when_only_on_disk: onlyOnDisk, archive_timeout: archive = -1 } = params;
  if (overwrite === true && onlyOnDisk === true)
    return badRequest('Incompatible overwrite flags used at the same time');
  if (onlyOnDisk === true && Number(archive) <= 0)
    return badRequest("'overwrite-when-only-on-disk' requires 'archive-timeout' to be set");
  const longest = Math.max(...files.map((file) => JSON.stringify(file['metadata'] ?? null).length));
  return longest > 1_024
    ? badRequest('Invalid value within the request: Job Submission Refused, metadata exceeds size limit of 1024')
    : undefined;
}

function findFlawOfTape({ takesTokensForTape }: FtsState, params: Submission['params']): Refusal | undefined {
  if (takesTokensForTape) return undefined;
  const refuse = (what: string) => badRequest(`Requests to ${what} tape using token authentication are not supported`);
  if (Number(params['archive_timeout'] ?? -1) > 0) return refuse('archive to');
  return Number(params['bring_online'] ?? -1) > 0 ? refuse('retrieve from') : undefined;
}

const urlsOf = (file: Submission['files'][number]) =>
  [file['sources'], file['destinations']].flat().map((url) => new URL(String(url)));

function findBan({ banned }: FtsState, files: Submission['files']): Refusal | undefined {
  const hit = files.flatMap(urlsOf).find(({ protocol, hostname }) => banned.has(`${protocol}//${hostname}`));
  return hit === undefined
    ? undefined
    : ['403 Forbidden', `The following storage elements do not accept submissions: ${hit.host}`];
}

function isTaken({ jobs }: FtsState, files: Submission['files']): boolean {
  const destinations = (of: Submission['files']) => JSON.stringify(of.map((file) => file['destinations']));
  return [...jobs.values()].some((job) => job.state === 'ACTIVE' && destinations(job.files) === destinations(files));
}

/** As Python's `uuid.uuid5`. */
function uuid5(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest('hex');
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `5${hash.slice(13, 16)}`, variant + hash.slice(17, 20)];
  return [...parts, hash.slice(20, 32)].join('-');
}
