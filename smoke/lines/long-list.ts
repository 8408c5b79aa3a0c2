import type { Deployment } from '../deployment.ts';
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
  needs: 'files',
  async run(deployment) {
    const { things } = deployment;
    const answer = await deployment.call({
      method: 'POST',
      path: '/replicas/list',
      json: { dids: [{ scope, name: things.dataset }], schemes },
      headers: { 'Accept-Encoding': 'identity' },
    });
    const came = `${say(answer)}, ${megabytes(answer.body.length)}, first byte after ${milliseconds(answer.firstByteMs)}`;
    const streams = await answersInStreams(deployment);
    deployment.streams = streams && answer.status === 200 && isOfUnknownLength(answer);
    if (answer.status !== 200) return streams ? failed(say(answer)) : skipped(`${say(answer)}: ${inOnePiece}`);
    const rows = jsonLines(answer)?.length;
    const expected = things.files.length;
    if (rows !== expected)
      return failed(
        `${came}, ${rows === undefined ? 'broken off in the middle of a row' : `${rows} of ${expected} rows`}`,
      );
    if (deployment.streams) return ok(`${came}, ${expected} rows`);
    if (!streams) return skipped(`${came}, ${expected} rows: ${inOnePiece}`);
    return failed(
      `${came}, ${expected} rows, but with Content-Length: it was made as a whole before it was sent`,
      'Something collects answers before it sends them: switch buffering off in proxies in front (nginx: proxy_buffering off), and ' +
        'deploy with responseMode=stream. Otherwise lists are cut at 6 MB or 29 s, and events come late.',
    );
  },
};

const inOnePiece =
  'this deployment makes answers as a whole (responseMode=buffer), as an emulator does; on AWS they end at 6 MB and 29 s';

/** Whether the functions stream: what they stream has no length, and says that it could be compressed. */
async function answersInStreams(deployment: Deployment): Promise<boolean> {
  const path = `/dids/${scope}/${deployment.things.small}/files`;
  const answer = await deployment.call({ method: 'GET', path, headers: { 'Accept-Encoding': 'identity' } });
  return isOfUnknownLength(answer) || /accept-encoding/i.test(answer.headers['vary'] ?? '');
}

const isOfUnknownLength = ({ headers }: Answer) => headers['content-length'] === undefined;
