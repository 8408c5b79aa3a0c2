import { locks } from '../lib/contract/locks.ts';
import { listDatasetLocksBulk } from '../lib/domain/locks/list-locks-bulk.ts';
import { listDatasetLocks, listDatasetLocksOnRse } from '../lib/domain/locks/list-locks.ts';
import { createHandler } from '../lib/http/handler.ts';

export const handler = createHandler(locks, {
  listDatasetLocksBulk: (context, { body }) => listDatasetLocksBulk(context, body.dids),
  listDatasetLocksOnRse: (context, { params, page }) => listDatasetLocksOnRse(context, params.rse, page),
  listDatasetLocks: (context, { params, page }) => listDatasetLocks(context, params.did, page),
});
