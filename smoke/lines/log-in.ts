import type { Deployment } from '../deployment.ts';
import { type Answer, Trouble } from '../http/answer.ts';
import { all, failed, type Finding, type Line, ok, readLogs } from '../line.ts';
import { say } from '../words.ts';

/** Whether the account can log in. */
export const logIn: Line = {
  name: 'log-in',
  tries: 'the account logs in with its password',
  advice:
    'Check --account, --username and --password. The password of root is in the secret RootSecretArn of the stack, unless it was ' +
    'changed since; npm run passwd sets another one.',
  async run(deployment) {
    const { options, http } = deployment;
    const ask = { method: 'GET', path: '/auth/userpass', headers: loginHeaders(deployment) };
    const answer = await http.send(ask).catch((error: unknown) => {
      // The other lines can go on.
      if (error instanceof Trouble) deployment.token = error.head?.headers['x-rucio-auth-token'];
      throw error;
    });
    const token = answer.headers['x-rucio-auth-token'];
    if (answer.status !== 200 || token === undefined) {
      if (answer.status === 401 || answer.headers['exceptionclass'] !== undefined) return failed(say(answer));
      return failed(`${say(answer)}, without a token`, readLogs);
    }
    deployment.token = token;
    const answered = await deployment.call({ method: 'GET', path: `/accounts/${options.account}` });
    if (answered.status !== 200)
      return failed(`a token came, but with it GET /accounts/${options.account}: ${say(answered)}`, readLogs);
    const until = answer.headers['x-rucio-auth-token-expires'] ?? 'an unknown time';
    return ok(`${say(answer)}, a token valid until ${until}`);
  },
};

/** Whether others are kept out. */
export const wrongPassword: Line = {
  name: 'wrong-log-in',
  tries: 'a wrong password, no token, and a token that was changed are refused with 401 in words that the client shows',
  advice: `Stop the deployment: it may let strangers in. ${readLogs}`,
  needs: 'token',
  async run(deployment) {
    const { http, token = '' } = deployment;
    const path = `/accounts/${deployment.options.account}`;
    const changed = `${token.slice(0, -4)}${token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    const headers = { ...loginHeaders(deployment), 'X-Rucio-Password': `not ${deployment.options.password}` };
    return all([
      refused('a wrong password', await http.send({ method: 'GET', path: '/auth/userpass', headers })),
      refused('no token', await http.send({ method: 'GET', path })),
      refused('a changed token', await http.send({ method: 'GET', path, headers: { 'X-Rucio-Auth-Token': changed } })),
    ]);
  },
};

function refused(what: string, answer: Answer): Finding {
  const came = `${what}: ${say(answer)}`;
  if (answer.status < 400) return failed(came);
  if (answer.status === 401 && answer.headers['exceptionclass'] === 'CannotAuthenticate') return ok(came);
  return failed(
    `${came} in place of 401 CannotAuthenticate`,
    `The refusal is not the one of Dapple; see what is in front of it. ${readLogs}`,
  );
}

/** The headers of a log-in. */
export function loginHeaders({ options }: Deployment): Record<string, string> {
  return {
    'X-Rucio-Account': options.account,
    'X-Rucio-Username': options.username,
    'X-Rucio-Password': options.password,
  };
}
