import { auth } from '../lib/contract/auth.ts';
import { type Login, logIn } from '../lib/domain/auth/log-in.ts';
import { validateToken } from '../lib/domain/auth/validate-token.ts';
import { createHandler } from '../lib/http/handler.ts';
import type { TextReply } from '../lib/http/respond.ts';
import { formatDate } from '../lib/time.ts';

export const handler = createHandler(auth, {
  logIn: async (context, { headers }) =>
    reply(
      await logIn(context, {
        vo: headers['x-rucio-vo'],
        account: headers['x-rucio-account'],
        username: headers['x-rucio-username'],
        password: headers['x-rucio-password'],
      }),
    ),
  validateToken: async (context, { headers }) => ({
    body: await validateToken(context, headers['x-rucio-auth-token']?.trim()),
  }),
});

/** The answers of Rucio's log-in stand in headers; the body repeats the accounts to choose from as Python writes them. */
function reply(login: Login): TextReply {
  if ('accounts' in login) {
    const { accounts } = login;
    return {
      status: 206,
      headers: { 'X-Rucio-Auth-Accounts': accounts.join(',') },
      body: `[${accounts.map((account) => JSON.stringify(account)).join(', ')}]`,
    };
  }
  return {
    headers: {
      'X-Rucio-Auth-Token': login.token,
      'X-Rucio-Auth-Token-Expires': formatDate(login.expiresAt),
      'X-Rucio-Auth-Account': login.account,
    },
    body: '',
  };
}
