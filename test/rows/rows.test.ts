/** Lists whose rows are taken without waiting while they are in memory. */
import { describe, expect, it } from 'vitest';

import { chainRows } from '../../lib/rows/chain-rows.ts';
import { exceptSorted } from '../../lib/rows/except-sorted.ts';
import { inRuns } from '../../lib/rows/in-runs.ts';
import { mapRows } from '../../lib/rows/map-rows.ts';
import { mergeSorted } from '../../lib/rows/merge-sorted.ts';
import { openLater } from '../../lib/rows/open-later.ts';
import { flattenPages, PagedRows } from '../../lib/rows/paged-rows.ts';
import { readAhead } from '../../lib/rows/read-ahead.ts';
import type { ReadyRows } from '../../lib/rows/ready-rows.ts';
import { splitIntoChunks } from '../../lib/rows/split-into-chunks.ts';

/** Rows in pages, given as words; counts the pages that were read, and notes that the list was ended. */
function pagesOf(...words: string[]) {
  const state = { read: 0, ended: 0 };
  const readPage = async () => {
    const word = words[state.read++];
    return word?.split('');
  };
  const end = async () => {
    state.ended += 1;
  };
  return { state, rows: new PagedRows<string, string>(readPage, (row) => row, end) };
}

/** The same rows from an async generator, none of which is ever ready. */
async function* rowByRow(letters: string, state = { ended: 0 }): AsyncGenerator<string> {
  try {
    for (const letter of letters) yield letter;
  } finally {
    state.ended += 1;
  }
}

const textOf = async (rows: AsyncIterable<string>) => (await Array.fromAsync(rows)).join('');

/** Rows that can be taken at once. */
function takeAll(rows: ReadyRows<string>): string {
  let text = '';
  for (let row = rows.take?.(); row !== undefined; row = rows.take?.()) text += row;
  return text;
}

const itself = (row: string) => row;

describe('merged lists', () => {
  it('are sorted, whether their rows are ready or not', async () => {
    const { rows } = pagesOf('ad', 'g');
    expect(await textOf(mergeSorted([rows, rowByRow('bch'), ['e', 'f']], itself))).toBe('abcdefgh');
    expect(await textOf(mergeSorted([], itself))).toBe('');
    expect(await textOf(mergeSorted([pagesOf().rows, rowByRow('')], itself))).toBe('');
  });

  it('list equal rows in the order of the lists', async () => {
    const lists = [['b1'], ['a2', 'b2'], ['b3']];
    expect(await Array.fromAsync(mergeSorted(lists, (row) => row.charAt(0)))).toEqual(['a2', 'b1', 'b2', 'b3']);
  });

  it('give rows at once up to the end of the shortest page', async () => {
    const [one, other] = [pagesOf('acx', 'yz'), pagesOf('bd', 'e')];
    const merged = mergeSorted([one.rows, other.rows], itself);
    expect((await merged.next()).value).toBe('a');
    expect(takeAll(merged)).toBe('bcd');
    expect([one.state.read, other.state.read]).toEqual([1, 1]);
    expect(await textOf(merged)).toBe('exyz');
  });

  it('read the first rows of all lists in parallel', async () => {
    let waiting = 0;
    let goOn = () => {};
    const together = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const waitingList = (row: string) =>
      openLater(async () => {
        waiting += 1;
        if (waiting === 2) goOn();
        await together;
        return [row];
      });
    expect(await textOf(mergeSorted([waitingList('b'), waitingList('a')], itself))).toBe('ab');
  });

  it('end all lists when the caller stops, and when one fails', async () => {
    const [one, state] = [pagesOf('ac'), { ended: 0 }];
    for await (const _row of mergeSorted([one.rows, rowByRow('bd', state)], itself)) break;
    expect([one.state.ended, state.ended]).toEqual([1, 1]);

    const other = pagesOf('ab');
    const broken = openLater<string>(async () => Promise.reject(new Error('the table is away')));
    const merged = mergeSorted([other.rows, broken], itself);
    await expect(merged.next()).rejects.toThrow('the table is away');
    expect(other.state.ended).toBe(1);
    expect(await merged.next()).toEqual({ value: undefined, done: true });
  });
});

