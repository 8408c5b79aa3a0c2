import type { Answer } from '../http/answer.ts';
import { failed, type Line, ok, skipped } from '../line.ts';
import { schemes, scope } from '../own-things.ts';
import { jsonLines } from '../read.ts';
import { megabytes, milliseconds, say } from '../words.ts';

/** Whether long lists arrive whole, and nobody knew their length before the first byte. */
export const longList: Line = {
  name: 'long-list',
  tries: 'a list of about 20 MB, uncompressed, arrives whole, and is sent while it is made',
  advice:
    'Long lists do not arrive whole. Deploy with responseMode=stream; let proxies in front neither buffer nor cut answers.',
  needs: 'things',
  async run(deployment) {
    const { things } = deployment;
    const answer = await deployment.call({
      method: 'POST',
      path: '/replicas/list',
      json: { dids: [{ scope, name: things.dataset }], schemes },
      headers: { 'Accept-Encoding': 'identity' },
    });
    const came = `${say(answer)}, ${megabytes(answer.body.length)}, first byte after ${milliseconds(answer.firstByteMs)}`;
    if (answer.status !== 200) {
      deployment.streams = false;
      return isRefusal(answer)
        ? skipped(
            `${say(answer)}: this deployment answers in one piece (responseMode=buffer), of 6 MB at most; use it for trials only`,
          )
        : failed(say(answer));
    }
    const rows = jsonLines(answer)?.length;
    const expected = things.files.length;
    if (rows !== expected)
      return failed(
        `${came}, ${rows === undefined ? 'broken off in the middle of a row' : `${rows} of ${expected} rows`}`,
      );
    deployment.streams = answer.headers['content-length'] === undefined;
    if (deployment.streams) return ok(`${came}, ${expected} rows`);
    return failed(
      `${came}, ${expected} rows, but with Content-Length: it was made as a whole before it was sent`,
      'Something collects answers before it sends them: switch buffering off in proxies in front (nginx: proxy_buffering off), and ' +
        'deploy with responseMode=stream. Otherwise lists are cut at 6 MB or 29 s, and events come late.',
    );
  },
};

/** Whether it is the answer to a list that is longer than what fits into one piece. */
function isRefusal({ status, headers }: Answer): boolean {
  return status === 413 || ([500, 502].includes(status) && headers['content-encoding'] === undefined);
}
