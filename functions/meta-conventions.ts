import { metaConventions } from '../lib/contract/meta-conventions.ts';
import { createHandler } from '../lib/http/handler.ts';
import { addKey, addValue, listKeys, listValues } from '../lib/operations/meta-conventions/conventions.ts';

export const handler = createHandler(metaConventions, {
  listKeys: (context, { page }) => listKeys(context, page),
  listValues: (context, { params, page }) => listValues(context, params.key, page),
  addKeyOrValue: (context, { params: { key }, body: { value, ...convention } }) =>
    value === undefined || 'key_type' in convention ? addKey(context, key, convention) : addValue(context, key, value),
});
