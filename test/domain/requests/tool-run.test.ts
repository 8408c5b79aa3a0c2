import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { keepPastTransfers } from '../../../lib/background/keep-past-transfers.ts';
import { moveData } from '../../../lib/background/move-data.ts';
import { clock } from '../../../lib/clock.ts';
import { removeRuleNow } from '../../../lib/domain/rules/life-cycle/remove-rule.ts';
import { FtsTool, type FtsTokens } from '../../../lib/movers/fts/fts-tool.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { addProtocol } from '../../../lib/operations/rses/add-protocol.ts';
import { setRseAttribute } from '../../../lib/operations/rses/set-attribute.ts';
import { updateRule } from '../../../lib/operations/rules/update-rule.ts';
import { changeTransfer, type Transfer } from '../../../lib/store/entities/transfer.ts';
import { failFirst, holdFirst } from '../../support/faults-of-storage.ts';
import { makeStorageToken } from '../../support/fts-service-submission.ts';
import { type FtsService, startFtsService } from '../../support/fts-service.ts';
import { passTime } from '../../support/pass-time.ts';
import { type MoverCatalogue, newMoverCatalogue } from './movers.ts';

let catalogue: MoverCatalogue;
let fts: FtsService;
/** The tokens of an RSE. */
let tokens: (rse: string) => FtsTokens;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  [catalogue, fts] = [await newMoverCatalogue(), await startFtsService('token')];
  tokens = (rse) => ({ fts: 'token', storage: makeStorageToken(rse) });
  const priorities = { read: 1, write: 1, delete: 1 };
  for (const rse of ['AAA', 'BBB']) {
    await addProtocol(catalogue.at(), rse, 'davs', {
      hostname: `${rse.toLowerCase()}.example.org`,
      port: 443,
      impl: 'rucio.rse.protocols.gfal.Default',
      prefix: '/data',
      domains: { lan: priorities, wan: priorities },
    });
  }
  await setRseAttribute(catalogue.at(), { rse: 'BBB', key: 'mover', value: 'fts' });
  await setRseAttribute(catalogue.at(), { rse: 'BBB', key: 'fts', value: fts.origin });
});
afterEach(async () => {
  vi.useRealTimers();
  await fts.close();
});

/** A run of a new process. */
const run = () =>
  moveData(catalogue.store.begin(), {
    movers: [
      new FtsTool({
        findTokens: async (rse) => tokens(rse.rse),
        retryPolicy: { answerMs: 10_000, slowAnswerMs: 10_000, attempts: 2, firstPauseMs: 1, longestPauseMs: 1 },
      }),
    ],
    holder: 'test',
    until: clock.now() + 60_000,
    signal: new AbortController().signal,
  });
const setStates = (state: string, reason?: string) => {
  for (const job of fts.jobs.values()) Object.assign(job, { state, reason });
};

const states = () => [...fts.jobs.values()].map(({ state }) => state).toSorted();

/** Delivers the end of a transfer, or another change, twice, as the stream may. */
async function tell(before: Transfer | undefined, after?: Transfer): Promise<void> {
  if (before === undefined) throw new Error('there was no transfer');
  const change = { kind: 'transfer' as const, id: '1', at: clock.now(), before, ...(after && { after }) };
  for (let delivery = 0; delivery < 2; delivery += 1) await keepPastTransfers.run(catalogue.at(), [change]);
}

const remove = (rule: string) =>
  removeRuleNow(catalogue.store, rule, { now: clock.now(), until: clock.now() + 60_000 });

async function removeAndTell(name: string, rule: string): Promise<void> {
  const before = await catalogue.transfer(name);
  await remove(rule);
  await tell(before);
}

