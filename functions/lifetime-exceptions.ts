import { lifetimeExceptions } from '../lib/contract/lifetime-exceptions.ts';
import { createHandler } from '../lib/http/handler.ts';
import { createdReply } from '../lib/http/respond.ts';
import { addLifetimeExceptions } from '../lib/operations/lifetime-exceptions/add-exceptions.ts';
import { listExceptionRecords } from '../lib/operations/lifetime-exceptions/list-exceptions.ts';
import { updateLifetimeException } from '../lib/operations/lifetime-exceptions/update-exception.ts';

export const handler = createHandler(lifetimeExceptions, {
  listLifetimeExceptions: (context, { page }) => listExceptionRecords(context, undefined, page),
  addLifetimeExceptions: {
    run: (context, { body }) => addLifetimeExceptions(context, body),
    present: createdReply,
  },
  getLifetimeException: (context, { params, page }) => listExceptionRecords(context, params.exception_id, page),
  updateLifetimeException: (context, { params, body }) =>
    updateLifetimeException(context, params.exception_id, body.state),
});
