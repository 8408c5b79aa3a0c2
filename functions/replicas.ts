import { replicas } from '../lib/contract/replicas.ts';
import { addReplicas } from '../lib/domain/replicas/add-replicas.ts';
import { listDatasetReplicas, listDatasetReplicasBulk } from '../lib/domain/replicas/dataset-replicas.ts';
import { listDatasetsPerRse } from '../lib/domain/replicas/datasets-of-rse.ts';
import { deleteReplicas } from '../lib/domain/replicas/delete-replicas.ts';
import { listReplicas } from '../lib/domain/replicas/list-replicas.ts';
import { setTombstone } from '../lib/domain/replicas/set-tombstone.ts';
import { updateReplicas } from '../lib/domain/replicas/update-replicas.ts';
import { readSimpleWish, readWish } from '../lib/domain/replicas/wish.ts';
import { createHandler } from '../lib/http/handler.ts';
import { metalinkType } from '../lib/http/metalink.ts';

export const handler = createHandler(replicas, {
  addReplicas: (context, { body }) => addReplicas(context, body),
  updateReplicas: (context, { body }) => updateReplicas(context, body),
  deleteReplicas: (context, { body }) => deleteReplicas(context, body),
  listReplicas: (context, { query, body, mediaType }) =>
    listReplicas(context, readWish(body, query, mediaType === metalinkType)),
  getReplicas: (context, { params, query, mediaType }) =>
    listReplicas(context, readSimpleWish(params.did, query, mediaType === metalinkType)),
  listDatasetReplicas: (context, { params, query }) => listDatasetReplicas(context, params.did, query.deep),
  listDatasetReplicasBulk: (context, { body }) => listDatasetReplicasBulk(context, body.dids),
  listDatasetReplicasVp: () => noRows(),
  listDatasetsPerRse: (context, { params }) => listDatasetsPerRse(context, params.rse),
  setTombstone: (context, { body }) => setTombstone(context, body.replicas),
});

/** There is no virtual placement service. */
async function* noRows(): AsyncGenerator<never> {}
