import { Http2, offersHttp2 } from '../http/http2.ts';
import { all, failed, type Line, ok, readLogs, skipped } from '../line.ts';
import { scope } from '../own-things.ts';
import { jsonLines } from '../read.ts';
import { milliseconds, say } from '../words.ts';
import { loginHeaders } from './log-in.ts';

const atOnce = 12;

/** Whether a connection can be used again, as clients and proxies do. */
export const http1: Line = {
  name: 'http/1.1',
  tries:
    'three requests one after the other over one HTTP/1.1 connection, with a redirect without a body in the middle',
  advice:
    'An answer ends otherwise than it says. Deploy with emptyStreams=fill; if it is so already, with responseMode=buffer.',
  needs: 'token',
  async run(deployment) {
    const connection = deployment.openConnection();
    try {
      const times: number[] = [];
      for (const path of ['/ping', '/accounts/whoami', `/accounts/${deployment.options.account}`]) {
        const answer = await deployment.call({ method: 'GET', path }, connection);
        if (answer.status !== (path.endsWith('whoami') ? 303 : 200))
          return failed(`GET ${path}: ${say(answer)}`, readLogs);
        times.push(answer.endMs);
      }
      return ok(`all answered, after ${times.map((ms) => milliseconds(ms)).join(', ')}`);
    } finally {
      connection.close();
    }
  },
};

/** Whether HTTP/2 works, which browsers and many libraries choose by themselves. */
export const http2: Line = {
  name: 'http/2',
  tries: 'log-in, list, HEAD, answers without a body, and twelve requests at once over one HTTP/2 connection',
  advice:
    'Deploy with streamMark=off (the default): the mark of streams is reported to break HTTP/2. Otherwise with responseMode=buffer; ' +
    'the official client uses HTTP/1.1 and works meanwhile.',
  needs: 'things',
  async run(deployment) {
    const { options, things } = deployment;
    if (options.url.protocol !== 'https:') return skipped('the URL is http://, HTTP/2 needs https://');
    if (!(await offersHttp2(options))) return skipped('the server offers HTTP/1.1 only, which every client can use');
    const http = new Http2(options);
    const expect = async (status: number, method: string, path: string, headers: Record<string, string> = {}) => {
      const answer = await deployment.call({ method, path, headers }, http);
      const came = `${method} ${path}: ${say(answer)}`;
      return answer.status === status ? ok(came) : failed(came);
    };
    const list = `/dids/${scope}/${things.small}/files`;
    try {
      const parts = [
        await expect(200, 'GET', '/auth/userpass', loginHeaders(deployment)),
        await expect(200, 'GET', list, { 'Accept-Encoding': 'gzip' }),
        await expect(200, 'HEAD', list),
        await expect(303, 'GET', '/accounts/whoami'),
      ];
      const together = await Promise.all(Array.from({ length: atOnce }, () => expect(200, 'GET', list)));
      const finding = all([...parts, ...together]);
      return finding.result === 'failed' ? finding : ok('all answered over one connection');
    } finally {
      http.close();
    }
  },
};

/** Whether a first page with its many requests, or a parallel client, is served. */
export const parallel: Line = {
  name: 'at-once',
  tries: 'twelve lists at once over twelve connections, as the page and upload tools ask',
  advice:
    'If the account is new: raise its quota of concurrent executions from 10 (docs/how-to/deploy.md, What you need). ' +
    readLogs,
  needs: 'things',
  async run(deployment) {
    const { things } = deployment;
    const path = `/dids/${scope}/${things.small}/files`;
    const answers = await Promise.all(Array.from({ length: atOnce }, () => deployment.call({ method: 'GET', path })));
    const wrong = answers.filter((answer) => answer.status !== 200 || jsonLines(answer)?.length !== 1);
    const [first] = wrong;
    if (first === undefined)
      return ok(`all answered, the slowest after ${milliseconds(Math.max(...answers.map(({ endMs }) => endMs)))}`);
    const came = `${wrong.length} of ${atOnce} were not answered, the first: ${say(first)}`;
    if (first.status !== 503) return failed(came);
    const wait = first.headers['retry-after'];
    return failed(wait === undefined ? `${came}, without Retry-After` : `${came}, to be repeated after ${wait} s`);
  },
};

/** Whether what froze meanwhile wakes up: functions keep connections to the table that are gone after a pause. */
export const pause: Line = {
  name: 'after-a-pause',
  tries: 'the first requests after a pause are answered within 10 s',
  advice:
    'Connections that were frozen with a function are waited for. Look for requests of many seconds in the log, and report it.',
  needs: 'token',
  async run(deployment) {
    const { pauseMs, account } = deployment.options;
    if (pauseMs === undefined) return skipped('only with --pause 600, which waits ten minutes');
    // Routers on the way forget connections without a word: only what the deployment itself forgets is tried.
    deployment.http.close();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const parts = [];
    for (const path of [`/accounts/${account}`, '/scopes', '/rses', `/dids/${scope}/`]) {
      const answer = await deployment.call({ method: 'GET', path });
      const came = `GET ${path}: ${say(answer)}`;
      parts.push(answer.status === 200 && answer.endMs < 10_000 ? ok(came) : failed(came));
    }
    return all(parts);
  },
};
