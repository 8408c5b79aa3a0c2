import { auth } from '../lib/contract/auth.ts';
import { issueChallenge } from '../lib/domain/auth/ssh-challenge.ts';
import type { AnonymousContext } from '../lib/domain/values/context.ts';
import { createHandler } from '../lib/http/handler.ts';
import {
  readCaller,
  readCertificateCaller,
  replyToLogin,
  replyWithChallenge,
  replyWithToken,
} from '../lib/http/login-reply.ts';
import {
  readOidcRequest,
  readTicketQuery,
  replyToTicket,
  replyWithCode,
  replyWithRefreshed,
  replyWithUrl,
} from '../lib/http/oidc-reply.ts';
import { failWithPage } from '../lib/http/page.ts';
import type { TextReply } from '../lib/http/respond.ts';
import { continueOidcLogin } from '../lib/operations/auth/continue-oidc-login.ts';
import { finishOidcLogin } from '../lib/operations/auth/finish-oidc-login.ts';
import { refuseKerberos } from '../lib/operations/auth/kerberos.ts';
import { logInWithSsh } from '../lib/operations/auth/log-in-ssh.ts';
import { logInWithX509 } from '../lib/operations/auth/log-in-x509.ts';
import { logIn } from '../lib/operations/auth/log-in.ts';
import { refreshOidcToken } from '../lib/operations/auth/refresh-oidc-token.ts';
import { requestOidcLogin } from '../lib/operations/auth/request-oidc-login.ts';
import { validateToken } from '../lib/operations/auth/validate-token.ts';

interface CertificateInput {
  readonly headers: Readonly<Record<string, string>>;
  readonly certificateDn: string | undefined;
}

const logInByCertificate = async (
  context: AnonymousContext,
  { headers, certificateDn }: CertificateInput,
): Promise<TextReply> =>
  replyToLogin(await logInWithX509(context, { ...readCertificateCaller(headers), dn: certificateDn }));

export const handler = createHandler(auth, {
  logIn: async (context, { headers }) =>
    replyToLogin(
      await logIn(context, {
        ...readCaller(headers),
        username: headers['x-rucio-username'],
        password: headers['x-rucio-password'],
      }),
    ),
  logInWithX509: logInByCertificate,
  logInWithProxy: logInByCertificate,
  logInToWebUi: logInByCertificate,
  getSshChallenge: async (context, { headers }) =>
    replyWithChallenge(await issueChallenge(context, readCaller(headers))),
  logInWithSsh: async (context, { headers }) => {
    const signature = headers['x-rucio-ssh-signature'];
    return replyWithToken(await logInWithSsh(context, { ...readCaller(headers), signature }));
  },
  logInWithGss: () => refuseKerberos('Account and REMOTE_USER must be set.'),
  requestOidcLogin: async (context, { headers }) =>
    replyWithUrl(await requestOidcLogin(context, readOidcRequest(headers))),
  continueOidcLogin: async (context, { headers, rawQuery }) =>
    failWithPage(headers, async () =>
      replyToTicket(await continueOidcLogin(context, readTicketQuery(headers, rawQuery))),
    ),
  finishOidcLogin: async (context, { headers, rawQuery }) =>
    failWithPage(headers, async () => replyWithCode(await finishOidcLogin(context, rawQuery))),
  refreshOidcToken: async (context, { headers }) => {
    const { account } = readCaller(headers);
    const token = headers['x-rucio-auth-token']?.trim();
    return replyWithRefreshed(await refreshOidcToken(context, { account, token }));
  },
  validateToken: async (context, { headers }) => ({
    body: await validateToken(context, headers['x-rucio-auth-token']?.trim()),
  }),
});
