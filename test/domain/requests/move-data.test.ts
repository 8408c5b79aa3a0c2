import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { putOffUnknown } from '../../../lib/background/lease-copies.ts';
import { moveData } from '../../../lib/background/move-data.ts';
import { clock } from '../../../lib/clock.ts';
import type { CopyJob, Mover } from '../../../lib/movers/mover.ts';
import { addProtocol } from '../../../lib/operations/rses/add-protocol.ts';
import { setRseAttribute } from '../../../lib/operations/rses/set-attribute.ts';
import { showRule } from '../../../lib/operations/rules/get-rule.ts';
import { passTime } from '../../support/pass-time.ts';
import { type MoverCatalogue, newMoverCatalogue } from './movers.ts';

let catalogue: MoverCatalogue;

const priorities = { read: 1, write: 1, delete: 1 };
const protocol = { impl: 'rucio.rse.protocols.gfal.Default', domains: { lan: priorities, wan: priorities } };

beforeEach(async () => {
  catalogue = await newMoverCatalogue();
  for (const rse of ['AAA', 'BBB']) {
    await addProtocol(catalogue.at(), rse, 'file', {
      hostname: 'localhost',
      port: 0,
      impl: 'rucio.rse.protocols.posix.Default',
      prefix: `/${rse}`,
      domains: { lan: priorities, wan: priorities },
    });
  }
  await setRseAttribute(catalogue.at(), { rse: 'BBB', key: 'mover', value: 'test' });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Lets the time come at which results are reported, which is every two seconds, and reads something then. */
const afterReport =
  <T>(read: () => Promise<T>) =>
  async () => {
    await vi.advanceTimersByTimeAsync(2_000);
    return read();
  };
/** Results are reported only when a test lets the time come. */
const holdReports = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });

/** A mover that notes what it copies. */
function newMover(copy: Mover['copy']): Mover & { readonly jobs: CopyJob[] } {
  const jobs: CopyJob[] = [];
  return {
    name: 'test',
    schemes: ['file'],
    parallel: 3,
    jobs,
    copy: (job, signal) => {
      jobs.push(job);
      return copy(job, signal);
    },
  };
}

const run = (movers: readonly Mover[], signal = new AbortController().signal, until = clock.now() + 60_000) =>
  moveData(catalogue.store.begin(), { movers, holder: 'test', until, signal });

