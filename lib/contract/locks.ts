import { group } from './route.ts';
import { datasetLock, lockedDids, lockQuery } from './schemas/lock.ts';

const stream = 'application/x-json-stream';

/** Locks of rules on datasets (spec/replication.md 4). */
export const locks = group('locks', ['/locks'], {
  listDatasetLocksBulk: {
    method: 'POST',
    path: '/locks/bulk_locks_for_dids',
    summary: 'Locks on datasets, including those below containers, each once',
    permission: 'any',
    reads: true,
    accept: stream,
    body: { schema: lockedDids, json: 'dictionary', name: 'dids' },
    answer: { kind: 'stream', schema: datasetLock },
    errors: { ValueError: 400 },
  },
  listDatasetLocksOnRse: {
    method: 'GET',
    path: '/locks/:rse',
    summary: 'Locks on datasets on an RSE, by scope and name',
    permission: 'any',
    accept: stream,
    query: lockQuery,
    pages: true,
    answer: { kind: 'stream', schema: datasetLock },
    errors: { ValueError: 400, RSENotFound: 404 },
  },
  listDatasetLocks: {
    method: 'GET',
    path: '/locks/**:scope_name',
    summary: 'Locks on a dataset',
    permission: 'any',
    accept: stream,
    query: lockQuery,
    pages: true,
    answer: { kind: 'stream', schema: datasetLock },
    errors: { ValueError: 400 },
  },
});
