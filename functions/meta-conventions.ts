import { metaConventions } from '../lib/contract/meta-conventions.ts';
import { createHandler } from '../lib/http/handler.ts';
import { addKeyOrValue, listKeys, listValues } from '../lib/operations/meta-conventions/conventions.ts';

export const handler = createHandler(metaConventions, {
  listKeys: (context, { page }) => listKeys(context, page),
  listValues: (context, { params, page }) => listValues(context, params.key, page),
  addKeyOrValue: (context, { params, body }) => addKeyOrValue(context, params.key, body),
});
