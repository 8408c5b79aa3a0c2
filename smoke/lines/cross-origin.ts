import type { Answer } from '../http/answer.ts';
import { all, failed, type Line, ok, skipped } from '../line.ts';
import { say } from '../words.ts';

const stranger = 'https://smoke-test.invalid';
const allowedBy = (answer: Answer) => answer.headers['access-control-allow-origin'];

/** Whether pages of strangers are kept out. */
export const strangers: Line = {
  name: 'cors-others',
  tries: 'OPTIONS for a page of an unknown origin is answered at once and allows nothing',
  advice:
    'Pages of any origin may call the deployment. Name the origins in corsOrigins, and look whether a proxy in front adds headers. ' +
    'If the answer does not end: deploy with emptyStreams=fill.',
  async run({ http }) {
    const headers = { Origin: stranger, 'Access-Control-Request-Method': 'GET' };
    const answer = await http.send({ method: 'OPTIONS', path: '/accounts/whoami', headers });
    const allowed = allowedBy(answer);
    if (allowed === '*' || allowed === stranger) return failed(`${say(answer)}, allows ${allowed}`);
    if (answer.status >= 500)
      return failed(say(answer), 'Something in front of the deployment does not answer OPTIONS: allow it there.');
    return ok(`${say(answer)}, allows nothing`);
  },
};

/** Whether the pages of a site may call. */
export const ownOrigin: Line = {
  name: 'cors-own',
  tries: 'a page of --origin may call, and may read errors of the deployment and of its gateway',
  advice: 'Deploy with corsOrigins that contains this origin, as https://host without a slash at the end.',
  async run({ http, options: { origin } }) {
    if (origin === undefined) return skipped('only with --origin, for pages of another site');
    const preflight = {
      Origin: origin,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'x-rucio-auth-token',
    };
    const allowing = (what: string, answer: Answer) => {
      const value = allowedBy(answer);
      const came = `${what}: ${say(answer)}, allows ${value ?? 'nothing'}`;
      return value === origin || value === '*' ? ok(came) : failed(came);
    };
    const asked = await http.send({ method: 'OPTIONS', path: '/accounts/whoami', headers: preflight });
    const denied = await http.send({ method: 'GET', path: '/accounts/whoami', headers: { Origin: origin } });
    const unknown = await http.send({ method: 'GET', path: '/smoke-test-none', headers: { Origin: origin } });
    return all([allowing('OPTIONS', asked), allowing('an error', denied), allowing('an unknown path', unknown)]);
  },
};
