import { dids } from '../lib/contract/dids.ts';
import { createHandler } from '../lib/http/handler.ts';
import { replyWithLinesOrList } from '../lib/http/lines-or-list.ts';
import { byClient } from '../lib/http/official-client.ts';
import type { Operation } from '../lib/http/operation.ts';
import { addDid, addDids } from '../lib/operations/dids/add-dids.ts';
import { attachDids, attachDidsToDids } from '../lib/operations/dids/attach-dids.ts';
import { createSample } from '../lib/operations/dids/create-sample.ts';
import { deleteMetadata } from '../lib/operations/dids/delete-metadata.ts';
import { detachDids } from '../lib/operations/dids/detach-dids.ts';
import { listDatasetsOfGuid, listFilesOfGuid } from '../lib/operations/dids/find-by-guid.ts';
import { follow, listDidFollowers, unfollow } from '../lib/operations/dids/followers.ts';
import { showDid } from '../lib/operations/dids/get-did.ts';
import { getBulkMetadata, getMetadata } from '../lib/operations/dids/get-metadata.ts';
import { listBulkFiles } from '../lib/operations/dids/list-bulk-files.ts';
import { listContent, listFiles, listParents } from '../lib/operations/dids/list-content.ts';
import { listContentHistory } from '../lib/operations/dids/list-history.ts';
import { listNewDids } from '../lib/operations/dids/list-new.ts';
import { listAssociatedRules, listRules } from '../lib/operations/dids/list-rules-of-did.ts';
import { listScope } from '../lib/operations/dids/list-scope.ts';
import { resurrect } from '../lib/operations/dids/resurrect.ts';
import { search } from '../lib/operations/dids/search.ts';
import { setDidsMetadataBulk, setMetadata, setMetadataBulk } from '../lib/operations/dids/set-metadata.ts';
import { setStatus } from '../lib/operations/dids/set-status.ts';

const get: Operation<typeof dids.routes.getDid> = (context, { params, query }) => showDid(context, params.did, query);

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
  listParents: (context, { params, page }) => listParents(context, params.did, page),

  getBulkMetadata: (context, { body, headers }) =>
    replyWithLinesOrList(headers['accept'], getBulkMetadata(context, body)),
  setDidsMetadataBulk: (context, { body }) => setDidsMetadataBulk(context, body.dids),
  getMetadata: (context, { params, query }) => getMetadata(context, params.did, query.plugin),
  setMetadataBulk: (context, { params, body }) => setMetadataBulk(context, params.did, body),
  setMetadata: (context, { params, body }) => setMetadata(context, params.did, { ...body, key: params.key }),
  deleteMetadata: (context, { params, query }) => deleteMetadata(context, params.did, query.key),

  listContentHistory: (context, { params, page }) => listContentHistory(context, params.did, page),
  listBulkFiles: (context, { body }) => listBulkFiles(context, body.dids),
  // The official clients expect datasets where spec/interface.md 4.1 says files (docs/compatibility.md).
  listByGuid: byClient<typeof dids.routes.listByGuid>({
    official: (context, { params, page }) => listDatasetsOfGuid(context, params.guid, page),
    other: (context, { params, page }) => listFilesOfGuid(context, params.guid, page),
  }),
  listNewDids: (context, { query, page }) => listNewDids(context, query.type, page),
  createSample: (context, { body }) => createSample(context, body),
  createSampleByPath: (context, { params }) => createSample(context, params),
  resurrect: (context, { body }) => resurrect(context, body),
  listFollowers: (context, { params, page }) => listDidFollowers(context, params.did, page),
  follow: (context, { params, body }) => follow(context, params.did, body.account),
  listRules: (context, { params, page }) => listRules(context, params.did, page),
  listAssociatedRules: (context, { params, page }) => listAssociatedRules(context, params.did, page),
  searchDids: searchScope,
  searchDidsExtended: searchScope,
  unfollow: (context, { params, body }) => unfollow(context, params.did, body.account),
});