describe('a run of movers', () => {
  it('copies all that is due to RSEs with its attribute, each file once, however many runs there are', async () => {
    const names = Array.from({ length: 50 }, (_value, index) => `f${index}`);
    const rules = await catalogue.want(names);
    const movers = [1, 2, 3].map(() => newMover(async () => ({ bytes: 10 })));
    const runs = await Promise.all(movers.map((mover) => run([mover])));
    expect(runs.map(({ done }) => done).reduce((sum, one) => sum + one)).toBe(50);
    const pfns = movers.flatMap(({ jobs }) => jobs.map(({ destination }) => destination.pfn));
    expect(new Set(pfns).size).toBe(50);
    expect(pfns).toHaveLength(50);
    expect(movers.flatMap(({ jobs }) => jobs).every(({ source }) => source.prefix === '/AAA/')).toBe(true);
    for (const rule of rules) expect(await catalogue.show(rule)).toBe('OK 1/0/0');
    await catalogue.recount();
  });

  it('goes on while one copy takes long', async () => {
    const names = Array.from({ length: 60 }, (_value, index) => `f${index}`);
    const rules = await catalogue.want(names);
    let [others, finish] = [0, () => {}];
    const allOthers = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const mover = newMover(async () => {
      if (mover.jobs.length === 1) await allOthers;
      else if ((others += 1) === names.length - 1) finish();
      return { bytes: 10 };
    });
    expect(await run([mover])).toEqual({ done: 60, failed: 0 });
    for (const rule of rules) expect(await catalogue.show(rule)).toBe('OK 1/0/0');
  });

  it.each([
    ['a destination', 'AAA', 'CCC'],
    ['a source', 'CCC', 'BBB'],
  ] as const)('goes on while %s hangs, with copies that are asked for meanwhile', async (_end, from, to) => {
    await addProtocol(catalogue.at(), 'CCC', 'file', { ...protocol, hostname: 'localhost', port: 0, prefix: '/CCC' });
    await setRseAttribute(catalogue.at(), { rse: 'CCC', key: 'mover', value: 'test' });
    const slow = Array.from({ length: 40 }, (_value, index) => `slow${index}`);
    await catalogue.register(from, slow);
    for (const name of slow) await catalogue.rule(name, { rse_expression: to });
    const release = Promise.withResolvers<void>();
    const mover = newMover(async ({ source, destination }) => {
      if (source.rse.rse === 'CCC' || destination.rse.rse === 'CCC') await release.promise;
      return { bytes: 10 };
    });
    const news = Promise.withResolvers<void>();
    holdReports();
    const { signal } = new AbortController();
    const until = clock.now() + 60_000;
    const options = { movers: [mover], holder: 'test', until, signal, announced: () => news.promise };
    const running = moveData(catalogue.store.begin(), options);
    await expect.poll(() => mover.jobs.length).toBe(3);
    const rules = await catalogue.want(['f', 'g']);
    news.resolve();
    for (const rule of rules) await expect.poll(afterReport(() => catalogue.show(rule))).toBe('OK 1/0/0');
    release.resolve();
    expect(await running).toEqual({ done: 42, failed: 0 });
  });

  it('says at once what it cannot copy, although all its places are taken', async () => {
    await catalogue.want(['f', 'g', 'h', 'i', 'j']);
    const release = Promise.withResolvers<void>();
    const mover = newMover(async () => {
      await release.promise;
      return { bytes: 10 };
    });
    const findObstacle: Mover['findObstacle'] = ({ source }) =>
      source.pfn.endsWith('j') ? `${source.rse.rse} is no such storage.` : undefined;
    holdReports();
    const running = run([{ ...mover, parallel: 1, findObstacle }]);
    await expect.poll(afterReport(() => catalogue.transfer('j'))).toMatchObject({ state: 'MISMATCH_SCHEME' });
    release.resolve();
    expect(await running).toMatchObject({ done: 4 });
  });

  it('writes nothing and begins nothing once it was asleep for longer than its leases; what it gives back is copied anew', async () => {
    const names = Array.from({ length: 8 }, (_value, index) => `f${index}`);
    const rules = await catalogue.want(names);
    const real = performance.now.bind(performance);
    const refused: string[] = [];
    const written: string[] = [];
    const mover = newMover(async (job) => {
      if (mover.jobs.length === 1) vi.spyOn(performance, 'now').mockImplementation(() => real() + 115_000);
      try {
        job.requireLease();
      } catch (error) {
        refused.push(job.id);
        throw error;
      }
      written.push(job.id);
      return { bytes: 10 };
    });
    try {
      expect(await run([mover])).toEqual({ done: 8, failed: 0 });
    } finally {
      vi.restoreAllMocks();
    }
    expect(refused.length).toBeGreaterThan(0);
    // Those that had to wait for the sleeper were not begun with the old leases.
    expect(mover.jobs).toHaveLength(8 + refused.length);
    expect(new Set(mover.jobs.map(({ id }) => id)).size).toBe(mover.jobs.length);
    expect(written).toHaveLength(8);
    for (const rule of rules) expect(await catalogue.show(rule)).toBe('OK 1/0/0');
    for (const name of names) expect((await catalogue.transfer(name))?.attempts).toBeUndefined();
  });

  it('reports why a copy failed, and that its content is wrong', async () => {
    await catalogue.want(['f', 'g']);
    const mover = newMover(({ destination }) =>
      destination.pfn.endsWith('f') ? Promise.reject(new Error('no space left')) : Promise.resolve({ bytes: 9 }),
    );
    expect(await run([mover])).toEqual({ done: 0, failed: 2 });
    expect(await catalogue.transfer('f')).toMatchObject({ attempts: 1, error: 'no space left', state: 'QUEUED' });
    expect(await catalogue.transfer('g')).toMatchObject({ attempts: 1, error: 'The copy has 9 bytes, the file 10.' });
  });

  it('that is ended gives its copies back, which counts as no attempt', async () => {
    await catalogue.want(['f', 'g', 'h', 'i', 'j']);
    const ending = new AbortController();
    const mover = newMover((_job, signal) => {
      ending.abort();
      return Promise.reject(signal.reason as Error);
    });
    expect(await run([mover], ending.signal)).toEqual({ done: 0, failed: 0 });
    const transfers = await Promise.all(['f', 'g', 'h', 'i', 'j'].map((name) => catalogue.transfer(name)));
    expect(transfers.map((transfer) => [transfer?.state, transfer?.lease, transfer?.attempts])).toEqual(
      transfers.map(() => ['QUEUED', undefined, undefined]),
    );
  });

  it('takes the best source from which it can copy, and puts off what it cannot, with the reason', async () => {
    await catalogue.want(['f', 'g']);
    const mover = newMover(async () => ({ bytes: 10 }));
    const findObstacle: Mover['findObstacle'] = ({ source }) =>
      source.pfn.endsWith('f') ? `${source.rse.rse} is no such storage.` : undefined;
    expect(await run([{ ...mover, findObstacle }])).toMatchObject({ done: 1 });
    expect(await catalogue.transfer('f')).toMatchObject({ state: 'MISMATCH_SCHEME', error: 'AAA is no such storage.' });
    expect(await catalogue.transfer('f')).not.toHaveProperty('attempts');
    expect(mover.jobs.map(({ source }) => source.rse.rse)).toEqual(['AAA']);
  });

  it('puts off copies for which it has no scheme, and their rules name those of the mover and of the ends', async () => {
    const rules = await catalogue.want(['f']);
    const mover = { ...newMover(async () => ({ bytes: 10 })), schemes: ['davs', 'https'] };
    expect(await run([mover])).toEqual({ done: 0, failed: 0 });
    const reason = 'The mover test uses the schemes davs, https; BBB, the destination, has file.';
    expect(await catalogue.transfer('f')).toMatchObject({ state: 'MISMATCH_SCHEME', error: reason });
    expect(await showRule(catalogue.at(), rules[0] ?? '')).toMatchObject({ state: 'STUCK', error: reason });
    await addProtocol(catalogue.at(), 'BBB', 'davs', { ...protocol, hostname: 'bbb', port: 443, prefix: '/BBB' });
    passTime(660_000);
    await run([mover], undefined, clock.now() + 60_000);
    expect(await catalogue.transfer('f')).toMatchObject({
      state: 'MISMATCH_SCHEME',
      error: 'The mover test uses the schemes davs, https; no source can be read by them: AAA has file.',
    });
    await addProtocol(catalogue.at(), 'AAA', 'davs', { ...protocol, hostname: 'aaa', port: 443, prefix: '/AAA' });
    passTime(660_000);
    expect(await run([mover], undefined, clock.now() + 60_000)).toEqual({ done: 1, failed: 0 });
    expect(await showRule(catalogue.at(), rules[0] ?? '')).toMatchObject({ state: 'OK', error: null });
  });

  it('puts off copies to RSEs whose mover does not run here, and no others', async () => {
    const [rule = ''] = await catalogue.want(['f']);
    await putOffUnknown(catalogue.store, ['test'], 'test');
    expect(await catalogue.transfer('f')).not.toHaveProperty('state');
    await putOffUnknown(catalogue.store, ['posix', 's3'], 'test');
    const reason = 'No mover runs here that has the name test, the attribute mover of BBB.';
    expect(await showRule(catalogue.at(), rule)).toMatchObject({ state: 'STUCK', error: reason });
  });

  it('ends a copy that takes too long: the attempt has failed', async () => {
    await catalogue.want(['f']);
    const mover = newMover(async (_job, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw signal.reason;
    });
    const { signal } = new AbortController();
    const options = { movers: [mover], holder: 'test', until: clock.now() + 60_000, signal, copyMs: 10 };
    expect(await moveData(catalogue.store.begin(), options)).toEqual({ done: 0, failed: 1 });
    expect(await catalogue.transfer('f')).toMatchObject({ attempts: 1, error: expect.stringContaining('took longer') });
  });

  it('begins nothing after its time, and copies nothing to RSEs of other movers', async () => {
    await catalogue.want(['f']);
    const mover = newMover(async () => ({ bytes: 10 }));
    await run([mover], undefined, Date.now() - 1);
    await run([{ ...mover, name: 'other' }]);
    expect(mover.jobs).toEqual([]);
    expect(await catalogue.transfer('f')).not.toHaveProperty('lease');
  });
});
