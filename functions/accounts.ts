import { accounts } from '../lib/contract/accounts.ts';
import { addAccount } from '../lib/domain/accounts/add-account.ts';
import { addAttribute, deleteAttribute, listAttributes } from '../lib/domain/accounts/attributes.ts';
import { getAccount } from '../lib/domain/accounts/get-account.ts';
import { listAccounts } from '../lib/domain/accounts/list-accounts.ts';
import { deleteAccount, updateAccount } from '../lib/domain/accounts/update-account.ts';
import { addAccountIdentity } from '../lib/domain/identities/add-identity.ts';
import { deleteAccountIdentity } from '../lib/domain/identities/delete-identity.ts';
import { listIdentities } from '../lib/domain/identities/list-identities.ts';
import { addScope } from '../lib/domain/scopes/add-scope.ts';
import { listScopesOfAccount } from '../lib/domain/scopes/list-scopes.ts';
import { createHandler } from '../lib/http/handler.ts';

export const handler = createHandler(accounts, {
  listAccounts: (context, { query }) => listAccounts(context, query),
  whoAmI: ({ issuer }) => ({ location: issuer.account }),
  getAccount: (context, { params }) => getAccount(context, params.account),
  addAccount: (context, { params, body }) => addAccount(context, { ...body, ...params }),
  updateAccount: (context, { params, body }) => updateAccount(context, params.account, body),
  deleteAccount: (context, { params }) => deleteAccount(context, params.account),

  listAttributes: (context, { params }) => listAttributes(context, params.account),
  addAttribute: (context, { params, body }) => addAttribute(context, { ...body, ...params }),
  deleteAttribute: (context, { params }) => deleteAttribute(context, params),

  listAccountScopes: (context, { params }) => listScopesOfAccount(context, params.account, 'account ID'),
  addAccountScope: (context, { params }) => addScope(context, params),

  listIdentities: (context, { params }) => listIdentities(context, params.account),
  addAccountIdentity: (context, { params, body }) => addAccountIdentity(context, { ...body, ...params }),
  deleteAccountIdentity: (context, { params, body }) => deleteAccountIdentity(context, { ...body, ...params }),
});
