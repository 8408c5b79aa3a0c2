import { rses } from '../lib/contract/rses.ts';
import { addRse } from '../lib/domain/rses/add-rse.ts';
import { getRse } from '../lib/domain/rses/get-rse.ts';
import { createHandler } from '../lib/http/handler.ts';

export const handler = createHandler(rses, {
  addRse: (context, { params, body }) => addRse(context, params.rse, body),
  getRse: (context, { params }) => getRse(context, params.rse),
});