describe('a run of a transfer tool', () => {
  it('submits what is due once, and a later one takes it over and learns its end', async () => {
    const rules = await catalogue.want(['f', 'g', 'h']);
    expect(await run()).toEqual({ done: 0, failed: 0 });
    expect(fts.jobs.size).toBe(3);
    const [id = ''] = fts.jobs.keys();
    expect(await catalogue.transfer('f')).toMatchObject({ state: 'SUBMITTED', externalHost: fts.origin });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    await run();
    passTime(61_000);
    await run();
    expect(fts.calls.filter((call) => call.startsWith('GET /jobs/'))).toHaveLength(1);
    setStates('FINISHED');
    passTime(61_000);
    expect(await run()).toEqual({ done: 3, failed: 0 });
    expect(fts.jobs.size).toBe(3);
    for (const rule of rules) expect(await catalogue.show(rule)).toBe('OK 1/0/0');
  });

  it('asks about an old copy less often', async () => {
    await catalogue.want(['f']);
    await run();
    let asked = 0;
    for (let minute = 0; minute < 120; minute += 1) {
      passTime(60_500);
      fts.calls.length = 0;
      await run();
      asked += fts.calls.filter((call) => call.startsWith('GET /jobs/')).length;
    }
    expect(asked).toBeLessThan(25);
    expect(asked).toBeGreaterThan(8);
  });

  it('reports why a copy failed, after which the next attempt is a job of its own', async () => {
    await catalogue.want(['f']);
    await run();
    setStates('FAILED', 'DESTINATION no space');
    passTime(61_000);
    expect(await run()).toEqual({ done: 0, failed: 1 });
    expect(await catalogue.transfer('f')).toMatchObject({
      state: 'QUEUED',
      attempts: 1,
      error: 'FTS: DESTINATION no space',
    });
    passTime(61_000);
    await run();
    expect(fts.jobs.size).toBe(2);
  });

  it('takes over a job of a mover that died before it reported, instead of submitting another', async () => {
    await catalogue.want(['f']);
    const [leased] = await catalogue.lease('dead', clock.now(), { seconds: 120 });
    const storageTokens = { source_tokens: [makeStorageToken('a')], destination_tokens: [makeStorageToken('b')] };
    const sid = `${leased?.details.transfer.id}-0`;
    await fetch(`${fts.origin}/jobs`, {
      method: 'POST',
      headers: { Authorization: 'Bearer token' },
      body: JSON.stringify({
        files: [{ sources: ['davs://a/f'], destinations: ['davs://b/f'], ...storageTokens }],
        params: { sid },
      }),
    });
    passTime(121_000);
    await run();
    expect(fts.jobs.size).toBe(1);
    expect(await catalogue.transfer('f')).toMatchObject({ state: 'SUBMITTED', externalId: [...fts.jobs.keys()][0] });
  });

  it('waits while FTS is down, without a failed attempt', async () => {
    await catalogue.want(['f']);
    fts.setFaults(() => 'cut');
    await run();
    expect(await catalogue.transfer('f')).not.toHaveProperty('attempts');
    fts.setFaults(undefined);
    passTime(121_000);
    await run();
    expect(fts.jobs.size).toBe(1);
    fts.setFaults(failFirst(() => true, 'cut', 'cut', 'cut'));
    setStates('FINISHED');
    passTime(61_000);
    expect(await run()).toEqual({ done: 0, failed: 0 });
    passTime(61_000);
    expect(await run()).toEqual({ done: 1, failed: 0 });
  });

  it('cancels the job of a rule that is removed, and tries again if FTS does not answer', async () => {
    const [first = '', second = ''] = await catalogue.want(['f', 'g']);
    await run();
    await removeAndTell('f', first);
    fts.setFaults(({ method }) => (method === 'DELETE' ? 'cut' : undefined));
    await run();
    expect(states()).toEqual(['ACTIVE', 'ACTIVE']);
    fts.setFaults(undefined);
    await run();
    expect(states()).toEqual(['ACTIVE', 'CANCELED']);
    await run();
    expect(fts.calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(3);
    expect(await catalogue.show(second)).toBe('REPLICATING 0/1/0');
  });

  it.each([
    ['is under way, and cancels it', 'ACTIVE', ['ACTIVE', 'CANCELED']],
    ['has ended, which no longer counts', 'FINISHED', ['ACTIVE', 'FINISHED']],
  ])('asks for another job when what is there is declared bad while one %s', async (_how, state, left) => {
    await catalogue.want(['f']);
    await run();
    setStates(state);
    const before = await catalogue.transfer('f');
    await updateReplicas(catalogue.at(), { rse: 'BBB', files: [{ scope: 'data', name: 'f', state: 'D' }] });
    await tell(before, await catalogue.transfer('f'));
    // FTS refuses a second job to the same file until the first one is cancelled.
    for (const _run of [1, 2]) {
      passTime(601_000);
      expect(await run()).toEqual({ done: 0, failed: 0 });
    }
    expect(states()).toEqual(left);
    expect((await catalogue.transfer('f'))?.externalId).not.toBe(before?.externalId);
    setStates('FINISHED');
    passTime(601_000);
    expect(await run()).toEqual({ done: 1, failed: 0 });
  });

  it('goes on with other copies while FTS is slow to cancel one', async () => {
    const [rule = ''] = await catalogue.want(['f']);
    await run();
    await removeAndTell('f', rule);
    await catalogue.want(['g']);
    let hasSubmitted = false;
    fts.setFaults(
      holdFirst(
        ({ method }) => method === 'DELETE',
        async () => {
          hasSubmitted = await vi.waitUntil(() => fts.jobs.size === 2, { timeout: 5_000 });
        },
      ),
    );
    await run();
    expect(hasSubmitted).toBe(true);
    expect(states()).toEqual(['ACTIVE', 'CANCELED']);
  });

  it('does not ask again for what FTS refuses to cancel', async () => {
    const [rule = ''] = await catalogue.want(['f']);
    await run();
    await removeAndTell('f', rule);
    fts.setFaults(({ method }) => (method === 'DELETE' ? { status: 403 } : undefined));
    await run();
    await run();
    expect(fts.calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(1);
  });

  it('cancels no job of a copy that is made', async () => {
    await catalogue.want(['f']);
    await run();
    setStates('FINISHED');
    passTime(61_000);
    const before = await catalogue.transfer('f');
    await run();
    await tell(before);
    await run();
    expect(fts.calls.filter((call) => call.startsWith('DELETE'))).toEqual([]);
  });

  it('cancels a job that was submitted while its rule was removed, and none that the next mover has', async () => {
    const [rule = ''] = await catalogue.want(['f', 'g']);
    fts.setFaults(
      holdFirst(
        ({ method }) => method === 'POST',
        async () => {
          await remove(rule);
          const taken = await catalogue.transfer('g');
          if (taken === undefined) throw new Error('there is no transfer');
          const lease = { id: 'next', holder: 'next', until: clock.now() + 60_000 };
          await catalogue.store.write(async () => [changeTransfer(taken, { lease, due: lease.until })]);
        },
      ),
    );
    await run();
    expect(states()).toEqual(['ACTIVE', 'CANCELED']);
  });

  it('tells FTS when the priority of the rule has changed', async () => {
    const [rule = ''] = await catalogue.want(['f']);
    await run();
    await updateRule(catalogue.at(), rule, { priority: 5 });
    passTime(61_000);
    await run();
    expect([...fts.jobs.values()].map(({ params }) => params['priority'])).toEqual([5]);
    passTime(61_000);
    await run();
    expect(fts.calls.filter((call) => call.startsWith('POST /jobs/'))).toHaveLength(1);
  });

  it('submits a job anew that FTS has lost, without a failed attempt', async () => {
    await catalogue.want(['f']);
    await run();
    const [before] = fts.jobs.keys();
    fts.jobs.clear();
    passTime(61_000);
    expect(await run()).toEqual({ done: 0, failed: 0 });
    const transfer = await catalogue.transfer('f');
    expect(transfer).toMatchObject({ state: 'QUEUED', error: expect.stringContaining('does not know the job') });
    expect(transfer).not.toHaveProperty('attempts');
    passTime(61_000);
    await run();
    expect([...fts.jobs.keys()]).toEqual([before]);
  });
});
