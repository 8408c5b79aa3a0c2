import { spawn } from 'node:child_process';
import { hostname } from 'node:os';

import { type JobResult, verdictOf } from './job-state.ts';
import { defaultSendmail } from './require-needs.ts';

/** Who is told about jobs that failed, or that found something. */
export interface Recipients {
  /** The address of a mail. */
  readonly mailTo?: string | undefined;
  /** The program that sends it. */
  readonly sendmail?: string | undefined;
  /** Takes a POST with JSON. */
  readonly webhook?: string | undefined;
}

const timeoutMs = 30_000;

/** Tells about a job; says what could not be told. */
export async function notify(
  { mailTo, sendmail = defaultSendmail, webhook }: Recipients,
  result: JobResult,
  say: (line: string) => void,
): Promise<void> {
  const subject = `Dapple on ${hostname()}: ${result.command} ${verdictOf(result)}`;
  const sent = await Promise.allSettled([
    mailTo === undefined ? undefined : sendMail(sendmail, mailTo, subject, result),
    webhook === undefined ? undefined : post(webhook, { text: subject, ...result }),
  ]);
  for (const one of sent)
    if (one.status === 'rejected') say(`nobody was told about ${result.name}: ${String(one.reason)}`);
}

async function sendMail(program: string, to: string, subject: string, { name, output }: JobResult): Promise<void> {
  const child = spawn(program, ['-i', '-t'], { stdio: ['pipe', 'ignore', 'inherit'], timeout: timeoutMs });
  const ended = new Promise<void>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => (code === 0 ? done() : fail(new Error(`${program} ended with ${code}`))));
  });
  child.stdin.on('error', () => {});
  child.stdin.end(`To: ${to}\nSubject: ${subject}\nContent-Type: text/plain; charset=utf-8\n\n${name}\n\n${output}\n`);
  await ended;
}

async function post(url: string, body: object): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  await answer.body?.cancel();
  // The path of such a URL is a secret.
  if (!answer.ok) throw new Error(`${new URL(url).origin} answered ${answer.status}`);
}
