import { scopes } from '../lib/contract/scopes.ts';
import { createHandler } from '../lib/http/handler.ts';
import { originOf } from '../lib/http/request.ts';
import { addScope } from '../lib/operations/accounts/add-scope.ts';
import { listScopeOwners, listScopeNames, listScopesOfAccount } from '../lib/operations/accounts/list-scopes.ts';
import { updateScope } from '../lib/operations/scopes/update-scope.ts';

export const handler = createHandler(scopes, {
  addScope: {
    run: (context, { params }) => addScope(context, params),
    present: (_decided, { params, headers }) => ({
      location: `${originOf(headers)}/scopes/${params.account}/${params.scope}`,
    }),
  },
  listScopes: (context, { page }) => listScopeNames(context, page),
  listScopeOwners: (context, { page }) => listScopeOwners(context, page),
  listScopesOfAccount: (context, { params, page }) => listScopesOfAccount(context, params.account, 'account', page),
  updateScope: (context, { params }) => updateScope(context, params),
});
