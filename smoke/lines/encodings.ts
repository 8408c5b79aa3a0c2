import { gunzipSync } from 'node:zlib';

import type { Answer } from '../http/answer.ts';
import { failed, type Finding, type Line, ok } from '../line.ts';
import { scope } from '../own-things.ts';
import { jsonLines } from '../read.ts';
import { say } from '../words.ts';

const rows = 1_000;

/** Whether compressed lists can be read, for which the official client asks. */
export const gzip: Line = {
  name: 'gzip',
  tries: 'a list of 1,000 rows for a client that accepts gzip, as the official one does',
  advice:
    'Compressed lists arrive damaged. Deploy with compression=off, or let a proxy in front pass answers as they are.',
  needs: 'files',
  async run(deployment) {
    const answer = await deployment.call({
      method: 'GET',
      path: `/dids/${scope}/${deployment.things.dataset}/files`,
      headers: { 'Accept-Encoding': 'gzip, deflate' },
    });
    const coding = answer.headers['content-encoding'];
    if (coding === undefined) return whole(answer, 'not compressed (a buffered answer, or compression=off)');
    if (coding !== 'gzip') return failed(`${say(answer)}, with the encoding ${coding}, for which nobody asked`);
    let body: Buffer;
    try {
      body = gunzipSync(answer.body);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return failed(
        `${say(answer)}, marked as gzip, but the ${answer.body.length} bytes cannot be unpacked (${reason})`,
      );
    }
    return whole({ ...answer, body }, `${answer.body.length} bytes for ${body.length}`);
  },
};

/** Whether a client without gzip gets the same. */
export const noGzip: Line = {
  name: 'no-gzip',
  tries: 'the same list for a client that accepts no encoding',
  advice: 'Something in front of the deployment compresses what nobody asked for: switch that off there.',
  needs: 'files',
  async run(deployment) {
    const path = `/dids/${scope}/${deployment.things.dataset}/files`;
    const answer = await deployment.call({ method: 'GET', path, headers: { 'Accept-Encoding': 'identity' } });
    const coding = answer.headers['content-encoding'];
    if (coding !== undefined && coding !== 'identity') return failed(`${say(answer)}, with the encoding ${coding}`);
    return whole(answer, `${answer.body.length} bytes`);
  },
};

function whole(answer: Answer, came: string): Finding {
  const lines = jsonLines(answer)?.length;
  if (answer.status === 200 && lines === rows) return ok(`${say(answer)}, ${came}`);
  return failed(`${say(answer)}, ${came}: ${lines === undefined ? 'a line is not whole' : `${lines} of ${rows} rows`}`);
}
