import { failed, type Line, ok, readLogs, skipped } from '../line.ts';
import { json } from '../read.ts';
import { say } from '../words.ts';

/** Whether a request reaches the table. */
export const health: Line = {
  name: 'health',
  tries: 'what a monitor asks, GET /health without a token, reaches a function and the table',
  advice: `The function runs, but its table does not answer: check its name and whether it is throttled. ${readLogs}`,
  async run({ http }) {
    const answer = await http.send({ method: 'GET', path: '/health' });
    const { status } = (json(answer) ?? {}) as { status?: unknown };
    if (answer.status === 200 && status === 'ok') return ok(say(answer));
    return failed(`${say(answer)} "${answer.body.toString().slice(0, 60).trim()}"`);
  },
};

/** Whether the catalogue has something that an operator has to look at. */
export const status: Line = {
  name: 'status',
  tries: 'what an operator asks, GET /status, names no problem',
  advice: 'docs/operations.md (Watch) says what the members of the answer are.',
  needs: 'token',
  async run(deployment) {
    const answer = await deployment.call({ method: 'GET', path: '/status' });
    const error = answer.headers['exceptionclass'];
    if (error === 'AccessDenied') return skipped(`${say(answer)}: only admins may ask`);
    const told = json(answer) as Partial<Told> | undefined;
    if (answer.status !== 200 || !Array.isArray(told?.problems)) return failed(say(answer), readLogs);
    if (told.problems.length > 0) return failed(told.problems.join(' '));
    const behind = told.stream?.behind_seconds ?? null;
    const backup = told.backup?.last_at ?? null;
    const lag = behind === null ? 'the stream is watched by alarms' : `the stream is ${Math.round(behind)} s behind`;
    return ok(`${say(answer)}; ${lag}, ${backup === null ? 'no backup is known' : `the last backup is of ${backup}`}`);
  },
};

/** The members that this reads. */
interface Told {
  readonly problems: readonly string[];
  readonly stream: { readonly behind_seconds: number | null };
  readonly backup: { readonly last_at: string | null };
}
