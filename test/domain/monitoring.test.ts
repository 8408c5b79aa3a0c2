import { afterEach, describe, expect, it } from 'vitest';

import { clock } from '../../lib/clock.ts';
import { getStatus } from '../../lib/operations/monitoring/get-status.ts';
import { insertWork } from '../../lib/store/entities/work.ts';
import { setSurroundings } from '../../lib/surroundings.ts';
import { formatDate } from '../../lib/time.ts';
import { newCatalogue } from './dids/catalogue.ts';

afterEach(() => {
  setSurroundings(undefined);
});

describe('the status of a catalogue', () => {
  it('names the task that has waited longest, and calls it a problem from ten minutes on', async () => {
    const world = await newCatalogue();
    const now = clock.now();
    const due = now - 1_500_000;
    const task = { kind: 'repair', ruleId: '0123456789abcdef0123456789abcdef' } as const;
    await world.store.write(async () => [insertWork(task, due), insertWork(task, now - 5_000)]);
    const { tasks, problems } = await getStatus(world.at(now));
    expect(tasks).toMatchObject({ count: 2, more: false });
    expect(Date.parse(String(tasks.oldest_due_at))).toBe(Math.floor(due / 1_000) * 1_000);
    expect(problems).toEqual([expect.stringContaining('due for 25 minutes')]);
  });

  it('has the lag of the stream and the last backup where the host knows them, and calls old ones problems', async () => {
    const world = await newCatalogue();
    const now = clock.now();
    const statusWith = async (lag: number, age: number | undefined) => {
      setSurroundings({
        streamLags: () =>
          new Map([
            ['stream', 0.5],
            ['follow-up', lag],
          ]),
        lastBackup: () => (age === undefined ? undefined : now - age),
        jobs: () => [],
        diskProblem: () => undefined,
      });
      return getStatus(world.at(now));
    };
    const day = 86_400_000;
    expect(await statusWith(2, undefined)).toMatchObject({
      problems: [],
      stream: { behind_seconds: 2 },
      backup: { last_at: null },
    });
    expect(await statusWith(90, 9 * day)).toMatchObject({
      problems: [expect.stringContaining('followed 90 seconds late'), expect.stringContaining('9 days old')],
      stream: { behind_seconds: 90 },
      backup: { last_at: formatDate(now - 9 * day) },
    });
  });

  it('has what is wrong with the disk, and the last run of each job, and calls one that failed a problem, with the last line it printed', async () => {
    const world = await newCatalogue();
    const now = clock.now();
    const name = 'backup --to /backups';
    const run = {
      name,
      verdict: 'failed',
      isWell: false,
      endedAt: now - 60_000,
      wellAt: now - 86_400_000,
      said: 'too little space',
    };
    setSurroundings({
      streamLags: () => new Map(),
      lastBackup: () => undefined,
      diskProblem: () => 'The disk is full.',
      jobs: () => [
        run,
        { ...run, name: 'report', verdict: 'done', isWell: true, wellAt: undefined, said: 'usage.csv' },
      ],
    });
    expect(await getStatus(world.at(now))).toMatchObject({
      problems: ['The disk is full.', 'The job backup --to /backups failed: too little space'],
      jobs: [
        {
          job: name,
          result: 'failed',
          ended_at: formatDate(now - 60_000),
          success_at: formatDate(now - 86_400_000),
          message: 'too little space',
        },
        { job: 'report', result: 'done', success_at: null },
      ],
    });
  });

  it('knows none of them where the host says nothing, as on Lambda', async () => {
    const world = await newCatalogue();
    setSurroundings(undefined);
    expect(await getStatus(world.at(clock.now()))).toMatchObject({
      problems: [],
      stream: { behind_seconds: null },
      backup: { last_at: null },
      jobs: null,
    });
  });
});
