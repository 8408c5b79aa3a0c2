import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { moveData } from '../../../lib/background/move-data.ts';
import { clock } from '../../../lib/clock.ts';
import { FtsTool, type FtsTokens } from '../../../lib/movers/fts/fts-tool.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { addProtocol } from '../../../lib/operations/rses/add-protocol.ts';
import { setRseAttribute } from '../../../lib/operations/rses/set-attribute.ts';
import { updateRse } from '../../../lib/operations/rses/update-rse.ts';
import { makeStorageToken } from '../../support/fts-service-submission.ts';
import { type FtsService, type FtsServiceOptions, startFtsService } from '../../support/fts-service.ts';
import { passTime } from '../../support/pass-time.ts';
import { data } from '../dids/catalogue.ts';
import { type MoverCatalogue, newMoverCatalogue } from './movers.ts';

let catalogue: MoverCatalogue;
let fts: FtsService;
const running: FtsService[] = [];
/** The tokens of an RSE. */
let tokens: (rse: string) => FtsTokens;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  [catalogue, fts] = [await newMoverCatalogue(), await start()];
  tokens = (rse) => ({ fts: 'token', storage: makeStorageToken(rse) });
  const priorities = { read: 1, write: 1, delete: 1 };
  for (const rse of ['AAA', 'BBB', 'CCC']) {
    await addProtocol(catalogue.at(), rse, 'davs', {
      hostname: `${rse.toLowerCase()}.example.org`,
      port: 443,
      impl: 'rucio.rse.protocols.gfal.Default',
      prefix: '/data',
      domains: { lan: priorities, wan: priorities },
    });
  }
  await sendTo('BBB', fts);
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(running.splice(0).map((service) => service.close()));
});

async function start(options: FtsServiceOptions = {}): Promise<FtsService> {
  const service = await startFtsService('token', options);
  running.push(service);
  return service;
}

async function sendTo(rse: string, { origin }: FtsService): Promise<void> {
  await setRseAttribute(catalogue.at(), { rse, key: 'mover', value: 'fts' });
  await setRseAttribute(catalogue.at(), { rse, key: 'fts', value: origin });
}

/** A run of a new process. */
const run = (answerMs = 10_000) =>
  moveData(catalogue.store.begin(), {
    movers: [
      new FtsTool({
        findTokens: async ({ rse }) => tokens(rse),
        retryPolicy: { answerMs, slowAnswerMs: 10_000, attempts: 2, firstPauseMs: 1, longestPauseMs: 1 },
      }),
    ],
    holder: 'test',
    until: clock.now() + 60_000,
    signal: new AbortController().signal,
  });
const change = (what: object) => {
  for (const job of fts.jobs.values()) Object.assign(job, what);
};
/** Registers files with their checksums that rules want on `BBB`. */
async function wantSummed(names: readonly string[]): Promise<void> {
  const files = names.map((name) => ({ ...data(name), bytes: 10, adler32: '0cc737eb' }));
  await addReplicas(catalogue.at(), { rse: 'AAA', files, ignore_availability: true });
  for (const name of names) await catalogue.rule(name, { rse_expression: 'BBB' });
}
const exists = { state: 'FAILED', reason: 'Destination file exists and overwrite is not enabled' };
const right = { file_size: 10, checksum_type: 'ADLER32', checksum_value: '0cc737eb' };

/** A waiting transfer without a failed attempt. */
async function waitingReason(name = 'f'): Promise<unknown> {
  const transfer = await catalogue.transfer(name);
  expect(transfer?.attempts).toBeUndefined();
  expect(transfer?.state).not.toBe('SUBMITTED');
  return transfer?.error;
}

