import { lifetimeExceptions } from '../lib/contract/lifetime-exceptions.ts';
import { addLifetimeExceptions } from '../lib/domain/lifetime/add-exceptions.ts';
import { listLifetimeExceptions } from '../lib/domain/lifetime/list-exceptions.ts';
import { updateLifetimeException } from '../lib/domain/lifetime/update-exception.ts';
import { createHandler } from '../lib/http/handler.ts';
import { toJson } from '../lib/json.ts';

export const handler = createHandler(lifetimeExceptions, {
  listLifetimeExceptions: (context, { page }) => listLifetimeExceptions(context, undefined, page),
  addLifetimeExceptions: {
    run: (context, { body }) => addLifetimeExceptions(context, body),
    present: (added) => ({ status: 201, body: toJson(added) }),
  },
  getLifetimeException: (context, { params, page }) => listLifetimeExceptions(context, params.exception_id, page),
  updateLifetimeException: (context, { params, body }) =>
    updateLifetimeException(context, params.exception_id, body.state),
});
