import { accounts } from '../lib/contract/accounts.ts';
import { createHandler } from '../lib/http/handler.ts';
import {
  addAccountAttribute,
  deleteAccountAttribute,
  listAccountAttributes,
} from '../lib/operations/accounts/account-attributes.ts';
import { addAccount } from '../lib/operations/accounts/add-account.ts';
import { addAccountIdentity } from '../lib/operations/accounts/add-identity.ts';
import { addScope } from '../lib/operations/accounts/add-scope.ts';
import { deleteAccountIdentity } from '../lib/operations/accounts/delete-identity.ts';
import { getAccountRecord } from '../lib/operations/accounts/get-account.ts';
import {
  getLimitOnExpression,
  getLimitOnRse,
  listLimitsOnExpressions,
  listLimitsOnRses,
} from '../lib/operations/accounts/list-account-limits.ts';
import { listActiveAccounts } from '../lib/operations/accounts/list-accounts.ts';
import { listIdentities } from '../lib/operations/accounts/list-identities.ts';
import { listOwnRights } from '../lib/operations/accounts/list-own-rights.ts';
import { listRulesOfAccount } from '../lib/operations/accounts/list-rules-of-account.ts';
import { listScopesOfAccount } from '../lib/operations/accounts/list-scopes.ts';
import {
  deleteLimitOnExpression,
  deleteLimitOnRse,
  setLimitOnExpression,
  setLimitOnRse,
} from '../lib/operations/accounts/set-account-limits.ts';
import { deleteAccount, updateAccount } from '../lib/operations/accounts/update-account.ts';
import {
  getUsageOnExpression,
  getUsageOnRse,
  getUsageHistory,
  listUsageOnExpressions,
  listUsageOnRses,
} from '../lib/operations/accounts/usage-of-account.ts';

export const handler = createHandler(accounts, {
  listAccounts: (context, { query, page }) => listActiveAccounts(context, query, page),
  whoAmI: ({ issuer }) => ({ location: issuer.account }),
  listOwnRights: (context, { query }) => listOwnRights(context, query),
  getAccount: (context, { params }) => getAccountRecord(context, params.account),
  addAccount: (context, { params, body }) => addAccount(context, { ...body, ...params }),
  updateAccount: (context, { params, body }) => updateAccount(context, params.account, body),
  deleteAccount: (context, { params }) => deleteAccount(context, params.account),

  listAttributes: (context, { params, page }) => listAccountAttributes(context, params.account, page),
  addAttribute: (context, { params, body }) => addAccountAttribute(context, { ...body, ...params }),
  deleteAttribute: (context, { params }) => deleteAccountAttribute(context, params),

  listAccountScopes: (context, { params, page }) => listScopesOfAccount(context, params.account, 'account ID', page),
  addAccountScope: (context, { params }) => addScope(context, params),

  listIdentities: (context, { params, page }) => listIdentities(context, params.account, page),
  addAccountIdentity: (context, { params, body }) => addAccountIdentity(context, { ...body, ...params }),
  deleteAccountIdentity: (context, { params, body }) => deleteAccountIdentity(context, { ...body, ...params }),

  listRulesOfAccount: (context, { params, page }) => listRulesOfAccount(context, params.account, page),

  listLocalLimits: (context, { params }) => listLimitsOnRses(context, params.account),
  listLimits: (context, { params }) => listLimitsOnRses(context, params.account),
  getLocalLimit: (context, { params }) => getLimitOnRse(context, params),
  getLimit: (context, { params }) => getLimitOnRse(context, params),
  setLocalLimit: (context, { params, body }) => setLimitOnRse(context, { ...body, ...params }),
  deleteLocalLimit: (context, { params }) => deleteLimitOnRse(context, params),
  listGlobalLimits: (context, { params }) => listLimitsOnExpressions(context, params.account),
  getGlobalLimit: (context, { params }) => getLimitOnExpression(context, params),
  setGlobalLimit: (context, { params, body }) => setLimitOnExpression(context, { ...body, ...params }),
  deleteGlobalLimit: (context, { params }) => deleteLimitOnExpression(context, params),

  listLocalUsage: (context, { params, page }) => listUsageOnRses(context, params.account, page),
  listUsage: (context, { params, page }) => listUsageOnRses(context, params.account, page),
  getLocalUsage: (context, { params, page }) => getUsageOnRse(context, params, page),
  getUsage: (context, { params, page }) => getUsageOnRse(context, params, page),
  listGlobalUsage: (context, { params, page }) => listUsageOnExpressions(context, params.account, page),
  getGlobalUsage: (context, { params, page }) => getUsageOnExpression(context, params, page),
  getUsageHistory: (context, { params, page }) => getUsageHistory(context, params, page),

  setLegacyLocalLimit: (context, { params, body }) => setLimitOnRse(context, { ...body, ...params }),
  deleteLegacyLocalLimit: (context, { params }) => deleteLimitOnRse(context, params),
  setLegacyLimit: (context, { params, body }) => setLimitOnRse(context, { ...body, ...params }),
  deleteLegacyLimit: (context, { params }) => deleteLimitOnRse(context, params),
  setLegacyGlobalLimit: (context, { params, body }) => setLimitOnExpression(context, { ...body, ...params }),
  deleteLegacyGlobalLimit: (context, { params }) => deleteLimitOnExpression(context, params),
});