describe('trouble with FTS is no failure of a file', () => {
  it('waits while FTS does not accept its token, and says so', async () => {
    await catalogue.want(['f', 'g']);
    fts.token = 'another';
    for (let count = 0; count < 8; count += 1) {
      expect(await run()).toEqual({ done: 0, failed: 0 });
      expect(await waitingReason()).toMatch(/^FTS at .+ does not accept the fts_token of BBB\.$/);
      passTime(601_000);
    }
    fts.token = 'token';
    await run();
    expect(await catalogue.transfer('f')).toMatchObject({ state: 'SUBMITTED' });
    expect(await catalogue.transfer('f')).not.toHaveProperty('error');
  });

  it('goes on with submitted copies when FTS accepts its token again', async () => {
    await catalogue.want(['f']);
    await run();
    change({ state: 'FINISHED' });
    fts.token = 'another';
    for (let count = 0; count < 6; count += 1) {
      passTime(901_000);
      expect(await run()).toEqual({ done: 0, failed: 0 });
    }
    expect(await catalogue.transfer('f')).toMatchObject({
      state: 'SUBMITTED',
      error: expect.stringMatching(/does not accept the fts_token of BBB\.$/),
    });
    fts.token = 'token';
    passTime(901_000);
    expect(await run()).toEqual({ done: 1, failed: 0 });
  });

  it('asks about copies only where the RSE says, and tells which server it does not name', async () => {
    await catalogue.want(['f']);
    await run();
    change({ state: 'FINISHED' });
    const next = await start();
    await sendTo('BBB', next);
    fts.calls.length = 0;
    passTime(61_000);
    expect(await run()).toEqual({ done: 0, failed: 0 });
    expect([...fts.calls, ...next.calls]).toEqual([]);
    expect(await catalogue.transfer('f')).toMatchObject({
      state: 'SUBMITTED',
      error: expect.stringContaining(`The attribute fts of BBB does not name ${fts.origin}`),
    });
    await setRseAttribute(catalogue.at(), { rse: 'BBB', key: 'fts', value: `${next.origin}, ${fts.origin}/` });
    passTime(61_000);
    expect(await run()).toEqual({ done: 1, failed: 0 });
  });

  it('waits while a storage has no token, and names it', async () => {
    const [rule = ''] = await catalogue.want(['f']);
    tokens = (rse) => ({ fts: 'token', storage: rse === 'AAA' ? undefined : makeStorageToken(rse) });
    await run();
    expect(await waitingReason()).toBe('There is no auth_token in the credentials of AAA.');
    expect(await catalogue.show(rule)).toBe('STUCK 0/0/1');
    expect(fts.jobs.size).toBe(0);
    tokens = (rse) => ({ fts: 'token', storage: makeStorageToken(rse) });
    passTime(601_000);
    await run();
    change({ state: 'FINISHED' });
    passTime(61_000);
    await run();
    expect(await catalogue.show(rule)).toBe('OK 1/0/0');
  });

  it.each([
    ['a token of a storage without claims', () => (tokens = () => ({ fts: 'token', storage: 'opaque' })), /claim/],
    ['a banned storage', () => fts.banned.add('davs://aaa.example.org'), /403 The following storage/],
    ['a refusal of its server', () => fts.setFaults(refuse(419)), /: 419/],
    ['a page of somebody else', () => fts.setFaults(() => 'page'), /no JSON/],
    ['a permanent breakdown', () => fts.setFaults(refuse(500)), /: 500/],
  ])('waits after %s, for however long', async (_what, spoil, reason) => {
    await catalogue.want(['f']);
    spoil();
    for (let count = 0; count < 8; count += 1) {
      expect(await run()).toEqual({ done: 0, failed: 0 });
      expect(await waitingReason()).toMatch(reason);
      passTime(601_000);
    }
  });

  it('waits while FTS has another job to the file', async () => {
    const strict = await start({ refusesDuplicates: true });
    await sendTo('BBB', strict);
    await catalogue.want(['f']);
    await run();
    const [[id = '', job] = []] = strict.jobs;
    if (job === undefined) throw new Error('there is no job');
    strict.jobs.set('01234567-89ab-cdef-0123-456789abcdef', job);
    strict.jobs.delete(id);
    passTime(61_000);
    await run();
    passTime(61_000);
    await run();
    expect(await waitingReason()).toMatch(/^FTS has another job to davs:\/\/bbb/);
    strict.jobs.clear();
    passTime(601_000);
    await run();
    expect([...strict.jobs.keys()]).toEqual([id]);
  });

  it('waits for a tape with tokens until FTS can do that, and says so', async () => {
    await updateRse(catalogue.at(), 'AAA', { rse_type: 'TAPE' });
    await catalogue.want(['f']);
    await run();
    expect(await waitingReason()).toMatch(/retrieve from tape using token authentication are not supported$/);
    await sendTo('BBB', await start({ takesTokensForTape: true }));
    passTime(601_000);
    await run();
    expect(await catalogue.transfer('f')).toMatchObject({ state: 'SUBMITTED' });
  });
});

