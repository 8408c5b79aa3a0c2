import { describe, expect, it } from 'vitest';

import { lookAheadInRuns } from '../../../lib/domain/did-graph/look-ahead.ts';
import { PagedRows } from '../../../lib/rows/paged-rows.ts';

/** Rows of two pages; those in capitals need a read. */
function walk(pages: string[][], maxPending = 2) {
  const [begun, abandoned]: [string[], string[]] = [[], []];
  const rows = new PagedRows(
    async () => pages.shift()?.map((name) => ({ PK: 'page', SK: name })),
    ({ SK }) => SK,
  );
  const begin = (row: string) => {
    if (row === row.toLowerCase()) return undefined;
    begun.push(row);
    return `content of ${row}`;
  };
  return { runs: lookAheadInRuns(rows, maxPending, begin, (read) => abandoned.push(read)), begun, abandoned };
}

describe('a walk that looks ahead', () => {
  it('yields rows in memory together, each row with a read alone, in their order', async () => {
    const { runs } = walk([
      ['a', 'b', 'C', 'd'],
      ['E', 'F', 'g', 'h'],
    ]);
    const found = await Array.fromAsync(runs);
    expect(found.map((run) => run.map(([row]) => row).join(''))).toEqual(['ab', 'C', 'd', 'E', 'F', 'gh']);
    expect(found.flat().filter(([, read]) => read !== undefined)).toEqual([
      ['C', 'content of C'],
      ['E', 'content of E'],
      ['F', 'content of F'],
    ]);
  });

  it('starts no more reads at once than it may, and none beyond rows that are not in memory', async () => {
    const { runs, begun } = walk([['A', 'B', 'C', 'd'], ['E']]);
    await runs.next();
    expect(begun).toEqual(['A', 'B']);
    await runs.next();
    await runs.next();
    expect(begun).toEqual(['A', 'B', 'C']);
    expect((await runs.next()).value).toEqual([['d', undefined]]);
    expect(begun).toEqual(['A', 'B', 'C']);
  });

  it('abandons the reads of rows that the caller does not take', async () => {
    const { runs, abandoned } = walk([['a', 'B', 'C']]);
    await runs.next();
    await runs.return(undefined);
    expect(abandoned).toEqual(['content of B']);
  });
});
