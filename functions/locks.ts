import { locks } from '../lib/contract/locks.ts';
import { createHandler } from '../lib/http/handler.ts';
import { listDatasetLocksBulk } from '../lib/operations/locks/list-locks-bulk.ts';
import { listDatasetLocks, listDatasetLocksOnRse } from '../lib/operations/locks/list-locks.ts';

export const handler = createHandler(locks, {
  listDatasetLocksBulk: (context, { body }) => listDatasetLocksBulk(context, body.dids),
  listDatasetLocksOnRse: (context, { params, page }) => listDatasetLocksOnRse(context, params.rse, page),
  listDatasetLocks: (context, { params, page }) => listDatasetLocks(context, params.did, page),
});
