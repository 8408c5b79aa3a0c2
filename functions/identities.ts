import { identities } from '../lib/contract/identities.ts';
import { createHandler } from '../lib/http/handler.ts';
import { addX509 } from '../lib/operations/accounts/add-identity.ts';
import { listAccountsOfIdentity } from '../lib/operations/accounts/list-identities.ts';
import { putUserPass } from '../lib/operations/accounts/set-password.ts';
import { refuseKerberos } from '../lib/operations/auth/kerberos.ts';

export const handler = createHandler(identities, {
  addUserPass: (context, { params, headers }) =>
    putUserPass(context, {
      account: params.account,
      username: headers['x-rucio-username'],
      password: headers['x-rucio-password'],
      email: headers['x-rucio-email'],
      current: headers['x-rucio-current-password'],
    }),
  addX509: (context, { params, headers, certificateDn }) =>
    addX509(context, { account: params.account, dn: certificateDn, email: headers['x-rucio-email'] }),
  addGss: () => refuseKerberos('REMOTE_USER and email must be set.'),
  listAccountsOfIdentity: (context, { query, page }) =>
    listAccountsOfIdentity(context, { identity: query.identity_key, type: query.type }, page),
  listAccountsOfIdentityByPath: (context, { params, page }) => listAccountsOfIdentity(context, params, page),
});