describe('what FTS tells about a copy', () => {
  it('counts as a failure if the size is another one', async () => {
    await catalogue.want(['f']);
    await run();
    change({ state: 'FINISHED', filesize: 7 });
    passTime(61_000);
    expect(await run()).toEqual({ done: 0, failed: 1 });
    expect(await catalogue.transfer('f')).toMatchObject({ error: 'The copy has 7 bytes, the file 10.' });
  });

  it('is looked up in the archive', async () => {
    const [rule = ''] = await catalogue.want(['f']);
    await run();
    change({ state: 'FINISHED' });
    fts.archive();
    passTime(61_000);
    expect(await run()).toEqual({ done: 1, failed: 0 });
    expect(await catalogue.show(rule)).toBe('OK 1/0/0');
  });

  it.each([
    ['the right one', right, 1],
    ['of another size', { ...right, file_size: 9 }, 0],
    ['of another checksum', { ...right, checksum_value: '00000001' }, 0],
    ['of which FTS knows no checksum', { file_size: 10 }, 0],
    ['of which FTS knows no size', { ...right, file_size: null }, 0],
  ])('is a copy if the file at the destination is %s', async (_what, present, done) => {
    await wantSummed(['f']);
    await run();
    change({ ...exists, present });
    passTime(61_000);
    expect(await run()).toEqual({ done, failed: 1 - done });
  });

  it('is a copy on tape only when it is there', async () => {
    await updateRse(catalogue.at(), 'BBB', { rse_type: 'TAPE' });
    await wantSummed(['f', 'g']);
    await run();
    for (const job of fts.jobs.values()) {
      const isOnTape = JSON.stringify(job.files).includes('/g"');
      Object.assign(job, exists, { present: { ...right, file_on_tape: isOnTape } });
    }
    passTime(61_000);
    expect(await run()).toEqual({ done: 1, failed: 1 });
    expect(await catalogue.transfer('g')).toBeUndefined();
  });
});

describe('an FTS that is dead', () => {
  it('is asked once in a run, and holds up no copies by another one', async () => {
    const alive = await start();
    await sendTo('CCC', alive);
    const names = Array.from({ length: 12 }, (_value, index) => `f${index}`);
    await catalogue.want(names);
    for (const name of names) await catalogue.rule(name, { rse_expression: 'CCC' });
    fts.setFaults(() => 'hang');
    await run(300);
    expect(new Set(fts.calls)).toEqual(new Set(['GET /whoami']));
    expect(fts.calls.length).toBeLessThanOrEqual(2);
    expect(alive.jobs.size).toBe(12);
    expect(await waitingReason('f0')).toMatch(/^no answer from/);
  });

  it('holds up nothing of another one to which jobs went before', async () => {
    await catalogue.want(['f']);
    await run();
    const alive = await start();
    await setRseAttribute(catalogue.at(), { rse: 'BBB', key: 'fts', value: `${alive.origin},${fts.origin}` });
    fts.setFaults(() => 'hang');
    await catalogue.want(['g']);
    passTime(61_000);
    await run(300);
    expect(alive.jobs.size).toBe(1);
    expect(await catalogue.transfer('f')).toMatchObject({ state: 'SUBMITTED', externalHost: fts.origin });
    fts.setFaults(undefined);
    change({ state: 'FINISHED' });
    passTime(61_000);
    expect(await run()).toEqual({ done: 1, failed: 0 });
  });

  it('is given up when it falls silent in a run', async () => {
    await catalogue.want(Array.from({ length: 60 }, (_value, index) => `f${index}`));
    let submissions = 0;
    fts.setFaults(({ method }) => ((submissions += Number(method === 'POST')) > 10 ? 'cut' : undefined));
    await run();
    expect(fts.jobs.size).toBe(10);
    expect(fts.calls.length).toBeLessThan(60);
  });
});

const refuse = (status: number) => (call: { readonly method: string }) =>
  call.method === 'POST' ? { status } : undefined;
