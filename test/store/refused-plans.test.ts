/** A plan that is refused for what its view hides may be outdated (docs/adr/0003-staged-commit.md, Clocks). */
import { describe, expect, it } from 'vitest';

import { fail } from '../../lib/errors.ts';
import type { Table } from '../../lib/store/batches/table.ts';
import { openStore } from '../../lib/store/open-store.ts';
import { grow, inserts, newCounter, newLine, otherProcess, UnfoldedLog, write, writer } from './counted-items.ts';

/** Commits a bulk request in another process, which dies before it folds its changes. */
const commitBulk = (pk: string, from: number) =>
  write([...inserts(pk, 30, from), grow(pk, 30)], otherProcess(UnfoldedLog)).catch((error: Error) => {
    if (error.message !== 'killed') throw error;
  });

/** Counts how often a plan is made that reads a counter and then throws an error, while others commit. */
async function countReadings(
  name: Parameters<typeof fail>[0],
  commits: number,
  read: (table: Table) => Table,
): Promise<number> {
  const pk = await newCounter();
  const store = openStore({ tableName: writer.tableName, ...newLine().client });
  let readings = 0;
  const plan = async (latest: Table) => {
    readings += 1;
    if (readings <= commits) await commitBulk(pk, readings * 100);
    await read(latest).get({ PK: pk, SK: 'counter' });
    return fail(name, 'refused');
  };
  await expect(store.decide(plan)).rejects.toThrow('refused');
  return readings;
}

const asOfThePlan = (table: Table) => table;
const asOfTheRead = (table: Table) => table.latest();

describe('a plan that is refused', () => {
  it.each([
    ['once, if it has hidden nothing', 'DataIdentifierNotFound', 0, asOfThePlan, 1],
    ['once more, if it has hidden a commit', 'DataIdentifierNotFound', 1, asOfThePlan, 2],
    ['three times at most', 'Duplicate', 9, asOfThePlan, 3],
    ['once, if it reads what is committed when it is read', 'Duplicate', 9, asOfTheRead, 1],
    ['once, if the caller has no right', 'AccessDenied', 9, asOfThePlan, 1],
    ['once, if the table does not answer', 'DatabaseException', 9, asOfThePlan, 1],
  ] as const)('is made %s', async (_times, name, commits, read, readings) => {
    expect(await countReadings(name, commits, read)).toBe(readings);
  });
});
