import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FtsTool, type FtsTokens } from '../../lib/movers/fts/fts-tool.ts';
import { computeJobId } from '../../lib/movers/fts/job-id.ts';
import type { CopyPlace } from '../../lib/movers/mover.ts';
import { TransientError } from '../../lib/movers/retry-policy.ts';
import { type ToolJob, UndeclaredTool } from '../../lib/movers/transfer-tool.ts';
import { failFirst } from '../support/faults-of-storage.ts';
import { makeStorageToken } from '../support/fts-service-submission.ts';
import { type FtsService, startFtsService } from '../support/fts-service.ts';

let fts: FtsService;
let tool: FtsTool;
const never = new AbortController().signal;

beforeEach(async () => {
  fts = await startFtsService('token of fts', { refusesDuplicates: true });
  tool = new FtsTool({
    findTokens: async ({ rse }) => ({ fts: 'token of fts', storage: makeStorageToken(rse) }),
    retryPolicy: { answerMs: 10_000, slowAnswerMs: 10_000, attempts: 3, firstPauseMs: 1, longestPauseMs: 1 },
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

/** Another file there. */
const other = {
  get rse() {
    return place('TWO').rse;
  },
  pfn: 'davs://two.example.org/g',
  prefix: '/',
};

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
          source_tokens: [makeStorageToken('ONE')],
          destination_tokens: [makeStorageToken('TWO')],
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

  it.each([['cut'], [{ status: 500 }]] as const)(
    'is not submitted if FTS does not have it after: %o',
    async (fault) => {
      fts.setFaults(({ method }) => (method === 'POST' ? fault : undefined));
      await expect(tool.submit(jobOf(), never)).rejects.toThrow(TransientError);
      expect(fts.jobs.size).toBe(0);
    },
  );

  it('counts as submitted if FTS does not tell whether it has it; asking tells later', async () => {
    fts.setFaults(({ path }) => (path === '/whoami' ? undefined : 'cut'));
    const { host, id } = await tool.submit(jobOf(), never);
    fts.setFaults(undefined);
    expect(await tool.poll(host, [id], place('TWO').rse, never)).toEqual(new Map([[id, { state: 'unknown' }]]));
  });

  it('has the id that FTS answers, if it takes the caller for another one by now', async () => {
    await tool.submit(jobOf(), never);
    fts.vo = 'other';
    const changed = await tool.submit(jobOf({ attemptId: 'transfer2-0', destination: other }), never);
    expect([...fts.jobs.keys()]).toContain(changed.id);
    fts.vo = 'third';
    const job = jobOf({ attemptId: 'transfer3-0', destination: { ...other, pfn: 'davs://two.example.org/h' } });
    const third = await tool.submit(job, never);
    expect(await tool.submit(job, never)).toEqual(third);
    expect(fts.jobs.size).toBe(3);
  });

  it('is refused without a token for FTS, and without those of both storages, which FTS would replace by its own', async () => {
    const tokens: Record<string, FtsTokens> = {
      ONE: { fts: 'x', storage: undefined },
      TWO: { fts: 'x', storage: 'x' },
    };
    const poor = new FtsTool({ findTokens: async ({ rse }) => tokens[rse] ?? { fts: undefined, storage: undefined } });
    await expect(poor.submit(jobOf(), never)).rejects.toThrow('There is no auth_token in the credentials of ONE.');
    expect(await poor.findObstacle(jobOf())).toBe('There is no auth_token in the credentials of ONE.');
    tokens['ONE'] = { fts: undefined, storage: 'x' };
    tokens['TWO'] = { fts: undefined, storage: 'x' };
    await expect(poor.submit(jobOf(), never)).rejects.toThrow('There is no fts_token in the credentials of TWO.');
    expect(fts.calls).toEqual([]);
  });

  it('is refused, and not failed, if FTS takes the caller for anonymous', async () => {
    const { host, id } = await tool.submit(jobOf(), never);
    fts.token = 'renewed';
    const message = /does not accept the fts_token of TWO\.$/;
    const refusal = expect.objectContaining({ name: 'ToolRefusal', message: expect.stringMatching(message) });
    await expect(tool.submit(jobOf({ attemptId: 'b', destination: other }), never)).rejects.toEqual(refusal);
    await expect(tool.poll(host, [id], place('TWO').rse, never)).rejects.toEqual(refusal);
    await expect(tool.cancel(host, [id], place('TWO').rse, never)).rejects.toEqual(refusal);
  });

  it.each([
    ['a scope', makeStorageToken('ONE', { scope: undefined }), 'Token does not contain an scope claim'],
    ['an end to come', makeStorageToken('ONE', { exp: 1_000 }), 'Failed to validate access-token'],
    ['any claims', 'opaque', 'Token does not contain an iss claim'],
  ])('is refused with what FTS says of a token of a storage without %s', async (_what, token, message) => {
    const poor = new FtsTool({ findTokens: async () => ({ fts: 'token of fts', storage: token }) });
    await expect(poor.submit(jobOf(), never)).rejects.toEqual(
      expect.objectContaining({ name: 'ToolRefusal', message: expect.stringMatching(`: 400 ${message}$`) }),
    );
  });

  it('reads no more than the beginning of an answer that never ends', async () => {
    fts.setFaults(({ method }) => (method === 'POST' ? 'endless' : undefined));
    await expect(tool.submit(jobOf(), never)).rejects.toThrow(/: 403 x{300}$/);
  });

  it('is refused while a storage is banned', async () => {
    fts.banned.add('davs://two.example.org');
    await expect(tool.submit(jobOf(), never)).rejects.toThrow(/403 The following storage elements do not accept/);
  });

  it('goes to no server that the RSE does not name, nor without TLS to another machine', async () => {
    const { rse } = place('TWO');
    await expect(tool.poll('https://evil.example.org', ['x'], rse, never)).rejects.toThrow(UndeclaredTool);
    await expect(tool.cancel('https://evil.example.org', ['x'], rse, never)).rejects.toThrow(UndeclaredTool);
    const plain = { ...rse, attributes: { fts: 'http://fts.example.org:8446' } };
    expect(tool.findHost(plain)).toBeUndefined();
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
      { state: 'done', bytes: 5 },
      { state: 'failed', reason: 'FTS: TRANSFER CHECKSUM mismatch' },
      { state: 'failed', reason: 'FTS: CANCELED' },
      { state: 'unknown' },
    ]);
    expect(fts.calls).toEqual([expect.stringContaining('/jobs/'), 'GET /archive/none']);
  });

  it('is found in the archive', async () => {
    const { host, id } = await tool.submit(jobOf(), never);
    for (const job of fts.jobs.values()) job.state = 'FINISHED';
    fts.archive();
    expect(await tool.poll(host, [id], place('TWO').rse, never)).toEqual(new Map([[id, { state: 'done', bytes: 5 }]]));
  });

  it('has failed if it is over and its file has never begun', async () => {
    const { host, id } = await tool.submit(jobOf(), never);
    for (const job of fts.jobs.values()) job.state = 'TOKEN_PREP';
    const { rse } = place('TWO');
    expect((await tool.poll(host, [id], rse, never)).get(id)).toMatchObject({ state: 'running' });
    await tool.cancel(host, [id], rse, never);
    expect([...fts.jobs.values()]).toMatchObject([{ state: 'TOKEN_PREP' }]);
    expect((await tool.poll(host, [id], rse, never)).get(id)).toEqual({
      state: 'failed',
      reason: 'FTS: Job canceled by the user',
    });
  });

  it('tells which file is at the destination already', async () => {
    const { host, id } = await tool.submit(jobOf(), never);
    const present = { file_size: 5, checksum_type: 'ADLER32', checksum_value: '62C0215', file_on_tape: true };
    const reason = 'DESTINATION OVERWRITE [17] Destination file exists and overwrite is not enabled';
    for (const job of fts.jobs.values()) Object.assign(job, { state: 'FAILED', reason, present });
    expect((await tool.poll(host, [id], place('TWO').rse, never)).get(id)).toEqual({
      state: 'failed',
      reason: `FTS: ${reason}`,
      present: { bytes: 5, adler32: '062c0215', md5: undefined, isOnTape: true },
    });
  });

  it.each(['403 Forbidden', '500 Internal Server Error'])('is running while FTS tells %s of it', async (status) => {
    const ids: string[] = [];
    for (const attemptId of ['a', 'b']) {
      const destination = { ...other, pfn: `davs://two.example.org/${attemptId}` };
      ids.push((await tool.submit(jobOf({ attemptId, destination }), never)).id);
    }
    for (const job of fts.jobs.values()) job.state = 'FINISHED';
    const [first = ''] = ids;
    fts.statuses.set(first, status);
    const { rse } = place('TWO');
    const states = await tool.poll(fts.origin, ids, rse, never);
    expect(ids.map((id) => states.get(id)?.state)).toEqual(['running', 'done']);
    expect((await tool.poll(fts.origin, [first], rse, never)).get(first)).toEqual({ state: 'running' });
  });

  it('is found beside one at which FTS breaks down', async () => {
    const ids: string[] = [];
    for (const attemptId of ['a', 'b', 'c', 'd', 'e']) {
      const destination = { ...other, pfn: `davs://two.example.org/${attemptId}` };
      ids.push((await tool.submit(jobOf({ attemptId, destination }), never)).id);
    }
    for (const job of fts.jobs.values()) job.state = 'FINISHED';
    fts.setFaults(({ path }) => (path.includes(ids[1] ?? '') ? { status: 500 } : undefined));
    const states = await tool.poll(fts.origin, ids, place('TWO').rse, never);
    expect(ids.map((id) => states.get(id)?.state)).toEqual(['done', 'running', 'done', 'done', 'done']);
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
        [second.id, { state: 'failed', reason: 'FTS: Job canceled by the user' }],
        [third.id, { state: 'running', priority: 4 }],
      ]),
    );
  });

  it('needs the address of a server at the destination, and addresses that FTS does not take for others', async () => {
    const { source, destination } = jobOf();
    const without = { ...destination, rse: { ...destination.rse, attributes: {} } };
    expect(await tool.findObstacle({ source, destination })).toBeUndefined();
    expect(await tool.findObstacle({ source, destination: without })).toBe('The attribute fts of TWO names no server.');
    const long = { ...destination, pfn: `davs://two.example.org/${'f'.repeat(1_100)}` };
    expect(await tool.findObstacle({ source, destination: long })).toBe(
      'The address of the file on TWO is longer than the 1100 characters that FTS takes.',
    );
    const odd = { ...destination, pfn: 'root://two.example.org//f?x' };
    expect(await tool.findObstacle({ source, destination: odd })).toBe(
      'root://two.example.org//f?x has marks that its scheme cannot tell FTS.',
    );
  });
});