describe('what rows hold', () => {
  it('leaves out rows without it, and is ready if the rows are', async () => {
    const { rows, state } = pagesOf('aXb', 'X', 'c');
    const mapped = mapRows(rows, (row) => (row === 'X' ? undefined : row + row));
    expect(takeAll(mapped)).toBe('');
    expect((await mapped.next()).value).toBe('aa');
    expect(takeAll(mapped)).toBe('bb');
    expect(state.read).toBe(1);
    expect(await textOf(mapped)).toBe('cc');
    expect(await textOf(mapRows(rowByRow('aXb'), (row) => (row === 'X' ? undefined : row)))).toBe('ab');
  });

  it('ends after a number of rows without reading on', async () => {
    const { rows, state } = pagesOf('abc', 'd');
    expect(await textOf(mapRows(rows, itself, 2))).toBe('ab');
    expect(state).toEqual({ read: 1, ended: 1 });
    expect(await textOf(mapRows(pagesOf('ab').rows, itself, 0))).toBe('');
  });

  it('ends the list if a row cannot be read', async () => {
    const { rows, state } = pagesOf('ab');
    const mapped = mapRows(rows, (row) => {
      if (row === 'b') throw new Error('an unexpected type');
      return row;
    });
    await mapped.next();
    expect(() => mapped.take?.()).toThrow('an unexpected type');
    expect(state.ended).toBe(1);
    expect(await mapped.next()).toEqual({ value: undefined, done: true });
  });
});

describe('a list that is opened later', () => {
  it('is opened once, by the first row', async () => {
    let opened = 0;
    const later = openLater(async () => {
      opened += 1;
      return pagesOf('ab', 'c').rows;
    });
    expect([takeAll(later), opened]).toEqual(['', 0]);
    expect((await later.next()).value).toBe('a');
    expect(takeAll(later)).toBe('b');
    expect([await textOf(later), opened]).toEqual(['c', 1]);
  });

  it('is not opened if the caller stops before, and is ended if the caller stops meanwhile', async () => {
    let opened = 0;
    const { rows, state } = pagesOf('a');
    const open = async () => {
      opened += 1;
      return rows;
    };
    await openLater(open).return(undefined);
    expect(opened).toBe(0);
    const later = openLater(open);
    const first = later.next();
    await later.return(undefined);
    expect(await first).toEqual({ value: undefined, done: true });
    expect(state).toEqual({ read: 0, ended: 1 });
  });

  it('fails as its opening does', async () => {
    await expect(textOf(openLater<string>(async () => Promise.reject(new Error('no such DID'))))).rejects.toThrow(
      'no such DID',
    );
  });
});

describe('lists one after the other', () => {
  it('are made when it is their turn', async () => {
    const made: string[] = [];
    function* lists() {
      for (const word of ['ab', '', 'c']) {
        made.push(word);
        yield word === 'c' ? rowByRow(word) : pagesOf(word).rows;
      }
    }
    const chained = chainRows(lists());
    expect((await chained.next()).value).toBe('a');
    expect([takeAll(chained), made]).toEqual(['b', ['ab']]);
    expect([await textOf(chained), made]).toEqual(['c', ['ab', '', 'c']]);
  });

  it('end with the present one when the caller stops', async () => {
    const [one, other] = [pagesOf('ab'), pagesOf('c')];
    for await (const _row of chainRows([one.rows, other.rows])) break;
    expect([one.state.ended, other.state.read]).toEqual([1, 0]);
  });
});

