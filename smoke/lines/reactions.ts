import { setTimeout as sleep } from 'node:timers/promises';

import type { Deployment } from '../deployment.ts';
import type { Answer } from '../http/answer.ts';
import { Trouble } from '../http/answer.ts';
import { failed, type Line, ok, readLogs, skipped } from '../line.ts';
import { scope, statusOnly } from '../own-things.ts';
import { json } from '../read.ts';
import { milliseconds, say } from '../words.ts';
import { maxSkewMs } from './arrive.ts';

const streamAdvice =
  'What follows from changes does not run: look for messages in the dead-letter queues, and into the log of consume-stream ' +
  '(docs/operations/background-work.md).';

/** Repeats a request until its answer is as wanted, or the patience ends; returns the last answer. */
async function poll(
  deployment: Deployment,
  ask: () => Promise<Answer>,
  isWanted: (answer: Answer) => boolean,
): Promise<Answer> {
  const until = performance.now() + 2 * deployment.options.patienceMs;
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 2_000)) {
    const answer = await ask();
    if (isWanted(answer) || performance.now() > until) return answer;
    await sleep(pauseMs);
  }
}

/** Whether a rule comes to its end. */
export const rule: Line = {
  name: 'rule',
  tries: 'a rule asks for a copy, the copy is reported, and the rule becomes OK',
  advice: streamAdvice,
  needs: 'things',
  async run(deployment) {
    const { things, options } = deployment;
    const [file = { scope, name: '' }] = things.files;
    const wish = {
      dids: [{ scope, name: things.small }],
      account: options.account,
      copies: 1,
      rse_expression: things.target,
    };
    const start = performance.now();
    const made = await deployment.call({ method: 'POST', path: '/rules/', json: wish });
    const [id] = (json(made) ?? []) as (string | undefined)[];
    if (made.status !== 201 || id === undefined) return failed(`POST /rules/: ${say(made)}`, readLogs);
    const path = `/rules/${id}`;
    // The copy can be deleted when the rule has ended.
    things.atEnd('the copy', () =>
      poll(
        deployment,
        () => things.remove(things.target, [file]),
        ({ status }) => status === 200,
      ),
    );
    things.atEnd('the rule', () =>
      deployment.call({ ...statusOnly, method: 'PUT', path, json: { options: { lifetime: 0 } } }),
    );
    const state = async (wanted: readonly string[]) => {
      const answer = await poll(
        deployment,
        () => deployment.call({ method: 'GET', path }),
        (given) => given.status !== 200 || wanted.includes(stateOf(given)),
      );
      return answer.status === 200 ? stateOf(answer) : say(answer);
    };
    const before = await state(['REPLICATING', 'STUCK', 'OK']);
    if (before !== 'REPLICATING') return failed(`the new rule is ${before} and not REPLICATING`);
    const report = { rse: things.target, files: [{ ...file, state: 'A' }] };
    const reported = await deployment.call({ method: 'PUT', path: '/replicas', json: report });
    if (reported.status !== 200) return failed(`the report of the copy: ${say(reported)}`, readLogs);
    const after = await state(['OK', 'STUCK']);
    const came = `${before}, then ${after} after ${milliseconds(performance.now() - start)}`;
    return after === 'OK' ? ok(came) : failed(came);
  },
};

const stateOf = (answer: Answer) => String(((json(answer) ?? {}) as { state?: unknown }).state);

/** Whether changes are told at all. */
export const events: Line = {
  name: 'events',
  tries: 'the new dataset is in the log of events (GET /events with follow=false)',
  advice: streamAdvice,
  needs: 'things',
  async run(deployment) {
    const { things } = deployment;
    const name = things.nameOf('.event');
    const since = encodeURIComponent(new Date(Date.now() - maxSkewMs).toUTCString());
    const start = performance.now();
    await things.makeDataset(name);
    const path = `/events?follow=false&since=${since}&subject=${encodeURIComponent(`${scope}:${name}`)}`;
    const answer = await poll(
      deployment,
      () => deployment.call({ method: 'GET', path }),
      ({ status, body }) => status !== 200 || body.includes(name),
    );
    if (answer.status !== 200) return failed(say(answer), answer.status === 429 ? tooManyReaders : readLogs);
    if (!answer.body.includes(name)) return failed(`not within ${milliseconds(performance.now() - start)}`);
    return ok(`${say(answer)}, it came ${milliseconds(performance.now() - start)} after the change began`);
  },
};

const tooManyReaders =
  'There are as many readers of events as eventReaders allows: wait a minute, or deploy with a larger number.';

/** Whether a reader that waits is told while its connection is open. */
export const liveEvents: Line = {
  name: 'live-events',
  tries: 'a reader of events that waits gets a new one while its connection is open',
  advice:
    'Something collects answers before it sends them: switch buffering off in proxies in front (nginx: proxy_buffering off).',
  needs: 'things',
  async run(deployment) {
    if (deployment.streams === false) return skipped('this deployment does not stream (long-list)');
    const { things } = deployment;
    const name = things.nameOf('.live-event');
    const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
    const start = performance.now();
    const reading = deployment.call({
      method: 'GET',
      path: `/events?subject=${encodeURIComponent(`${scope}:${name}`)}`,
      until: (text) => {
        open();
        return text.includes(name);
      },
    });
    try {
      const early = await Promise.race([isOpen, reading]);
      if (early !== undefined) return failed(say(early), early.status === 429 ? tooManyReaders : readLogs);
      const opened = performance.now() - start;
      await things.makeDataset(name);
      const answer = await reading;
      if (!answer.body.includes(name))
        return failed(`the answer ended after ${milliseconds(answer.endMs)} without it`, streamAdvice);
      return ok(`${answer.status}, open after ${milliseconds(opened)}, told after ${milliseconds(answer.endMs)}`);
    } catch (error) {
      if (error instanceof Trouble && error.kind === 'open') return failed(error.message, streamAdvice);
      throw error;
    }
  },
};
