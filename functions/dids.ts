import { dids } from '../lib/contract/dids.ts';
import { addDid, addDids } from '../lib/domain/dids/add-dids.ts';
import { attachDids, attachDidsToDids } from '../lib/domain/dids/attach-dids.ts';
import { detachDids } from '../lib/domain/dids/detach-dids.ts';
import { getDid } from '../lib/domain/dids/get-did.ts';
import { listContent, listFiles, listParentsOf } from '../lib/domain/dids/list-content.ts';
import { listScope } from '../lib/domain/dids/list-scope.ts';
import { setStatus } from '../lib/domain/dids/set-status.ts';
import { createHandler, type Operation } from '../lib/http/handler.ts';

const get: Operation<typeof dids.routes.getDid> = (context, { params, query }) =>
  getDid(context, params.did, isDynamic(query));

export const handler = createHandler(dids, {
  addDids: (context, { body }) => addDids(context, body),
  attachDidsToDids: (context, { body }) => attachDidsToDids(context, body.attachments, body.ignore_duplicate),
  listScope: (context, { params, query }) => listScope(context, params.scope, query),
  addDid: (context, { params, body }) => addDid(context, params.did, body),
  getDid: get,
  getDidStatus: get,
  setStatus: (context, { params, body }) => setStatus(context, params.did, body),
  listContent: (context, { params }) => listContent(context, params.did),
  attachDids: (context, { params, body }) => attachDids(context, params.did, body.dids, body.rse),
  detachDids: (context, { params, body }) => detachDids(context, params.did, body.dids),
  listFiles: (context, { params, query }) => listFiles(context, params.did, query.long),
  listParents: (context, { params }) => listParentsOf(context, params.did),
});

/** `dynamic_depth` wins over `dynamic`; any depth counts the same here, since datasets are always exact. */
function isDynamic({ dynamic, dynamic_depth }: { dynamic: boolean; dynamic_depth?: string | undefined }): boolean {
  return dynamic_depth === undefined ? dynamic : /^(file|dataset)$/i.test(dynamic_depth);
}