describe('the rows whose keys are not in another list', () => {
  it.each([
    ['abcde', 'bd', 'ace'],
    ['abc', '', 'abc'],
    ['abc', 'abc', ''],
    ['bd', 'acef', 'bd'],
    ['', 'ab', ''],
    ['aab', 'a', 'b'],
  ])('%s without %s', async (rows, keys, rest) => {
    expect(await textOf(exceptSorted(rowByRow(rows), itself, rowByRow(keys)))).toBe(rest);
    expect(await textOf(exceptSorted(pagesOf(rows).rows, itself, pagesOf(...keys.split('')).rows))).toBe(rest);
    expect(await textOf(exceptSorted(pagesOf(...rows.split('')).rows, itself, pagesOf(keys).rows))).toBe(rest);
  });

  it('end both lists when the caller stops', async () => {
    const [rows, keys] = [pagesOf('ab'), pagesOf('c')];
    for await (const _row of exceptSorted(rows.rows, itself, keys.rows)) break;
    expect([rows.state.ended, keys.state.ended]).toEqual([1, 1]);
  });
});

describe('rows in groups', () => {
  it('have a size, except for the last one', async () => {
    const chunks = async (rows: AsyncIterable<string> | Iterable<string>) =>
      (await Array.fromAsync(splitIntoChunks(rows, 2))).map((chunk) => chunk.join(''));
    expect(await chunks(pagesOf('abc', 'de').rows)).toEqual(['ab', 'cd', 'e']);
    expect(await chunks(rowByRow('abcd'))).toEqual(['ab', 'cd']);
    expect(await chunks(['a'])).toEqual(['a']);
    expect(await chunks([])).toEqual([]);
  });

  it('are those in memory together, if no size is given', async () => {
    const runs = await Array.fromAsync(inRuns(pagesOf('ab', '', 'cde').rows));
    expect(runs.map((run) => run.join(''))).toEqual(['ab', 'cde']);
    expect(await Array.fromAsync(inRuns(rowByRow('ab')))).toEqual([['a'], ['b']]);
  });

  it.each([
    ['of a size', (rows: AsyncIterable<string>) => splitIntoChunks(rows, 1)],
    ['in memory', inRuns<string>],
  ])('end the list when the caller stops: those %s', async (_what, group) => {
    const { rows, state } = pagesOf('ab', 'c');
    for await (const _group of group(rows)) break;
    expect(state).toEqual({ read: 1, ended: 1 });
  });

  it('are a list again', async () => {
    const flat = flattenPages(splitIntoChunks(pagesOf('abc', 'd').rows, 2));
    expect((await flat.next()).value).toBe('a');
    expect(takeAll(flat)).toBe('b');
    expect(await textOf(flat)).toBe('cd');
  });

  it('end with the list that they make', async () => {
    const { rows, state } = pagesOf('abc', 'd');
    for await (const _row of flattenPages(splitIntoChunks(rows, 2))) break;
    expect(state).toEqual({ read: 1, ended: 1 });
  });
});

describe('a list whose first row is fetched at once', () => {
  it('gives all rows, those in memory without waiting', async () => {
    const { rows, state } = pagesOf('ab', 'c');
    const ahead = await readAhead(rows);
    expect(state.read).toBe(1);
    expect(takeAll(ahead)).toBe('');
    expect((await ahead.next()).value).toBe('a');
    expect(takeAll(ahead)).toBe('b');
    expect(await textOf(ahead)).toBe('c');
  });

  it('ends when the caller stops, or fails', async () => {
    const [one, other, third] = [pagesOf('a'), pagesOf('a'), pagesOf('a')];
    await (await readAhead(one.rows)).return(undefined);
    await expect((await readAhead(other.rows)).throw(new Error('no more'))).rejects.toThrow('no more');
    await (await readAhead(third.rows))[Symbol.asyncDispose]();
    expect([one, other, third].map(({ state }) => state.ended)).toEqual([1, 1, 1]);
  });
});
