/** Which requests run beside the main thread (docs/adr/0014-embedded-engine.md). */
import { describe, expect, it } from 'vitest';

import { finishedRequests, type RequestRecord } from '../../../lib/http/request-log.ts';
import type { AnswerSink } from '../../../local/answer-sink.ts';
import type { RunFunction } from '../../../local/run-function.ts';
import { spreadRequests } from '../../../local/threads/spread-requests.ts';
import type { WorkerPool } from '../../../local/threads/worker-pool.ts';
import { gatewayEvent } from '../../support/event.ts';

interface Wanted {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  /** The length of the answer. */
  readonly bytes?: number;
}

/** Runs a request while another one runs in the main thread; tells where it ran. */
function makeSpread() {
  const ran: string[] = [];
  const runAt =
    (where: string): RunFunction =>
    async () => {
      ran.push(where);
    };
  const pool = { findRunner: (load: number) => (load === 0 ? undefined : runAt('thread')) };
  const spread = spreadRequests(pool as unknown as WorkerPool);
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  const isBusy = { now: true };
  const run = spread(async (...request) => {
    if (isBusy.now) {
      isBusy.now = false;
      await held;
      return;
    }
    await runAt('main')(...request);
  });
  const call = ({ method = 'GET', path, body = '', bytes = 0 }: Wanted) =>
    run(path.split('/')[1] ?? '', gatewayEvent(method, path, { body }), { bytes } as AnswerSink);
  const where = async (wanted: Wanted): Promise<string> => {
    await call(wanted);
    return String(ran.at(-1));
  };
  return { call, where, release };
}

/** Makes the mean of a route known. */
function haveRead(operation: string, cost: { readonly rru: number; readonly wru?: number }): void {
  const record: Partial<RequestRecord> = { operation, method: 'GET', status: 200, milliseconds: 1, ...cost };
  for (let times = 0; times < 50; times += 1) finishedRequests.publish(record);
}

const search = '/dids/spread/dids/search';
const longAnswer = 100_000;

describe('requests while the main thread is busy', () => {
  it('run there if they handle little', async () => {
    const { call, where, release } = makeSpread();
    const first = call({ path: '/ping' });
    haveRead('getDid', { rru: 1 });
    expect(await where({ path: '/dids/spread/a' })).toBe('main');
    expect(await where({ method: 'POST', path: '/dids/spread/a/dids', body: 'x'.repeat(1_000) })).toBe('main');
    release();
    await first;
  });

  it.each<[string, Wanted, () => void]>([
    ['they read much', { path: search }, () => haveRead('searchDids', { rru: 8 })],
    ['they take much', { method: 'POST', path: '/replicas', body: 'x'.repeat(longAnswer) }, () => {}],
  ])('run in another thread if %s', async (_why, wanted, learn) => {
    const { call, where, release } = makeSpread();
    const first = call({ path: '/ping' });
    learn();
    expect(await where(wanted)).toBe('thread');
    release();
    await first;
    // The main thread is idle again.
    expect(await where(wanted)).toBe('main');
  });

  it('run in another thread if those before have answered much', async () => {
    const { call, where, release } = makeSpread();
    const first = call({ path: '/ping' });
    const content = { path: '/dids/spread/a/dids', bytes: longAnswer };
    expect([await where(content), await where(content), await where(content)]).toEqual(['main', 'main', 'thread']);
    release();
    await first;
  });

  it('run there whatever they read, if they write', async () => {
    const { call, where, release } = makeSpread();
    const first = call({ path: '/ping' });
    haveRead('attachDids', { rru: 8, wru: 16 });
    expect(await where({ method: 'POST', path: '/dids/spread/a/dids', body: 'x' })).toBe('main');
    release();
    await first;
  });

  it('run there if they follow events', async () => {
    const { call, where, release } = makeSpread();
    const first = call({ path: '/ping' });
    haveRead('followEvents', { rru: 100 });
    expect(await where({ path: '/events' })).toBe('main');
    release();
    await first;
  });
});
