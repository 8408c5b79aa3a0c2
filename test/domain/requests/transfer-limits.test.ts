import { beforeEach, describe, expect, it } from 'vitest';

import { newTransferLimit } from '../../../lib/contract/schemas/transfer-limit.ts';
import { setTransferLimit } from '../../../lib/operations/requests/transfer-limits.ts';
import { type MoverCatalogue, namesOf, newMoverCatalogue } from './movers.ts';

const minute = 60_000;
let catalogue: MoverCatalogue;
let now: number;

beforeEach(async () => {
  catalogue = await newMoverCatalogue();
  now = Date.now() + 1_000;
});

const limit = (expression: string, max_transfers: number, more: object = {}) =>
  setTransferLimit(catalogue.at(), newTransferLimit.parse({ rse_expression: expression, max_transfers, ...more }));

describe('a transfer limit', () => {
  it('of a destination bounds what is leased there at a time; the rest waits', async () => {
    await catalogue.want(['a', 'b', 'c']);
    await limit('BBB', 2);
    const leased = await catalogue.lease('m', now);
    expect(leased).toHaveLength(2);
    const states = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => (await catalogue.transfer(name))?.state ?? ''),
    );
    expect(states.toSorted()).toEqual(['SUBMITTING', 'SUBMITTING', 'WAITING']);
    expect(await catalogue.lease('other', now + minute)).toEqual([]);
    const [first] = leased;
    if (first === undefined) throw new Error('no lease');
    await catalogue.report(first, now + minute, { state: 'DONE' });
    expect(await catalogue.lease('other', now + 3 * minute)).toHaveLength(1);
  });

  it('of a source counts what is leased from there, and lets other sources serve', async () => {
    await catalogue.want(['a', 'b']);
    await limit('AAA', 1, { direction: 'S' });
    expect(await catalogue.lease('m', now)).toHaveLength(1);
    expect(await catalogue.lease('m', now + 2 * minute)).toEqual([]);
    await catalogue.register('CCC', ['a', 'b']);
    const [second] = await catalogue.lease('m', now + 4 * minute);
    expect(second?.sources.map(({ rse }) => rse.rse)).toEqual(['CCC']);
    expect(await catalogue.lease('m', now + 20 * minute)).toHaveLength(2);
  });

  it('of an activity leaves other activities alone', async () => {
    await catalogue.want(['a', 'b'], { activity: 'Express' });
    await catalogue.want(['c', 'd'], { activity: 'Debug' });
    await limit('BBB', 1, { activity: 'Express' });
    const names = namesOf(await catalogue.lease('m', now));
    expect(names).toHaveLength(3);
    expect(names).toEqual(expect.arrayContaining(['c', 'd']));
  });

  it('of an expression applies to each of its RSEs', async () => {
    await catalogue.want(['a', 'b']);
    await limit('AAA|BBB', 1);
    expect(await catalogue.lease('m', now)).toHaveLength(1);
  });

  it('does not count transfers that nobody has', async () => {
    await catalogue.want(['a', 'b']);
    const failing = await catalogue.lease('m', now, { limit: 1 });
    for (const one of failing) await catalogue.report(one, now, { state: 'FAILED' });
    await limit('BBB', 1);
    expect(await catalogue.lease('m', now)).toHaveLength(1);
  });
});
