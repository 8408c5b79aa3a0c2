import { describe, expect, it } from 'vitest';

import { clock } from '../../lib/clock.ts';
import { getStatus } from '../../lib/operations/monitoring/get-status.ts';
import { insertWork } from '../../lib/store/entities/work.ts';
import { newCatalogue } from './dids/catalogue.ts';

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
});
