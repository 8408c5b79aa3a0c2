import { failed, type Line, ok, skipped } from '../line.ts';
import { json } from '../read.ts';
import { say } from '../words.ts';

/** Clocks further apart than this confuse lifetimes and signatures. */
export const maxSkewMs = 30_000;

/** Whether a monitor, which has no token, sees the service itself. */
export const ping: Line = {
  name: 'ping',
  tries: 'what a monitor asks, GET /ping without a token, reaches a function',
  advice: 'Check the URL: it must end with the stage or the base path, as the output ApiUrl of the stack does.',
  async run({ http }) {
    const answer = await http.send({ method: 'GET', path: '/ping' });
    const { version } = (json(answer) ?? {}) as { version?: unknown };
    if (answer.status === 200 && typeof version === 'string') return ok(`${say(answer)}, version ${version}`);
    const text = answer.body.toString().slice(0, 60).trim();
    if (answer.status === 200)
      return failed(
        `${say(answer)}, but with the text "${text}" and not the version of Dapple`,
        'At the root of a custom domain API Gateway answers /ping itself, whether Dapple works or not. Deploy with basePath=/rucio, ' +
          'or monitor the URL of the stack (docs/how-to/deploy.md, Domain names).',
      );
    return failed(`${say(answer)} "${text}"`);
  },
};

/** Whether both clocks agree. */
export const clock: Line = {
  name: 'clock',
  tries: 'the clock of the deployment and that of this machine agree within 30 s',
  advice:
    'Set the clock of this machine by NTP, then that of the server if it is no AWS: lifetimes and signed URLs need it.',
  async run({ http }) {
    const before = Date.now();
    const { headers } = await http.send({ method: 'GET', path: '/ping' });
    const theirs = Date.parse(headers['date'] ?? '');
    if (Number.isNaN(theirs)) return skipped('the answer has no header Date');
    // The header has whole seconds: half a second in the middle.
    const skewMs = theirs + 500 - (before + Date.now()) / 2;
    const seconds = Math.abs(skewMs / 1000).toFixed(1);
    const came = `it is ${seconds} s ${skewMs < 0 ? 'behind' : 'ahead of'} ours`;
    return Math.abs(skewMs) > maxSkewMs ? failed(came) : ok(came);
  },
};
