import { replicas } from '../lib/contract/replicas.ts';
import { createHandler } from '../lib/http/handler.ts';
import { createdReply } from '../lib/http/respond.ts';
import { addReplicas } from '../lib/operations/replicas/add-replicas.ts';
import { addTraces } from '../lib/operations/replicas/add-traces.ts';
import {
  addBadPfns,
  declareBad,
  declareBadDids,
  declareSuspicious,
} from '../lib/operations/replicas/declare-replicas.ts';
import { deleteReplicas } from '../lib/operations/replicas/delete-replicas.ts';
import { dumpReplicas } from '../lib/operations/replicas/dump-replicas.ts';
import { listBadStates } from '../lib/operations/replicas/list-bad-states.ts';
import { listDatasetReplicas, listDatasetReplicasBulk } from '../lib/operations/replicas/list-dataset-replicas.ts';
import { listDatasetsPerRse } from '../lib/operations/replicas/list-datasets-per-rse.ts';
import { listDeletableReplicas } from '../lib/operations/replicas/list-deletable.ts';
import { listDidsOfPfns } from '../lib/operations/replicas/list-dids-of-pfns.ts';
import { listReplicas } from '../lib/operations/replicas/list-replicas.ts';
import { signPfns } from '../lib/operations/replicas/list-signed-replicas.ts';
import { listSuspicious } from '../lib/operations/replicas/list-suspicious.ts';
import { quarantineReplicas } from '../lib/operations/replicas/quarantine-replicas.ts';
import { listForMetalink, redirectToReplica } from '../lib/operations/replicas/redirect.ts';
import { readSimpleReplicaQuery, readReplicaQuery } from '../lib/operations/replicas/replica-query.ts';
import { setTombstone } from '../lib/operations/replicas/set-tombstone.ts';
import { summariseBadReplicas } from '../lib/operations/replicas/summarise-bad-replicas.ts';
import { updateReplicas } from '../lib/operations/replicas/update-replicas.ts';

export const handler = createHandler(replicas, {
  addReplicas: (context, { body }) => addReplicas(context, body),
  updateReplicas: (context, { body }) => updateReplicas(context, body),
  deleteReplicas: (context, { body }) => deleteReplicas(context, body),
  listReplicas: (context, { query, body, wantsMetalink }) =>
    signPfns(context, listReplicas(context, readReplicaQuery(body, query, wantsMetalink)), body.signature_lifetime),
  getReplicas: (context, { params, query, wantsMetalink }) =>
    listReplicas(context, readSimpleReplicaQuery(params.did, query, wantsMetalink)),
  listDatasetReplicas: (context, { params, query }) => listDatasetReplicas(context, params.did, query.deep),
  listDatasetReplicasBulk: (context, { body }) => listDatasetReplicasBulk(context, body.dids),
  listDatasetReplicasVp: () => noRows(),
  listDatasetsPerRse: (context, { params }) => listDatasetsPerRse(context, params.rse),
  setTombstone: (context, { body }) => setTombstone(context, body.replicas),
  dumpReplicas: (context, { query, page }) => dumpReplicas(context, query.rse, page),
  listDeletableReplicas: (context, { query, page }) => listDeletableReplicas(context, query.rse, page),

  declareBadReplicas: { run: (context, { body }) => declareBad(context, body), present: createdReply },
  declareBadDids: { run: (context, { body }) => declareBadDids(context, body), present: createdReply },
  addBadPfns: (context, { body }) => addBadPfns(context, body),
  listBadStates: (context, { query, page }) => listBadStates(context, query, page),
  summariseBadReplicas: (context, { query }) => summariseBadReplicas(context, query),
  declareSuspiciousReplicas: { run: (context, { body }) => declareSuspicious(context, body), present: createdReply },
  listSuspiciousReplicas: (context, { query }) => listSuspicious(context, query),
  quarantineReplicas: (context, { body }) => quarantineReplicas(context, body),
  listDidsOfPfns: (context, { body }) => listDidsOfPfns(context, body.pfns, body.rse),

  redirect: async (context, { params, query }) => {
    const { pfn, link } = await redirectToReplica(context, params.did, query);
    return { status: 303, headers: { Location: pfn, Link: link }, body: '' };
  },
  redirectToMetalink: (context, { params, query }) => listForMetalink(context, params.did, query),
  addTraces: async (context, { body, sourceIp }) => {
    await addTraces(context, body, sourceIp);
    return { status: 201, body: 'Created' };
  },
});

/** Dapple has no virtual placement service. */
async function* noRows(): AsyncGenerator<never> {}
