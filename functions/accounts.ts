import { accounts } from '../lib/contract/accounts.ts';
import { createHandler } from '../lib/http/handler.ts';
import { addAccount } from '../lib/operations/accounts/add-account.ts';
import { addAccountIdentity } from '../lib/operations/accounts/add-identity.ts';
import { addScope } from '../lib/operations/accounts/add-scope.ts';
import { addAttribute, deleteAttribute, listAttributes } from '../lib/operations/accounts/attributes.ts';
import { deleteAccountIdentity } from '../lib/operations/accounts/delete-identity.ts';
import { getAccount } from '../lib/operations/accounts/get-account.ts';
import { listAccounts } from '../lib/operations/accounts/list-accounts.ts';
import { listIdentities } from '../lib/operations/accounts/list-identities.ts';
import { getGlobal, getLocal, listGlobal, listLocal } from '../lib/operations/accounts/list-limits.ts';
import { listRulesOfAccount } from '../lib/operations/accounts/list-rules-of-account.ts';
import { listScopesOfAccount } from '../lib/operations/accounts/list-scopes.ts';
import { deleteGlobal, deleteLocal, setGlobal, setLocal } from '../lib/operations/accounts/set-limits.ts';
import { deleteAccount, updateAccount } from '../lib/operations/accounts/update-account.ts';
import {
  getGlobalUsage,
  getLocalUsage,
  getUsageHistory,
  listGlobalUsage,
  listLocalUsage,
} from '../lib/operations/accounts/usage.ts';

export const handler = createHandler(accounts, {
  listAccounts: (context, { query, page }) => listAccounts(context, query, page),
  whoAmI: ({ issuer }) => ({ location: issuer.account }),
  getAccount: (context, { params }) => getAccount(context, params.account),
  addAccount: (context, { params, body }) => addAccount(context, { ...body, ...params }),
  updateAccount: (context, { params, body }) => updateAccount(context, params.account, body),
  deleteAccount: (context, { params }) => deleteAccount(context, params.account),

  listAttributes: (context, { params, page }) => listAttributes(context, params.account, page),
  addAttribute: (context, { params, body }) => addAttribute(context, { ...body, ...params }),
  deleteAttribute: (context, { params }) => deleteAttribute(context, params),

  listAccountScopes: (context, { params, page }) => listScopesOfAccount(context, params.account, 'account ID', page),
  addAccountScope: (context, { params }) => addScope(context, params),

  listIdentities: (context, { params, page }) => listIdentities(context, params.account, page),
  addAccountIdentity: (context, { params, body }) => addAccountIdentity(context, { ...body, ...params }),
  deleteAccountIdentity: (context, { params, body }) => deleteAccountIdentity(context, { ...body, ...params }),

  listRulesOfAccount: (context, { params, page }) => listRulesOfAccount(context, params.account, page),

  listLocalLimits: (context, { params }) => listLocal(context, params.account),
  listLimits: (context, { params }) => listLocal(context, params.account),
  getLocalLimit: (context, { params }) => getLocal(context, params),
  getLimit: (context, { params }) => getLocal(context, params),
  setLocalLimit: (context, { params, body }) => setLocal(context, { ...body, ...params }),
  deleteLocalLimit: (context, { params }) => deleteLocal(context, params),
  listGlobalLimits: (context, { params }) => listGlobal(context, params.account),
  getGlobalLimit: (context, { params }) => getGlobal(context, params),
  setGlobalLimit: (context, { params, body }) => setGlobal(context, { ...body, ...params }),
  deleteGlobalLimit: (context, { params }) => deleteGlobal(context, params),

  listLocalUsage: (context, { params, page }) => listLocalUsage(context, params.account, page),
  listUsage: (context, { params, page }) => listLocalUsage(context, params.account, page),
  getLocalUsage: (context, { params, page }) => getLocalUsage(context, params, page),
  getUsage: (context, { params, page }) => getLocalUsage(context, params, page),
  listGlobalUsage: (context, { params, page }) => listGlobalUsage(context, params.account, page),
  getGlobalUsage: (context, { params, page }) => getGlobalUsage(context, params, page),
  getUsageHistory: (context, { params, page }) => getUsageHistory(context, params, page),

  setLegacyLocalLimit: (context, { params, body }) => setLocal(context, { ...body, ...params }),
  deleteLegacyLocalLimit: (context, { params }) => deleteLocal(context, params),
  setLegacyLimit: (context, { params, body }) => setLocal(context, { ...body, ...params }),
  deleteLegacyLimit: (context, { params }) => deleteLocal(context, params),
  setLegacyGlobalLimit: (context, { params, body }) => setGlobal(context, { ...body, ...params }),
  deleteLegacyGlobalLimit: (context, { params }) => deleteGlobal(context, params),
});
