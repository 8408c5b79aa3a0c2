import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FtsTool } from '../../lib/movers/fts/fts-tool.ts';
import { computeJobId } from '../../lib/movers/fts/job-id.ts';
import type { CopyPlace } from '../../lib/movers/mover.ts';
import type { ToolJob } from '../../lib/movers/transfer-tool.ts';
import { failFirst } from '../support/faults-of-storage.ts';
import { type FtsService, startFtsService } from '../support/fts-service.ts';

let fts: FtsService;
let tool: FtsTool;
const never = new AbortController().signal;

beforeEach(async () => {
  fts = await startFtsService('token of fts');
  tool = new FtsTool({
    findTokens: async ({ rse }) => ({ fts: 'token of fts', storage: `token of ${rse}` }),
    patience: { answerMs: 10_000, slowAnswerMs: 10_000, attempts: 3, firstPauseMs: 1, longestPauseMs: 1 },
  });
});
afterEach(() => fts.close());

const place = (rse: string): CopyPlace => ({
  rse: { id: rse, rse, attributes: { fts: `${fts.origin},https://other.example.org` } },
  pfn: `davs://${rse.toLowerCase()}.example.org/f`,
  prefix: '/',
});
const jobOf = (more: Partial<ToolJob> = {}): ToolJob => ({
  id: 'lease1',
  source: place('ONE'),
  destination: place('TWO'),
  did: { scope: 'data', name: 'f' },
  attemptId: 'transfer1-0',
  activity: 'Production',
  priority: 4,
  bytes: 5,
  adler32: '062c0215',
  replaces: false,
  requireLease: () => {},
  ...more,
});

describe('a job of FTS', () => {
  it('has the id that Python computes', () => {
    // uuid.uuid5(uuid.uuid5(uuid.UUID(base), 'atlas'), 'seed')
    const caller = { baseId: '01874efb-4735-4595-bc9c-591aef8240c9', vo: 'atlas' };
    expect(computeJobId(caller, 'seed')).toBe('76758705-82ce-565b-a64f-458018491c45');
  });

  it('has the addresses, checksum, priority and tokens of the copy', async () => {
    const { host, id } = await tool.submit(jobOf(), never);
    expect(host).toBe(fts.origin);
    expect([...fts.jobs.keys()]).toEqual([id]);
    expect(fts.jobs.get(id)).toMatchObject({
      files: [
        {
          sources: ['davs://one.example.org/f'],
          destinations: ['davs://two.example.org/f'],
          checksum: 'ADLER32:062c0215',
          filesize: 5,
          activity: 'Production',
          source_tokens: ['token of ONE'],
          destination_tokens: ['token of TWO'],
          metadata: { scope: 'data', name: 'f', src_rse: 'ONE', dst_rse: 'TWO' },
        },
      ],
      params: {
        id_generator: 'deterministic',
        sid: 'transfer1-0',
        priority: 4,
        overwrite: false,
        verify_checksum: 'both',
      },
    });
  });

  it('is made once for an attempt, by whomever it is submitted, and anew for the next one', async () => {
    const first = await tool.submit(jobOf(), never);
    expect(await tool.submit(jobOf({ id: 'lease2' }), never)).toEqual(first);
    expect(fts.jobs.size).toBe(1);
    for (const job of fts.jobs.values()) job.state = 'FAILED';
    expect(await tool.submit(jobOf({ attemptId: 'transfer1-1' }), never)).not.toEqual(first);
    expect(fts.jobs.size).toBe(2);
  });

  it('is not submitted beside another one to the same file', async () => {
    await tool.submit(jobOf(), never);
    await expect(tool.submit(jobOf({ attemptId: 'other-0' }), never)).rejects.toThrow(
      'FTS has another job to davs://two',
    );
  });

  it.each([['lose answer'], ['cut'], [{ status: 503 }]] as const)(
    'is made once after a failure that passes: %o',
    async (fault) => {
      fts.setFaults(failFirst(({ method }) => method === 'POST', fault, fault));
      const { id } = await tool.submit(jobOf(), never);
      expect([...fts.jobs.keys()]).toEqual([id]);
    },
  );

  it('counts as submitted if FTS falls silent, since it may have been; asking tells', async () => {
    fts.setFaults(({ method }) => (method === 'POST' ? 'cut' : undefined));
    const { host, id } = await tool.submit(jobOf(), never);
    expect(await tool.poll(host, [id], place('TWO').rse, never)).toEqual(new Map([[id, { state: 'unknown' }]]));
  });

  it('is refused with what FTS says, and if there is no token for it', async () => {
    const refused = new FtsTool({ findTokens: async () => ({ fts: 'wrong', storage: undefined }) });
    await expect(refused.submit(jobOf(), never)).rejects.toThrow('no such token');
    const poor = new FtsTool({ findTokens: async () => ({ fts: undefined, storage: 'x' }) });
    await expect(poor.submit(jobOf(), never)).rejects.toThrow('There is no fts_token in the credentials of TWO.');
  });

  it('is asked about together with others, and tells its state and reason', async () => {
    const names = ['ACTIVE', 'STAGING', 'FINISHED', 'FAILED', 'CANCELED'];
    const ids: string[] = [];
    for (const [index, state] of names.entries()) {
      const destination = { ...place('TWO'), pfn: `davs://two.example.org/${state}` };
      const { id } = await tool.submit(jobOf({ attemptId: String(index), destination }), never);
      const job = fts.jobs.get(id);
      if (job !== undefined)
        Object.assign(job, { state, reason: state === 'FAILED' ? 'TRANSFER CHECKSUM mismatch' : undefined });
      ids.push(id);
    }
    fts.calls.length = 0;
    const states = await tool.poll(fts.origin, [...ids, 'none'], place('TWO').rse, never);
    expect([...ids, 'none'].map((id) => states.get(id))).toEqual([
      { state: 'running', priority: 4 },
      { state: 'running', priority: 4 },
      { state: 'done' },
      { state: 'failed', reason: 'FTS: TRANSFER CHECKSUM mismatch' },
      { state: 'failed', reason: 'FTS: CANCELED' },
      { state: 'unknown' },
    ]);
    expect(fts.calls).toHaveLength(1);
  });

  it('is cancelled with others, and its priority changed', async () => {
    const submissions = [];
    for (const attemptId of ['a', 'b', 'c']) {
      const destination = { ...place('TWO'), pfn: `davs://two.example.org/${attemptId}` };
      submissions.push(await tool.submit(jobOf({ attemptId, destination }), never));
    }
    const [first, second, third] = submissions;
    if (first === undefined || second === undefined || third === undefined) throw new Error('there are three');
    const { rse } = place('TWO');
    await tool.prioritize(first, 5, rse, never);
    await tool.cancel(fts.origin, [second.id, 'none'], rse, never);
    await tool.cancel(fts.origin, ['none'], rse, never);
    expect(await tool.poll(fts.origin, [first.id, second.id, third.id], rse, never)).toEqual(
      new Map([
        [first.id, { state: 'running', priority: 5 }],
        [second.id, { state: 'failed', reason: 'FTS: CANCELED' }],
        [third.id, { state: 'running', priority: 4 }],
      ]),
    );
  });

  it('needs the address of a server at the destination', () => {
    const { source, destination } = jobOf();
    const without = { ...destination, rse: { ...destination.rse, attributes: {} } };
    expect(tool.findObstacle({ source, destination })).toBeUndefined();
    expect(tool.findObstacle({ source, destination: without })).toBe('The attribute fts of TWO names no server.');
  });
});
