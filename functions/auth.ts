import { auth } from '../lib/contract/auth.ts';
import type { Login } from '../lib/domain/auth/caller.ts';
import { issueChallenge } from '../lib/domain/auth/ssh-challenge.ts';
import type { AnonymousContext } from '../lib/domain/values/context.ts';
import { createHandler } from '../lib/http/handler.ts';
import type { TextReply } from '../lib/http/respond.ts';
import { refuseKerberos } from '../lib/operations/auth/kerberos.ts';
import { logInWithSsh } from '../lib/operations/auth/log-in-ssh.ts';
import { logInWithX509 } from '../lib/operations/auth/log-in-x509.ts';
import { logIn } from '../lib/operations/auth/log-in.ts';
import { validateToken } from '../lib/operations/auth/validate-token.ts';
import { formatDate } from '../lib/time.ts';

type Headers = Readonly<Record<string, string>>;

const caller = (headers: Headers) => ({ vo: headers['x-rucio-vo'], account: headers['x-rucio-account'] });

const logInByCertificate = async (
  context: AnonymousContext,
  { headers, certificateDn }: { readonly headers: Headers; readonly certificateDn: string | undefined },
): Promise<TextReply> => {
  const canChoose = headers['x-rucio-allow-return-multiple-accounts']?.toLowerCase() === 'true';
  return reply(await logInWithX509(context, { ...caller(headers), dn: certificateDn, canChoose }));
};

export const handler = createHandler(auth, {
  logIn: async (context, { headers }) =>
    reply(
      await logIn(context, {
        ...caller(headers),
        username: headers['x-rucio-username'],
        password: headers['x-rucio-password'],
      }),
    ),
  logInWithX509: logInByCertificate,
  logInWithProxy: logInByCertificate,
  logInToWebUi: logInByCertificate,
  getSshChallenge: async (context, { headers }) => {
    const { challenge, expiresAt } = await issueChallenge(context, caller(headers));
    const names = { 'X-Rucio-SSH-Challenge-Token': challenge };
    return { headers: { ...names, 'X-Rucio-SSH-Challenge-Token-Expires': formatDate(expiresAt) }, body: '' };
  },
  logInWithSsh: async (context, { headers }) => {
    const signature = headers['x-rucio-ssh-signature'];
    return { headers: tokenHeaders(await logInWithSsh(context, { ...caller(headers), signature })), body: '' };
  },
  logInWithGss: () => refuseKerberos('Account and REMOTE_USER must be set.'),
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
  return { headers: { ...tokenHeaders(login), 'X-Rucio-Auth-Account': login.account }, body: '' };
}

function tokenHeaders({ token, expiresAt }: { readonly token: string; readonly expiresAt: number }) {
  return { 'X-Rucio-Auth-Token': token, 'X-Rucio-Auth-Token-Expires': formatDate(expiresAt) };
}
