import { opendata } from '../lib/contract/opendata.ts';
import { createHandler } from '../lib/http/handler.ts';
import { addOpendata, removeOpendata, updateOpendata } from '../lib/operations/opendata/change-opendata.ts';
import { getOpendataDid } from '../lib/operations/opendata/get-opendata.ts';
import { listOpendataDids } from '../lib/operations/opendata/list-opendata.ts';
import { listDiskPfns } from '../lib/operations/replicas/list-disk-pfns.ts';

/** Lists of a DID for anybody, and those for a caller with a token. */
const publicFiles = { listPfns: listDiskPfns, maxAttachments: 1_000 };
const allFiles = { listPfns: listDiskPfns, maxAttachments: 10_000 };

export const handler = createHandler(opendata, {
  listPublicOpendata: (context, { query, page }) => listOpendataDids(context, { ...query, state: 'PUBLIC' }, page),
  getPublicOpendata: (context, { params, query }) =>
    getOpendataDid(context, params.did, { ...query, state: 'PUBLIC' }, publicFiles),
  listOpendata: (context, { query, page }) => listOpendataDids(context, query, page),
  getOpendata: (context, { params, query }) => getOpendataDid(context, params.did, query, allFiles),
  addOpendata: {
    run: (context, { params }) => addOpendata(context, params.did),
    present: () => ({ status: 201, body: '' }),
  },
  updateOpendata: (context, { params, body }) => updateOpendata(context, params.did, body),
  removeOpendata: {
    run: (context, { params }) => removeOpendata(context, params.did),
    present: () => ({ status: 204, body: '' }),
  },
});
