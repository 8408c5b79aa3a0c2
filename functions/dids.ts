import { dids } from '../lib/contract/dids.ts';
import { fail } from '../lib/errors.ts';
import { createHandler, type Operation } from '../lib/http/handler.ts';
import { toJson } from '../lib/json.ts';
import { addDid, addDids } from '../lib/operations/dids/add-dids.ts';
import { attachDids, attachDidsToDids } from '../lib/operations/dids/attach-dids.ts';
import { deleteMetadata } from '../lib/operations/dids/delete-metadata.ts';
import { detachDids } from '../lib/operations/dids/detach-dids.ts';
import { listDatasetsOfGuid, listFilesOfGuid } from '../lib/operations/dids/find-by-guid.ts';
import { follow, listFollowersOf, unfollow } from '../lib/operations/dids/follow.ts';
import { getDid } from '../lib/operations/dids/get-did.ts';
import { getBulkMetadata, getMetadata } from '../lib/operations/dids/get-metadata.ts';
import { listBulkFiles } from '../lib/operations/dids/list-bulk-files.ts';
import { listContent, listFiles, listParentsOf } from '../lib/operations/dids/list-content.ts';
import { listContentHistory } from '../lib/operations/dids/list-history.ts';
import { listNewDids } from '../lib/operations/dids/list-new.ts';
import { listAssociatedRules, listRules } from '../lib/operations/dids/list-rules-of-did.ts';
import { listScope } from '../lib/operations/dids/list-scope.ts';
import { resurrect } from '../lib/operations/dids/resurrect.ts';
import { createSample } from '../lib/operations/dids/sample.ts';
import { search } from '../lib/operations/dids/search.ts';
import { setDidsMetadataBulk, setMetadata, setMetadataBulk } from '../lib/operations/dids/set-metadata.ts';
import { setStatus } from '../lib/operations/dids/set-status.ts';

const get: Operation<typeof dids.routes.getDid> = (context, { params, query }) =>
  getDid(context, params.did, isDynamic(query));

const searchScope: Operation<typeof dids.routes.searchDids> = (context, { params, query, rawQuery, page }) =>
  search(context, params.scope, rawQuery, query, page);

export const handler = createHandler(dids, {
  addDids: (context, { body }) => addDids(context, body),
  attachDidsToDids: (context, { body }) => attachDidsToDids(context, body.attachments, body.ignore_duplicate),
  listScope: (context, { params, query, page }) => listScope(context, params.scope, query, page),
  addDid: (context, { params, body }) => addDid(context, params.did, body),
  getDid: get,
  getDidStatus: get,
  setStatus: (context, { params, body }) => setStatus(context, params.did, body),
  listContent: (context, { params, page }) => listContent(context, params.did, page),
  attachDids: (context, { params, body }) => attachDids(context, params.did, body.dids, body.rse),
  detachDids: (context, { params, body }) => detachDids(context, params.did, body.dids),
  listFiles: (context, { params, query, page }) => listFiles(context, params.did, query.long, page),
  listParents: (context, { params, page }) => listParentsOf(context, params.did, page),

  getBulkMetadata: async (context, { body, headers }) =>
    asStreamOrList(headers['accept'], await Array.fromAsync(getBulkMetadata(context, body))),
  setDidsMetadataBulk: (context, { body }) => setDidsMetadataBulk(context, body.dids),
  getMetadata: (context, { params, query }) => getMetadata(context, params.did, query.plugin),
  setMetadataBulk: (context, { params, body }) => setMetadataBulk(context, params.did, body),
  setMetadata: (context, { params, body }) => setMetadata(context, params.did, { ...body, key: params.key }),
  deleteMetadata: (context, { params, query }) => deleteMetadata(context, params.did, query.key),

  listContentHistory: (context, { params, page }) => listContentHistory(context, params.did, page),
  listBulkFiles: (context, { body }) => listBulkFiles(context, body.dids),
  listByGuid: (context, { params, headers, page }) =>
    isRucioClient(headers)
      ? listDatasetsOfGuid(context, params.guid, page)
      : listFilesOfGuid(context, params.guid, page),
  listNewDids: (context, { query, page }) => listNewDids(context, query.type, page),
  createSample: (context, { body }) => createSample(context, body),
  createSampleByPath: (context, { params }) => createSample(context, params),
  resurrect: (context, { body }) => resurrect(context, body),
  listFollowers: (context, { params, page }) => listFollowersOf(context, params.did, page),
  follow: (context, { params, body }) => follow(context, params.did, body.account),
  listRules: (context, { params, page }) => listRules(context, params.did, page),
  listAssociatedRules: (context, { params, page }) => listAssociatedRules(context, params.did, page),
  searchDids: searchScope,
  searchDidsExtended: searchScope,
  unfollow: (context, { params, body }) => unfollow(context, params.did, body.account),
});

/** `dynamic_depth` wins over `dynamic`; any depth counts the same here, since datasets are always exact. */
function isDynamic({ dynamic, dynamic_depth }: { dynamic: boolean; dynamic_depth?: string | undefined }): boolean {
  return dynamic_depth === undefined ? dynamic : /^(file|dataset)$/i.test(dynamic_depth);
}

/**
 * The clients that expect datasets of a GUID where the interface document says files (docs/compatibility.md). Programs
 * give the official client names of their own, but it always says which script it serves.
 */
function isRucioClient(headers: Readonly<Record<string, string>>): boolean {
  return headers['x-rucio-script'] !== undefined || headers['user-agent']?.startsWith('rucio-clients/') === true;
}

/** A stream, but a list for a client that takes JSON and no stream (spec/dids.md 6 #14). */
function asStreamOrList(accept: string | undefined, rows: readonly unknown[]) {
  const ranges = (accept ?? '').split(',').map((range) => range.split(';')[0]?.trim().toLowerCase() ?? '');
  const stream = new Set(['', '*/*', 'application/*', 'application/x-json-stream']);
  if (ranges.some((range) => stream.has(range))) return { body: lines(rows) };
  if (ranges.includes('application/json')) {
    return { headers: { 'Content-Type': 'application/json' }, body: toJson(rows) };
  }
  return fail(
    'UnsupportedRequestedContentType',
    `The requested content type ${accept} is not supported. Use ['application/x-json-stream'].`,
  );
}

const lines = (rows: readonly unknown[]) => rows.map((row) => `${toJson(row)}\n`).join('');
